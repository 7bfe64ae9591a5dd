"""Reads token counts as providers report them, and believes only what can be true.

OpenAI and vLLM: `prompt_tokens` includes cached ones (`prompt_tokens_details.cached_tokens`), `completion_tokens`
includes reasoning. DeepSeek: `prompt_cache_hit_tokens`. Anthropic: `input_tokens` excludes `cache_read_input_tokens`
and `cache_creation_input_tokens`. Gemini: `promptTokenCount`, `candidatesTokenCount` without `thoughtsTokenCount`.
"""

from collections.abc import Sequence
from typing import Any

from autointeract.models.transports.base import Sample
from autointeract.models.types import Usage

_MOST = 1 << 31


def read_usage(data: Any) -> Usage | None:
    """Usage of one request, or null where it is missing or cannot be true (negative, all zero, absurdly large)."""
    if not isinstance(data, dict):
        return None
    if "promptTokenCount" in data:
        thoughts = _count(data.get("thoughtsTokenCount")) or 0
        prompt, completion = _count(data["promptTokenCount"]), _count(data.get("candidatesTokenCount"))
        completion = None if completion is None else completion + thoughts
        return _usage(prompt, completion, thoughts, _count(data.get("cachedContentTokenCount")))
    if "input_tokens" in data and "prompt_tokens" not in data:
        prompt, completion = _count(data["input_tokens"]), _count(data.get("output_tokens"))
        details = data.get("input_tokens_details")
        if isinstance(details, dict):  # OpenAI's Responses API: cached tokens lie inside
            return _usage(prompt, completion, _inside(data, "output_tokens_details", "reasoning_tokens"),
                          _count(details.get("cached_tokens")))  # fmt: skip
        read = _count(data.get("cache_read_input_tokens")) or 0
        written = _count(data.get("cache_creation_input_tokens")) or 0
        return _usage(None if prompt is None else prompt + read + written, completion, 0, read)
    prompt, completion = _count(data.get("prompt_tokens")), _count(data.get("completion_tokens"))
    cached = _inside(data, "prompt_tokens_details", "cached_tokens")
    if not cached:
        cached = _count(data.get("prompt_cache_hit_tokens")) or _count(data.get("cache_read_input_tokens"))
    return _usage(prompt, completion, _inside(data, "completion_tokens_details", "reasoning_tokens"), cached)


def estimate(prompt_bytes: int, completion_chars: int) -> Usage:
    """Usage where an endpoint reports none: about four bytes a token."""
    return Usage(calls=1, prompt_tokens=max(1, prompt_bytes // 4), completion_tokens=max(1, completion_chars // 4))


def split(usage: Usage | None, samples: Sequence[Sample], size: int) -> list[Usage]:
    """A request's usage by sample: the prompt to the first, the completion by length."""
    if usage is None:
        usage = Usage()
    if len(samples) == 1:
        return [usage]
    lengths = [len(sample.text) + len(sample.thinking or "") + 1 for sample in samples]
    shares = [usage.completion_tokens * length // sum(lengths) for length in lengths]
    thoughts = [usage.reasoning_tokens * length // sum(lengths) for length in lengths]
    shares[0] += usage.completion_tokens - sum(shares)
    thoughts[0] += usage.reasoning_tokens - sum(thoughts)
    return [
        Usage(
            calls=1, prompt_tokens=0 if place else usage.prompt_tokens, completion_tokens=share,
            reasoning_tokens=thought, cached_tokens=0 if place else usage.cached_tokens,
        )
        for place, (share, thought) in enumerate(zip(shares, thoughts, strict=True))
    ]  # fmt: skip


def _usage(prompt: int | None, completion: int | None, reasoning: int | None, cached: int | None) -> Usage | None:
    if prompt is None or completion is None or prompt + completion == 0:
        return None
    return Usage(
        calls=1, prompt_tokens=prompt, completion_tokens=completion,
        reasoning_tokens=min(reasoning or 0, completion), cached_tokens=min(cached or 0, prompt),
    )  # fmt: skip


def _inside(data: dict[str, Any], outer: str, inner: str) -> int:
    details = data.get(outer)
    return (_count(details.get(inner)) or 0) if isinstance(details, dict) else 0


def _count(value: Any) -> int | None:
    if isinstance(value, str) and value.isdigit():
        value = int(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _MOST:
        return None
    return value
