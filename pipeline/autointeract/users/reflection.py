"""Reflective rewriting of a behavior prompt: the writer role reads scored examples and returns a new text."""

import re
from collections.abc import Sequence
from typing import Any

from pydantic import Field

from autointeract import prompts
from autointeract.models import Call, Reply
from autointeract.models.door import Models
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import Record, canonical_json
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


_RULES = (
    (
        re.compile(r"Too long"),
        "When the person would type a line, type a line: shorten the message before you send it.",
    ),
    (re.compile(r"Too short"), "When the person would explain, write the extra sentence or two that they would write."),
    (re.compile(r"has courtesy, the real one has not"), "Leave out please and thanks unless the description has them."),
    (re.compile(r"has a question, the simulated"), "Ask when something is unclear rather than stating it."),
    (re.compile(r"turn is (?:correct|reject|report_failure)"), "When the work is off, say so at once and bluntly."),
    (re.compile(r"turn is change_requirement"), "Now and then want something else than before, and say what."),
    (re.compile(r"Say less detail"), "Leave details out that the person would not bother to give."),
    (re.compile(r"Say more detail"), "Give the place or the value when the person would."),
)


@for_prompt("reflect_prompt")
def _simulated(request: SimulatedRequest) -> SimulatedReply:
    """Adds the rule that most of the feedback asks for and the text does not hold yet."""
    data = request.variables or {}
    feedback = [item["feedback"] for item in data["examples"]]
    counts = [(sum(bool(cue.search(text)) for text in feedback), rule) for cue, rule in _RULES]
    missing = [(n, rule) for n, rule in counts if n and rule not in data["current"]]
    text = data["current"].rstrip()
    if missing:
        text += f"\n- {max(missing, key=lambda pair: pair[0])[1]}\n"
    return SimulatedReply(text=canonical_json({"text": text}))
