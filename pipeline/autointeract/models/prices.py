"""What tokens cost. An unknown price is null and stays null; it is never 0."""

import importlib

from autointeract.models.endpoint import Endpoint
from autointeract.models.settings import PriceSettings
from autointeract.models.types import Usage

FREE = PriceSettings(input=0, output=0, cached=0)


def price_of(endpoint: Endpoint) -> PriceSettings | None:
    """The configured price, litellm's local table for its own endpoints, zero for simulated ones; else null."""
    if endpoint.simulated:
        return FREE
    if endpoint.settings.price is not None or endpoint.transport != "litellm":
        return endpoint.settings.price
    return importlib.import_module("autointeract.models.transports.by_litellm").known_price(endpoint.model)


def cost(price: PriceSettings | None, usage: Usage) -> float | None:
    """Money for `usage`, or null where the price is unknown."""
    if price is None:
        return None
    cached = price.input if price.cached is None else price.cached
    fresh = usage.prompt_tokens - usage.cached_tokens
    return (fresh * price.input + usage.cached_tokens * cached + usage.completion_tokens * price.output) / 1e6
