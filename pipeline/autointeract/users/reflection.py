"""Reflective rewriting of a behavior prompt: the writer role reads scored examples and returns a new text."""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from autointeract import prompts
from autointeract.models import Call, Reply
from autointeract.models.door import Models
from autointeract.records import Record
from autointeract.users.instances import Instance, shorten
from autointeract.users.rollout import Rollout


class ReflectedPrompt(Record):
    """What the writer returns."""

    text: str = Field(min_length=1)


PROMPT = prompts.load("reflect_prompt", ("current", "examples", "objections", "max_words"), ReflectedPrompt)
TAIL = 2
"""Messages of the conversation that an example shows."""


def example(instance: Instance, roll: Rollout, words: int = 80) -> dict[str, Any]:
    """One scored example as the writer reads it."""
    return {
        "conversation_end": [
            {"role": item.role, "content": shorten(item.content, words)} for item in instance.prefix[-TAIL:]
        ],
        "profile": instance.profile, "person_typed": shorten(instance.real, words),
        "simulator_typed": shorten(roll.said, words), "score": roll.score, "aspects": roll.aspects,
        "feedback": roll.feedback,
    }  # fmt: skip


async def reflect(
    models: Models,
    current: str,
    examples: Sequence[dict[str, Any]],
    objections: Sequence[str],
    max_words: int,
    call: Call,
) -> Reply[ReflectedPrompt]:
    """One rewrite.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    messages = PROMPT.render(
        {"current": current, "examples": list(examples), "objections": list(objections), "max_words": max_words}
    )
    return (await models.complete("writer", messages, reply=ReflectedPrompt, call=call))[0]
