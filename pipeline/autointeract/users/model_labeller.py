"""The model labeller: asks the judge role for the label of one typed turn; its answer is checked against the schema.

A content fault (refused, unparsable after the repair turn) yields no label: the rules' label stands alone then and the
fault is counted. The simulated judge answers from the same visible text, by the rules with seeded slips.
"""

from typing import Any

from pydantic import BaseModel

from autointeract import prompts
from autointeract.models import Call, Models, Reply
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import canonical_json, rng
from autointeract.records.vocabulary import Intent, Reaction, Specificity
from autointeract.users import rules
from autointeract.users.turns import TypedTurn


class TurnLabelReply(BaseModel):
    """What the judge returns for one turn."""

    intent: Intent
    reaction: Reaction
    specificity: Specificity


PROMPT = prompts.load("label_turn", ("before", "turn", "first", "acted"), TurnLabelReply)


def variables_of(turn: TypedTurn, context_chars: int) -> dict[str, Any]:
    """What the judge is shown: the end of the assistant's text, the turn, and whether it opens the session."""
    return {
        "before": turn.before[-context_chars:], "turn": turn.text[:8000],
        "first": turn.number == 0 or not turn.reactive, "acted": turn.acted,
    }  # fmt: skip


async def label(models: Models, turn: TypedTurn, session_id: str, context_chars: int) -> Reply[TurnLabelReply]:
    """One label by the judge role.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    messages = PROMPT.render(variables_of(turn, context_chars))
    call = Call(item=session_id, turn=turn.index, purpose="label_turn")
    return (await models.complete("judge", messages, reply=TurnLabelReply, call=call))[0]


@for_prompt("label_turn")
def _simulated(request: SimulatedRequest) -> SimulatedReply:
    data = request.variables or {}
    turn = TypedTurn(
        index=0, number=0 if data["first"] else 1, text=data["turn"], kind="human", before=data["before"],
        acted=data["acted"], reactive=not data["first"],
    )  # fmt: skip
    found = rules.label(turn)
    # A judge is no oracle: one label in twenty slips to a neighbouring level.
    draw = rng("label_turn", request.seed)
    specificity = found.specificity
    if draw.random() < 0.05:
        specificity = max(0, min(3, specificity + draw.choice((-1, 1))))
    return SimulatedReply(
        text=canonical_json({"intent": found.intent, "reaction": found.reaction, "specificity": specificity})
    )
