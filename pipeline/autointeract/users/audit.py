"""Does a profile say what was measured, and nothing else? A blind re-reading, and a check of its claims.

Blind: the judge sees the text alone and says the five levels; their agreement with the fingerprint's is the fidelity.
Then the claims: unsupported, project-specific or stereotyping statements are listed against the numbers.
"""

import re
from typing import Any, Literal

from pydantic import Field

from autointeract import prompts
from autointeract.models import Call, Usage
from autointeract.models.door import Models
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import Record, canonical_json
from autointeract.records.vocabulary import AXES
from autointeract.users import phrases
from autointeract.users.axes import LEVELS, axis_specs

LevelWord = Literal["low", "mid", "high", "unknown"]


class ProfileReading(Record):
    """The levels that a text says, read blind."""

    expertise: LevelWord
    vagueness: LevelWord
    pushback: LevelWord
    requirement_change: LevelWord
    verbosity: LevelWord


class ProfileCheck(Record):
    """What a text claims beyond the measurements."""

    unsupported: list[str] = Field(default=[], max_length=20)
    specific: list[str] = Field(default=[], max_length=20)
    stereotype: list[str] = Field(default=[], max_length=20)


class Audit(Record):
    """The outcome of one audit.

    Attributes:
        fidelity: mean agreement over the five axes in [0, 1]; null when the judge gave no usable answer.
        read: the levels read blind.
        objections: sentences for the writer; [] when nothing is wrong.
        flags: counts of unsupported, specific and stereotyping statements.
        usage: tokens of the replies used.
        faults: judge answers that could not be used.
    """

    fidelity: float | None
    read: dict[str, str]
    objections: list[str]
    flags: dict[str, int]
    usage: Usage
    faults: int = 0


READ = prompts.load("audit_profile", ("text", "axes"), ProfileReading)
CHECK = prompts.load("check_profile", ("text", "settings", "levels"), ProfileCheck)


def agreement(measured: dict[str, str], read: dict[str, str]) -> float:
    """Mean over the axes: 1 for equal levels, 0.5 for neighbours, 0 for opposites; a level said of an unknown axis, or
    a known one left unsaid, counts 0.
    """
    return sum(_agree(measured[axis], read[axis]) for axis in AXES) / len(AXES)


async def audit(
    models: Models, item: str, text: str, levels: dict[str, str], settings: dict[str, Any], attempt: int
) -> Audit:
    """Reads the text blind, then checks its claims.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    axes = {
        axis: {"low": spec.low, "mid": spec.mid, "high": spec.high, "counts": spec.counts}
        for axis, spec in axis_specs().items()
    }
    call = Call(item=item, round=attempt, purpose="audit_profile")
    reading = (
        await models.complete("judge", READ.render({"text": text, "axes": axes}), reply=ProfileReading, call=call)
    )[0]
    call = Call(item=item, round=attempt, purpose="check_profile")
    messages = CHECK.render({"text": text, "settings": settings, "levels": levels})
    check = (await models.complete("judge", messages, reply=ProfileCheck, call=call))[0]
    objections: list[str] = []
    fidelity, read = None, {}
    if reading.value is not None:
        read = reading.value.model_dump()
        fidelity = round(agreement(levels, read), 4)
        objections += [_mismatch(axis, levels[axis], read[axis]) for axis in AXES if levels[axis] != read[axis]]
    flags = {"unsupported": 0, "specific": 0, "stereotype": 0}
    if check.value is not None:
        for kind, quotes in check.value.model_dump().items():
            flags[kind] = len(quotes)
            objections += [f"{kind} statement: {quote[:80]}" for quote in quotes]
    return Audit(
        fidelity=fidelity, read=read, objections=objections, flags=flags, usage=reading.usage + check.usage,
        faults=int(reading.value is None) + int(check.value is None),
    )  # fmt: skip


def _agree(measured: str, read: str) -> float:
    if measured == read:
        return 1.0
    if measured not in LEVELS or read not in LEVELS:
        return 0.0
    return 1.0 - abs(LEVELS.index(measured) - LEVELS.index(read)) / 2  # type: ignore[arg-type]


def _mismatch(axis: str, measured: str, read: str) -> str:
    if measured == "unknown":
        return f"{axis} was not measured well enough: say nothing about it"
    said = "nothing about it" if read == "unknown" else f"that it is {read}"
    return f"{axis} is {measured} ({getattr(axis_specs()[axis], measured)}), the text says {said}"


@for_prompt("audit_profile")
def _simulated_reading(request: SimulatedRequest) -> SimulatedReply:
    return SimulatedReply(text=canonical_json(phrases.read_levels((request.variables or {})["text"])))


_STEREOTYPE = re.compile(
    r"\b(?:he|she|his|her|male|female|young|old|elderly|native|foreign|senior|junior|manager|student)\b", re.I
)


@for_prompt("check_profile")
def _simulated_check(request: SimulatedRequest) -> SimulatedReply:
    data = request.variables or {}
    read = phrases.read_levels(data["text"])
    found = {
        "unsupported": [axis for axis in AXES if read[axis] != "unknown" and data["levels"][axis] == "unknown"],
        "specific": re.findall(r"\b\w+\.(?:py|js|go|rs|ts|md)\b|\b\w+_\w+\b", data["text"])[:5],
        "stereotype": [match for match in _STEREOTYPE.findall(data["text"])][:5],
    }
    return SimulatedReply(text=canonical_json(found))
