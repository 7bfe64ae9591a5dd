"""Reads one HTTP answer of an OpenAI-compatible endpoint and believes nothing before it is checked.

In: status, headers, body bytes. Out: a `Completion`, or a classified `TransportError`. Text is cleaned here, once.
"""

import json
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

from autointeract.models.thinking import split_thinking
from autointeract.models.transports.base import Completion, FaultKind, Sample, TransportError
from autointeract.models.usage import read_usage
from autointeract.records import clean_text

_OVERLOAD = frozenset({408, 425, 502, 503, 504, 529})
_QUOTA = ("insufficient_quota", "exceeded your current quota", "credit balance", "billing")
_FILTER = ("content_filter", "content_policy", "content management policy", "responsibleaipolicy")
_CONTEXT = ("context_length", "context length", "context size", "maximum context", "context window", "too many tokens",
            "prompt is too long", "exceed_context_size")  # fmt: skip
_SCHEMA = ("response_format", "json_schema", "guided", "grammar")


def read_answer(status: int, headers: Mapping[str, str], body: bytes, now: float) -> Completion:
    """The completion in one HTTP answer.

    Args:
        headers: case-insensitive, or with lower-case names.
        now: epoch seconds, for a Retry-After that is a date.

    Raises:
        TransportError: everything else.
    """
    try:
        data = _load(body)
    except ValueError:
        data = None
    if status != 200:
        raise classify(status, headers, data if data is not None else body[:2000].decode("utf-8", "replace"), now)
    if not isinstance(data, dict):
        raise TransportError("malformed", f"HTTP 200 without a JSON object: {_excerpt(body)}", status)
    if data.get("error") and not data.get("choices"):
        code = data["error"].get("code") if isinstance(data["error"], dict) else None
        inner = int(str(code)) if str(code).isdigit() and 400 <= int(str(code)) < 600 else 500
        raise classify(inner, headers, data, now)
    choices = data.get("choices")
    if not isinstance(choices, list) or not choices:
        usage = read_usage(data.get("usage"))
        raise TransportError("malformed", f"HTTP 200 without choices: {_excerpt(body)}", status, usage=usage)
    usage = read_usage(data.get("usage"))
    model = data.get("model")
    return Completion([_sample(choice, body) for choice in _in_order(choices)], usage,
                      clean_text(model) if isinstance(model, str) else "")  # fmt: skip


def classify(status: int, headers: Mapping[str, str], error: Any, now: float) -> TransportError:
    """What an HTTP status and an error body say, whatever class a client library would make of them."""
    detail = f"HTTP {status}: {_message(error)}"
    low = (json.dumps(error) if not isinstance(error, str) else error).lower()
    feature: str | None = None
    kind: FaultKind = "request"
    if status == 429:
        kind = "quota" if any(word in low for word in _QUOTA) else "rate_limit"
    elif status in _OVERLOAD:
        kind = "overload"
    elif status >= 500:
        kind = "server"
    elif status in (401, 403):
        kind = "refused" if any(word in low for word in ("moderation", "flagged")) else "auth"
    elif status == 402:
        kind = "quota"
    elif any(word in low for word in _FILTER):
        kind = "refused"
    elif status in (400, 413, 422) and any(word in low for word in _CONTEXT):
        kind = "context"
    elif status == 400 and "max_completion_tokens" in low:
        kind, feature = "unsupported", "max_tokens"
    elif status in (400, 422) and any(word in low for word in _SCHEMA):
        kind, feature = "unsupported", "schema"
    return TransportError(kind, detail, status, retry_after(headers, now), feature)


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait: `retry-after-ms`, `retry-after` in seconds or as a date; null where absent or not to be read."""
    try:
        if "retry-after-ms" in headers:
            return max(0.0, float(headers["retry-after-ms"]) / 1000)
        value = headers.get("retry-after")
        if value is None:
            return None
        try:
            seconds = float(value)
        except ValueError:
            # By the server's own clock where it tells it: ours may be hours off.
            server = headers.get("date")
            begun = parsedate_to_datetime(server).timestamp() if server else now
            seconds = parsedate_to_datetime(value).timestamp() - begun
        return min(max(0.0, seconds), 86400.0) if seconds == seconds else None
    except (ValueError, TypeError, OverflowError):
        return None


def _load(body: bytes) -> Any:
    try:
        return json.loads(body)
    except UnicodeDecodeError:
        return json.loads(body.decode("utf-8", "replace"))


def _in_order(choices: list[Any]) -> list[Any]:
    """By their index where every choice has its own; else as they came, repeats of one index dropped."""
    indices = [choice.get("index") if isinstance(choice, dict) else None for choice in choices]
    if not all(isinstance(index, int) for index in indices):
        return choices
    first: dict[int, Any] = {}
    for index, choice in zip(indices, choices, strict=True):
        first.setdefault(index, choice)  # type: ignore[arg-type]
    return [first[index] for index in sorted(first)]


def _sample(choice: Any, body: bytes) -> Sample:
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(message, dict):
        raise TransportError("malformed", f"HTTP 200 with a choice that holds no message: {_excerpt(body)}", 200)
    text, inner = split_thinking(clean_text(_text(message.get("content"))))
    thinking = inner
    for name in ("reasoning_content", "reasoning"):
        if isinstance(message.get(name), str) and message[name]:
            thinking = clean_text(message[name])
    refusal = message.get("refusal")
    finish = choice.get("finish_reason")
    kind = {"length": "length", "max_tokens": "length", "content_filter": "refused"}.get(str(finish), "stop")
    return Sample(
        text if text.strip() else "", thinking or None, _tool_calls(message.get("tool_calls")), kind,
        clean_text(refusal) if isinstance(refusal, str) and refusal else None,
    )  # fmt: skip


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict) and _is_text(part))
    return ""


def _is_text(part: dict[str, Any]) -> bool:
    return part.get("type") in ("text", "output_text", None) and isinstance(part.get("text"), str)


def _tool_calls(calls: Any) -> list[dict[str, Any]]:
    """Tool calls in OpenAI's shape; one that cannot be read is kept under a name that says so, to be answered."""
    read: list[dict[str, Any]] = []
    for place, call in enumerate(calls if isinstance(calls, list) else []):
        function = call.get("function") if isinstance(call, dict) else None
        if not isinstance(function, dict) or not isinstance(function.get("name"), str):
            name, arguments = "unreadable_tool_call", json.dumps(call)
        else:
            name, arguments = function["name"], function.get("arguments")
            arguments = arguments if isinstance(arguments, str) else json.dumps(arguments if arguments else {})
        identity = call.get("id") if isinstance(call, dict) else None
        read.append({
            "id": clean_text(identity) if isinstance(identity, str) and identity else f"call_{place}",
            "type": "function",
            "function": {"name": clean_text(name), "arguments": clean_text(arguments)},
        })  # fmt: skip
    return read


def _message(error: Any) -> str:
    inner = error.get("error", error) if isinstance(error, dict) else error
    if isinstance(inner, dict):
        inner = inner.get("message") or json.dumps(inner)
    return " ".join(clean_text(str(inner)).split())[:500]


def _excerpt(body: bytes) -> str:
    return repr(" ".join(clean_text(body[:200].decode("utf-8", "replace")).split()))
