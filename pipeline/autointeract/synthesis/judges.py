"""Judges: what only a reader can tell - validity, realism, coherence, consistency with the profile.

Each verdict comes with a reason. A reply that cannot be used is a fault of the evaluator, never a verdict.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import BaseModel, Field

from autointeract import prompts
from autointeract.models import Call, Reply
from autointeract.models.door import Models
from autointeract.records import Message, Profile, Record, SourceTask
from autointeract.synthesis.scoring import CAUSE, CauseVerdict, private_view


class ValidityVerdict(Record):
    """Whether the user's turns jointly determine the task.

    Attributes:
        determined: a careful reader can recover every requirement and the interface.
        missing: ids of facts that cannot be recovered.
        contradicted: ids of facts whose final version is wrong.
        leaks: something private is visible.
    """

    determined: bool
    missing: list[str] = []
    contradicted: list[str] = []
    leaks: bool = False
    reason: str = ""


class RealismVerdict(Record):
    """How much the user reads like a real developer, in [0, 1]."""

    score: float = Field(ge=0, le=1)
    reason: str = ""


class CoherenceVerdict(Record):
    """How well each user turn follows from the conversation before it, in [0, 1]."""

    score: float = Field(ge=0, le=1)
    reason: str = ""


class ConsistencyVerdict(Record):
    """How well the user fits the profile, in [0, 1]."""

    score: float = Field(ge=0, le=1)
    reason: str = ""


VALIDITY = prompts.load("judge_validity", ("task", "allowed_cases", "conversation"), ValidityVerdict)
REALISM = prompts.load("judge_realism", ("scenario", "conversation"), RealismVerdict)
COHERENCE = prompts.load("judge_coherence", ("scenario", "conversation"), CoherenceVerdict)
CONSISTENCY = prompts.load("judge_consistency", ("profile", "settings", "conversation"), ConsistencyVerdict)


async def validity(
    models: Models, task: SourceTask, allowed: Sequence[str], conversation: Sequence[Message], call: Call
) -> Reply[ValidityVerdict]:
    """Do the user's turns determine the task, and leak nothing?"""
    variables = {
        "task": private_view(task),
        "allowed_cases": list(allowed), "conversation": transcript(conversation),
    }  # fmt: skip
    return await _ask(models, VALIDITY, variables, ValidityVerdict, call)


async def realism(models: Models, scenario: str, conversation: Sequence[Message], call: Call) -> Reply[RealismVerdict]:
    """Does the user read like a real developer?"""
    return await _ask(
        models, REALISM, {"scenario": scenario, "conversation": transcript(conversation)}, RealismVerdict, call
    )


async def coherence(
    models: Models, scenario: str, conversation: Sequence[Message], call: Call
) -> Reply[CoherenceVerdict]:
    """Do the turns follow from each other?"""
    return await _ask(
        models, COHERENCE, {"scenario": scenario, "conversation": transcript(conversation)}, CoherenceVerdict, call
    )


async def consistency(
    models: Models, profile: Profile, settings: dict[str, Any], conversation: Sequence[Message], call: Call
) -> Reply[ConsistencyVerdict]:
    """Does the user fit the profile?"""
    variables = {"profile": profile.text, "settings": settings, "conversation": transcript(conversation)}
    return await _ask(models, CONSISTENCY, variables, ConsistencyVerdict, call)


async def cause(
    models: Models, task: SourceTask, conversation: Sequence[Message], answers: Sequence[dict[str, Any]], call: Call
) -> Reply[CauseVerdict]:
    """Why did the strong solver fail?"""
    shown = [{"text": answer["text"], "score": answer["verdict"]["score"]} for answer in answers]
    variables = {"task": private_view(task), "conversation": transcript(conversation), "answers": shown}
    return await _ask(models, CAUSE, variables, CauseVerdict, call)


async def _ask(
    models: Models, prompt: prompts.Prompt, variables: dict[str, Any], reply: type[BaseModel], call: Call
) -> Reply[Any]:
    return (await models.complete("judge", prompt.render(variables), reply=reply, call=call))[0]


def transcript(conversation: Sequence[Message]) -> list[dict[str, str]]:
    """The visible words, without tool traffic."""
    return [
        {"role": message.role, "content": message.content}
        for message in conversation
        if message.role in ("user", "assistant") and message.content.strip()
    ]
