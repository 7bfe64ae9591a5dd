"""The litellm transport: any provider that litellm knows. Quiet, its own retries, cache and price downloads off.

litellm is imported when the first request needs it (about two seconds). Its exceptions are classified by status and
text, because its classes mislead: 413 becomes a rate limit, a reset or a cut body becomes a server error.
"""

import asyncio
import json
import logging
import os
import time
import warnings
from typing import Any

from autointeract.models.reading import classify, read_answer
from autointeract.models.settings import PriceSettings
from autointeract.models.transports.base import Completion, TransportError, WireRequest

_NOISY = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpcore", "openai")
_loaded: Any = None


class LitellmTransport:
    """Sends through `litellm.acompletion`."""

    async def send(self, request: WireRequest) -> Completion:
        """See `Transport.send`."""
        litellm = _load() if _loaded is not None else await asyncio.to_thread(_load)
        arguments: dict[str, Any] = {**request.payload(), "max_retries": 0, "num_retries": 0, "drop_params": False}
        if request.base:
            arguments["api_base"] = request.base
        if request.key is not None:
            arguments["api_key"] = request.key
        problem = unknown_provider(request.model, request.base)
        if problem:
            raise TransportError("request", problem, 404)
        try:
            # litellm's own deadline covers neither a slow drip nor every provider.
            async with asyncio.timeout(request.timeout_s):
                reply = await litellm.acompletion(**arguments, timeout=request.timeout_s)
        except TimeoutError:
            raise TransportError("timeout", f"no answer within {request.timeout_s:g} s") from None
        except asyncio.CancelledError:
            raise
        except Exception as error:
            raise _fault(litellm, error) from None
        body = json.dumps(reply.model_dump(warnings=False), default=str).encode()
        return read_answer(200, {}, body, time.time())

    async def close(self) -> None:
        """Closes litellm's pooled clients."""
        if _loaded is not None:
            closing = getattr(_loaded, "close_litellm_async_clients", None)
            if closing is not None:
                try:
                    await closing()
                except Exception:  # a library's clean-up must not hide what the run has to say
                    logging.getLogger(__name__).debug("litellm's clients did not close", exc_info=True)


def make() -> LitellmTransport:
    """The transport (called by the door)."""
    return LitellmTransport()


def known_price(model: str) -> PriceSettings | None:
    """The price in litellm's local table (US dollars), or null."""
    litellm = _load()
    entry = litellm.model_cost.get(model) or litellm.model_cost.get(model.partition("/")[2])
    if not entry or entry.get("input_cost_per_token") is None or entry.get("output_cost_per_token") is None:
        return None
    cached = entry.get("cache_read_input_token_cost")
    return PriceSettings(
        input=entry["input_cost_per_token"] * 1e6, output=entry["output_cost_per_token"] * 1e6,
        cached=None if cached is None else cached * 1e6,
    )  # fmt: skip


def unknown_provider(model: str, base: str = "") -> str | None:
    """Why litellm cannot tell which provider serves `model`, or null where it can."""
    try:
        _load().get_llm_provider(model, api_base=base or None)
    except Exception:  # litellm raises a class of its own for each way not to know
        return (
            f"litellm knows no provider for {model!r}: write provider/model (openai/..., anthropic/...), "
            "give api_base for a server of your own, or use simulated/..."
        )
    return None


def missing_key(model: str) -> str | None:
    """The environment variable with the key that litellm will look for and not find; null where it needs none, or where
    there are other ways to log in than one key.
    """
    try:
        missing = _load().validate_environment(model)["missing_keys"]
    except Exception:  # what litellm does not know is no finding
        return None
    return missing[0] if len(missing) == 1 and missing[0].endswith("_API_KEY") else None


def takes_schema(model: str) -> bool:
    """Whether litellm's table says that the provider takes a JSON schema."""
    try:
        return bool(_load().supports_response_schema(model=model))
    except Exception:  # an unknown model is an answer here, not a fault
        return False


def _load() -> Any:
    global _loaded
    if _loaded is None:
        os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
        os.environ.setdefault("LITELLM_MODE", "PRODUCTION")  # else it loads .env files by itself
        import litellm

        # A call that litellm refuses before it is sent leaves a coroutine behind.
        warnings.filterwarnings("ignore", message=r"coroutine '\w+\.acompletion' was never awaited")
        litellm.suppress_debug_info = True
        litellm.turn_off_message_logging = True
        for name in _NOISY:
            logging.getLogger(name).setLevel(logging.ERROR)
        _loaded = litellm
    return _loaded


def _fault(litellm: Any, error: Exception) -> TransportError:
    status = getattr(error, "status_code", None)
    status = status if isinstance(status, int) else 500
    response = getattr(error, "response", None)
    headers = {str(k).lower(): str(v) for k, v in dict(getattr(response, "headers", None) or {}).items()}
    text = str(getattr(error, "message", "") or error)
    if isinstance(error, litellm.ContextWindowExceededError):
        return TransportError("context", text, status)
    if isinstance(error, litellm.ContentPolicyViolationError):
        return TransportError("refused", text, status)
    if "missing credentials" in text.lower():  # litellm calls it a fault of the server
        return TransportError("auth", text, status)
    if isinstance(error, litellm.Timeout):
        return TransportError("timeout", text, status)
    if isinstance(error, litellm.UnsupportedParamsError):
        feature = "schema" if "response_format" in text else "n" if "'n'" in text else None
        return TransportError("unsupported" if feature else "request", text, status, feature=feature)
    if isinstance(error, litellm.APIConnectionError) or status == 200:
        return TransportError("connection", text, status)
    body = getattr(error, "body", None)
    said = {"error": {**body, "message": text}} if isinstance(body, dict) else text
    return classify(status, headers, said, time.time())
