"""How a request ends that did not bring a completion: as a content fault, or as an error that says what to do.

The provider's own text appears once, without keys.
"""

from autointeract.errors import BudgetError, ConfigError, ProviderError
from autointeract.models.endpoint import Endpoint
from autointeract.models.redact import redact
from autointeract.models.transports.base import Completion, Sample, TransportError
from autointeract.models.types import Usage


def where(endpoint: Endpoint, base: str) -> str:
    """Role, model and place, for messages."""
    return f"{endpoint.role}: model {endpoint.model} at {base or endpoint.transport}"


def final(endpoint: Endpoint, base: str, fault: TransportError, key: str | None) -> Exception:
    """The error for a fault that sending again cannot cure."""
    text = f"{where(endpoint, base)}: {redact(fault.detail, key)}"
    variable = endpoint.settings.api_key_env
    if fault.kind == "auth":
        return ConfigError(f"{text}; check the key in ${variable}" if variable
                           else f"{text}; name the key's variable in models.{endpoint.role}.api_key_env")  # fmt: skip
    if fault.kind == "quota":
        return BudgetError(f"{text}; the account has no credit left: top it up and run again to go on")
    if fault.status in (404, 405):
        return ConfigError(f"{text}; check models.{endpoint.role}.model and api_base (up to /v1)")
    if fault.status is None:  # never sent: the certificate, the URL
        return ConfigError(f"{text}; check models.{endpoint.role}.api_base")
    if 300 <= fault.status < 400:
        return ConfigError(f"{text}; the address redirects: set models.{endpoint.role}.api_base to where it leads")
    return ProviderError(f"{text}; the request was refused as it is, so it was not sent again")


def gave_up(
    endpoint: Endpoint, base: str, fault: TransportError, key: str | None, tries: int, seconds: float
) -> ProviderError:
    """The error after the last retry."""
    advice = "is the server up"
    if fault.kind == "malformed" and endpoint.bases != ("",):
        advice = f"does models.{endpoint.role}.api_base end in /v1, and is it a model server"
    return ProviderError(
        f"{where(endpoint, base)} failed {tries} times in {seconds:.0f} s; last: {redact(fault.detail, key)}; {advice}"
        "? Run again to go on."
    )


def content_fault(fault: TransportError, key: str | None, n: int) -> Completion:
    """A refusal (400 of a content filter) or a prompt that does not fit the context window, as samples."""
    detail = redact(fault.detail, key)
    if fault.kind == "refused":
        samples = [Sample(finish="refused", refusal=detail) for _ in range(n)]
    else:
        note = f"prompt and answer do not fit into the context window: {detail}"
        samples = [Sample(finish="length", note=note) for _ in range(n)]
    return Completion(samples, Usage(calls=1), "")
