"""The profile writer: a model says a fingerprint in words; what it may not say is checked and sent back to it.

`draft` makes one request of the role `writer`. The simulated writer says the levels with the phrase bank, seeded.
"""

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from autointeract import prompts
from autointeract.models import Call, Reply
from autointeract.models.door import Models
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import Record, canonical_json, rng
from autointeract.records.vocabulary import AXES
from autointeract.users import phrases
from autointeract.users.axes import LEVELS, axis_specs


class ProfileText(Record):
    """What the writer returns."""

    text: str = Field(min_length=1)


WRITE = prompts.load(
    "write_profile", ("levels", "settings", "meanings", "excerpts", "previous", "objections"), ProfileText
)


def meanings(levels: dict[str, str]) -> dict[str, str]:
    """What each known level means in words, as profiles/axes.toml has it."""
    return {axis: getattr(axis_specs()[axis], levels[axis]) for axis in AXES if levels[axis] in LEVELS}


async def draft(
    models: Models, user: str, levels: dict[str, str], settings: dict[str, Any], excerpts: Sequence[str],
    previous: str | None, objections: Sequence[str], attempt: int,
) -> Reply[ProfileText]:  # fmt: skip
    """One draft of a user's profile.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    messages = WRITE.render(
        {
            "levels": levels, "settings": settings, "meanings": meanings(levels), "excerpts": list(excerpts),
            "previous": previous, "objections": list(objections),
        }
    )  # fmt: skip
    call = Call(item=user, round=attempt, purpose="write_profile")
    return (await models.complete("writer", messages, reply=ProfileText, call=call))[0]


@for_prompt("write_profile")
def _simulated(request: SimulatedRequest) -> SimulatedReply:
    data = request.variables or {}
    text = phrases.card(data["levels"], data["settings"], rng("write_profile", request.seed))
    return SimulatedReply(text=canonical_json({"text": text}))
