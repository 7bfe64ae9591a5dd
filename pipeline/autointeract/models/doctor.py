"""Says whether each role's model can be reached, without asking it anything that costs money."""

import asyncio
from typing import Any

from autointeract.errors import ConfigError
from autointeract.models.endpoint import Endpoint, resolve
from autointeract.models.settings import ModelsSettings
from autointeract.records import Finding
from autointeract.records.vocabulary import MODEL_ROLES

PATIENCE_S = 10.0


def preflight(settings: ModelsSettings) -> None:
    """Checks every role that names a model, without the network: is the key there, does litellm know the provider?

    Raises:
        ConfigError: the first role that cannot work, with the remedy. A role without a model is no error here: it is
            one when a stage needs it.
    """
    for role in MODEL_ROLES:
        endpoint = _named(settings, role)
        if endpoint is not None:
            _check(endpoint)


async def doctor(settings: ModelsSettings) -> list[Finding]:
    """One finding a role, in the order of `MODEL_ROLES`; servers given by URL are asked for their list of models."""
    if not any(_has_name(settings, role) for role in MODEL_ROLES):
        detail = "none is set: set models.default.model (docs/how-to/my-endpoint.md); simulated/default to try things"
        return [Finding(name="models", ok=False, required=True, detail=detail)]
    return list(await asyncio.gather(*(_look(settings, role) for role in MODEL_ROLES)))


async def _look(settings: ModelsSettings, role: str) -> Finding:
    name = f"model {role}"
    try:
        endpoint = resolve(settings, role)
    except ConfigError as error:
        return Finding(name=name, ok=False, required=True, detail=str(error))
    try:
        _check(endpoint)
        if endpoint.transport == "litellm" and endpoint.settings.api_key_env is None and not endpoint.bases[0]:
            from autointeract.models.transports.by_litellm import missing_key

            if variable := missing_key(endpoint.model):
                detail = f"{endpoint.model}: {variable} is not set: export it, or set models.{role}.api_key_env"
                return Finding(name=name, ok=False, required=True, detail=detail)
        if endpoint.transport != "direct":
            return Finding(name=name, ok=True, required=True, detail=f"{endpoint.transport}: {endpoint.model}")
        seen = [await _models_at(base, endpoint) for base in endpoint.bases]
    except ConfigError as error:
        return Finding(name=name, ok=False, required=True, detail=str(error))
    except TimeoutError:
        detail = f"{endpoint.name}: no answer within {PATIENCE_S:g} s; is the server up, and is it http or https?"
        return Finding(name=name, ok=False, required=True, detail=detail)
    except Exception as error:
        said = " ".join(f"{type(error).__name__}: {error}".split())
        detail = f"{endpoint.name}: {said}; is the server up, and does the URL end in /v1?"
        return Finding(name=name, ok=False, required=True, detail=detail)
    missing = [
        base for base, models in zip(endpoint.bases, seen, strict=True) if models and endpoint.model not in models
    ]
    if missing:
        known = ", ".join(sorted(seen[0])[:5])
        detail = f"{missing[0]} does not serve {endpoint.model}; it serves {known}"
        return Finding(name=name, ok=False, required=True, detail=detail)
    return Finding(name=name, ok=True, required=True, detail=f"{endpoint.name}: {endpoint.model}")


async def _models_at(base: str, endpoint: Endpoint) -> set[str]:
    import aiohttp

    key = endpoint.key()
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    async with (
        aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=PATIENCE_S)) as client,
        client.get(f"{base}/models", headers=headers) as response,
    ):
        if response.status in (401, 403):
            raise ConfigError(f"{base} refuses the key: name its variable in models.{endpoint.role}.api_key_env")
        if response.status >= 400:
            await _is_there(client, base, headers)
            return set()  # some servers have no such list; that says nothing about the model
        data: Any = await response.json(content_type=None)
    entries = data.get("data", []) if isinstance(data, dict) else []
    return {str(entry["id"]) for entry in entries if isinstance(entry, dict) and "id" in entry}


async def _is_there(client: Any, base: str, headers: dict[str, str]) -> None:
    """Asks for a completion of nothing, which costs nothing: a model server refuses the request, others the path.

    Raises:
        ConfigError: there is no such path.
    """
    async with client.post(f"{base}/chat/completions", json={}, headers=headers, allow_redirects=False) as response:
        if response.status in (404, 405) or 300 <= response.status < 400:
            raise ConfigError(
                f"{base}/chat/completions is no model server's (HTTP {response.status}): does the URL end in /v1?"
            )


def _has_name(settings: ModelsSettings, role: str) -> bool:
    sections = (getattr(settings, role), settings.default, settings.target if role in ("assistant", "weak") else None)
    return any(section and section.model for section in sections)


def _named(settings: ModelsSettings, role: str) -> Endpoint | None:
    return resolve(settings, role) if _has_name(settings, role) else None


def _check(endpoint: Endpoint) -> None:
    endpoint.key()
    if endpoint.transport == "litellm":
        from autointeract.models.transports.by_litellm import unknown_provider

        problem = unknown_provider(endpoint.model, endpoint.bases[0])
        if problem:
            raise ConfigError(f"models.{endpoint.role}.model: {problem}")
