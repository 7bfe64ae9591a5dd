"""Outcome: one sample after judgement: its value or its content fault, and what it took. What the cache stores."""

import copy
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from pydantic import BaseModel

from autointeract.models.structured import ParseError, parse, sounds_refused
from autointeract.models.transports.base import Sample
from autointeract.models.types import ContentFault, Reply, Usage, build

M = TypeVar("M", bound=BaseModel)
_COUNTS = ("calls", "prompt_tokens", "completion_tokens", "reasoning_tokens", "cached_tokens")


@dataclass(slots=True)
class Outcome:
    """One judged sample.

    Attributes:
        value: instance of the reply model, or null.
        detail: what is wrong, for people (and for the repair turn).
        cached: whether it cost nothing now.
        times: latency_s, queue_s and retries, for the ledger.
    """

    text: str
    thinking: str | None
    tool_calls: list[dict[str, Any]]
    value: Any
    fault: ContentFault | None
    detail: str
    usage: Usage
    model: str
    cached: bool = False
    times: dict[str, Any] = field(default_factory=dict)

    def dump(self) -> dict[str, Any]:
        """JSON data for the cache (good outcomes only)."""
        usage = [getattr(self.usage, name) for name in _COUNTS]
        data: dict[str, Any] = {"text": self.text, "usage": usage, "model": self.model}
        if self.thinking:
            data["thinking"] = self.thinking
        if self.tool_calls:
            data["tool_calls"] = self.tool_calls
        return data

    @classmethod
    def load(cls, data: dict[str, Any], reply: type[BaseModel] | None) -> "Outcome":
        """The outcome that `dump` gave."""
        value = parse(data["text"], reply) if reply is not None else None
        usage = build(Usage, dict(zip(_COUNTS, data["usage"], strict=True)))
        return cls(data["text"], data.get("thinking"), data.get("tool_calls", []), value, None, "", usage,
                   data["model"], True)  # fmt: skip

    def shared(self) -> "Outcome":
        """For another caller: nothing in it is the first caller's object."""
        return replace(self, cached=True, value=copy.deepcopy(self.value), tool_calls=copy.deepcopy(self.tool_calls))

    def reply(self, _: type[M] | None) -> Reply[M]:
        """What the caller gets."""
        return build(Reply, {
            "text": self.text, "thinking": self.thinking, "value": self.value, "tool_calls": self.tool_calls,
            "fault": self.fault, "fault_detail": self.detail, "usage": self.usage, "model": self.model,
            "from_cache": self.cached,
        })  # fmt: skip


def judge_sample(sample: Sample, reply: type[M] | None) -> tuple[M | None, ContentFault | None, str]:
    """(value, fault, detail) of one sample; the first that applies of refused, truncated, empty, unparsable."""
    if sample.finish == "refused" or sample.refusal:
        return None, "refused", f"the endpoint refused: {(sample.refusal or 'content filter')[:200]}"
    cut = sample.finish == "length"
    if not sample.text and not sample.tool_calls:
        if cut and sample.note:
            return None, "truncated", sample.note
        if cut:
            where = "while still thinking" if sample.thinking else "before any text"
            return (
                None,
                "truncated",
                f"the answer reached its length limit {where}: raise max_tokens or thinking_tokens",
            )
        return None, "empty", "the answer holds thinking only" if sample.thinking else "the answer is empty"
    if reply is None:
        return (None, "truncated", "the answer reached its length limit") if cut else (None, None, "")
    try:
        return parse(sample.text, reply, mend=not cut), None, ""
    except ParseError as error:
        if cut:
            return None, "truncated", "the answer reached its length limit"
        if sounds_refused(sample.text):
            return None, "refused", "the answer reads like a refusal"
        return None, "unparsable", str(error)[:1000]
