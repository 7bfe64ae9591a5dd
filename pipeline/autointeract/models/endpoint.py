"""Endpoint: a role's settings, resolved. Which model answers, through which transport, and what identifies it."""

import os
from typing import Any

from autointeract.errors import ConfigError
from autointeract.models.settings import ModelsSettings, RoleSettings
from autointeract.records.vocabulary import MODEL_ROLES

_OF_ONE_MODEL = ("price", "context_tokens", "served_as", "server_schema", "native_n")
_LAYERS = {"assistant": ("default", "target", "assistant"), "weak": ("default", "target", "weak")}


class Endpoint:
    """One role's model and where it is asked.

    Attributes:
        role: the role.
        settings: all layers merged.
        transport: `simulated`, `scripted`, `direct` or `litellm`.
        model: the name the transport takes (without the `simulated/` or `scripted/` prefix).
        bases: URLs of the replicas, without a final slash; one empty text where the transport finds its endpoint.
        name: identifies the endpoint in digests, cache keys and messages.
    """

    def __init__(self, role: str, settings: RoleSettings):
        if not settings.model:
            raise ConfigError(
                f"no model is set for role {role!r}: set models.{role}.model (or models.default.model) to a litellm "
                f"name, to a served name together with api_base, or to simulated/{role}"
            )
        self.role, self.settings = role, settings
        self.transport, self.model = _transport(settings)
        urls = [settings.api_base] if isinstance(settings.api_base, str) else settings.api_base or []
        if self.transport in ("simulated", "scripted"):
            urls = []
        if self.transport == "direct" and not urls:
            raise ConfigError(f"models.{role}: transport 'direct' needs api_base, the server's URL up to /v1")
        self.bases = tuple(url.rstrip("/") for url in urls) or ("",)
        self.simulated = self.transport == "simulated"
        self._sampling: dict[str, Any] | None = None
        self.name = settings.served_as or ",".join(sorted(self.bases)) or f"{self.transport}:{self.model}"

    def key(self) -> str | None:
        """The API key, read from the environment now.

        Raises:
            ConfigError: the variable is named but not set.
        """
        variable = self.settings.api_key_env
        if variable is None:
            return None
        value = os.environ.get(variable, "").strip()
        if not value:
            raise ConfigError(
                f"models.{self.role}.api_key_env names {variable}, which is not set: export it or choose another"
            )
        return value

    def sampling(self) -> dict[str, Any]:
        """The parameters that decide what comes out (JSON data, without those left to the endpoint)."""
        if self._sampling is not None:
            return self._sampling
        chosen = self.settings
        data: dict[str, Any] = {"max_tokens": chosen.max_tokens + chosen.thinking_tokens}
        for name in ("temperature", "top_p", "reasoning_effort"):
            if getattr(chosen, name) is not None:
                data[name] = getattr(chosen, name)
        if chosen.stop:
            data["stop"] = list(chosen.stop)
        self._sampling = {**data, **chosen.extra_body}
        return self._sampling

    def identity(self) -> dict[str, Any]:
        """What decides results: model, endpoint, sampling."""
        return {
            "model": f"{self.transport}/{self.model}" if self.transport in ("simulated", "scripted") else self.model,
            "endpoint": self.name,
            "sampling": self.sampling(),
            "seeded": self.settings.send_seed,
        }


def resolve(settings: ModelsSettings, role: str) -> Endpoint:
    """The endpoint of `role`.

    Raises:
        ConfigError: the role is unknown, or names no model.
    """
    if role not in MODEL_ROLES:
        raise ConfigError(f"unknown model role {role!r}: roles are {', '.join(MODEL_ROLES)}")
    merged: dict[str, Any] = {}
    for layer in _LAYERS.get(role, ("default", role)):
        section: RoleSettings = getattr(settings, layer)
        chosen = {name: getattr(section, name) for name in section.model_fields_set}
        if "model" in chosen and chosen["model"] != merged.get("model"):
            for name in _OF_ONE_MODEL:
                merged.pop(name, None)
        if chosen.get("transport") == "litellm" and "api_base" not in chosen:
            merged.pop("api_base", None)
        merged.update(chosen)
    return Endpoint(role, RoleSettings(**merged))


def _transport(settings: RoleSettings) -> tuple[str, str]:
    model = settings.model or ""
    head, _, rest = model.partition("/")
    if head in ("simulated", "scripted"):
        if settings.transport not in ("auto", head):
            raise ConfigError(f"model {model!r} is never reached through transport {settings.transport!r}")
        return head, rest
    if settings.transport in ("simulated", "scripted"):
        return settings.transport, model
    if settings.transport == "auto":
        return ("direct" if settings.api_base else "litellm"), model
    return settings.transport, model
