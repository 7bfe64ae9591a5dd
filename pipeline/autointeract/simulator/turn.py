"""One turn of the simulated user, asked of whatever model plays the role `simulator`."""

from typing import Any

from pydantic import Field, field_validator

from autointeract import prompts
from autointeract.models import Call, Reply
from autointeract.models.door import Models
from autointeract.records import Message, Record
from autointeract.records.vocabulary import Strategy


class UserTurnReply(Record):
    """What the simulator answers.

    Attributes:
        strategy: private; what the turn does.
        utterance: the visible message.
        facts: ids of the task facts that the message states.
    """

    strategy: Strategy
    utterance: str = Field(min_length=1)
    facts: list[str] = []

    @field_validator("strategy", mode="before")
    @classmethod
    def _spelled(cls, value: Any) -> Any:
        """Models write "Reveal-Piece" too; what it means is plain."""
        return value.strip().lower().replace("-", "_").replace(" ", "_") if isinstance(value, str) else value


PROMPT = prompts.load("user_turn", ("profile", "settings", "task", "guidance", "plan", "conversation"), UserTurnReply)


async def next_turn(
    models: Models, *, behavior: str, profile: str | None, settings: dict[str, Any] | None, history: list[Message],
    task: dict[str, Any] | None, guidance: dict[str, Any] | None, plan: dict[str, Any] | None, call: Call,
) -> Reply[UserTurnReply]:  # fmt: skip
    """The next user turn after `history`.

    Args:
        behavior: the behavior prompt; it goes before the instructions.
        profile: the profile's text, or null.
        settings: the profile's settings.
        history: the visible conversation, the user's own turns included; tool messages are left out.
        task: private context: `{"statement", "interface", "entry_point", "facts": [{"id", "text"}], "public_cases",
            "reference", "checks"}`.
        guidance: `{"text", "withhold", "reveal", "directness"}` from earlier rounds, or null.
        plan: `{"move", "last", "due", "later", "vary", "cases"}`, or null for a free turn.

    Returns:
        The reply; a blank utterance counts as empty. Unusable replies come back with their fault.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    variables = {
        "profile": profile, "settings": settings, "task": task, "guidance": guidance, "plan": plan,
        "conversation": [
            {"role": message.role, "content": message.content}
            for message in history
            if message.role in ("user", "assistant") and message.content.strip()
        ],
    }  # fmt: skip
    messages = PROMPT.render(variables, learned=behavior)
    reply = (await models.complete("simulator", messages, reply=UserTurnReply, call=call))[0]
    if reply.value is not None and not reply.value.utterance.strip():
        return reply.model_copy(update={"value": None, "fault": "empty", "fault_detail": "blank utterance"})
    return reply
