"""The simulated provider behind the door: builds what the role sees, asks its responder, counts words as tokens.

Deterministic and in process: it needs neither cache nor limiter, neither retries nor a repair turn; the ledger counts
it like any other.
"""

from collections.abc import Sequence
from typing import Any

from autointeract import prompts
from autointeract.models.simulated import registry
from autointeract.models.transports.base import Sample
from autointeract.models.types import Usage, build
from autointeract.records import Message, clean_json, clean_text

BOOK_ROLES: frozenset[str] = frozenset({"assistant", "weak", "strong"})
"""Roles that know the answer book."""


def simulate(
    role: str, model: str, messages: Sequence[Message], tools: list[dict[str, Any]] | None, seed: int, book: str | None,
) -> tuple[Sample, Usage]:  # fmt: skip
    """One reply of the stand-in.

    Raises:
        ConfigError: nobody plays this role or prompt.
    """
    last = next((message for message in reversed(messages) if message.role == "user"), None)
    reply = registry.respond(
        registry.SimulatedRequest.model_construct(
            role=role, model=model, messages=list(messages), tools=tools, seed=seed,
            variables=prompts.parse_variables(last.content) if last is not None else None,
            system=messages[0].content if messages and messages[0].role == "system" else "",
            book=book if role in BOOK_ROLES else None,
        )
    )  # fmt: skip
    sample = Sample(
        clean_text(reply.text), clean_text(reply.thinking) if reply.thinking else None,
        clean_json(reply.tool_calls) if reply.tool_calls else [],  # type: ignore[arg-type]
    )  # fmt: skip
    length = sum(len(message.content) for message in messages)
    said = len(sample.text) + len(sample.thinking or "")
    usage = build(Usage, {
        "calls": 1, "prompt_tokens": max(1, length // 4), "completion_tokens": max(1, said // 4),
        "reasoning_tokens": len(sample.thinking or "") // 4, "cached_tokens": 0,
    })  # fmt: skip
    return sample, usage
