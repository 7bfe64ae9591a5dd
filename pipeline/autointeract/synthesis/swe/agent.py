"""The agent's loop: the model calls tools, tools answer, until the model speaks to the user without a call."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import Message, canonical_json, clean_text
from autointeract.synthesis.settings import SweSettings
from autointeract.synthesis.swe.tools import TOOLS, use
from autointeract.synthesis.swe.workbench import Session
from autointeract.synthesis.thinking import visible
from autointeract.synthesis.usage import UsedTokens

TURN_STRIDE = 1000
"""Calls of one agent run are numbered from a multiple of this."""


@dataclass
class AgentRun:
    """What an agent did in one turn.

    Attributes:
        messages: what it added to the conversation; ends on its words to the user, unless there is a fault.
        text: those words.
        fault: why there are none: a content fault of the model, or "limit".
    """

    messages: list[Message] = field(default_factory=list)
    text: str = ""
    thinking: list[str] = field(default_factory=list)
    fault: str | None = None


async def work(
    models: Models, role: str, conversation: Sequence[Message], session: Session, call: Call, limits: SweSettings,
    used: UsedTokens,
) -> AgentRun:  # fmt: skip
    """One turn of an agent.

    Args:
        call: names the turn; the steps are numbered from its `turn`.

    Raises:
        ProviderError, BudgetError: from the door. SandboxError: the session broke.
    """
    run = AgentRun()
    spoken = 0
    for step in range(limits.steps):
        own = call.model_copy(update={"turn": call.turn + step})
        history = [*conversation, *run.messages]
        reply = used.count(role, (await models.complete(role, history, tools=TOOLS, call=own))[0])
        text, hidden = visible(reply.text)
        if thought := reply.thinking or hidden:
            run.thinking.append(thought)
        spoken += reply.usage.completion_tokens
        if not reply.tool_calls:
            if reply.fault or not text:
                run.fault = reply.fault or "empty"
            else:
                run.text = clean_text(text)
                run.messages.append(Message(role="assistant", content=run.text))
            return run
        calls = [{"id": f"call_{len(history)}_{n}", "type": "function", "function": _function(one)}
                 for n, one in enumerate(reply.tool_calls)]  # fmt: skip
        run.messages.append(Message(role="assistant", content=clean_text(text), tool_calls_json=canonical_json(calls)))
        for one in calls:
            shown = await use(one, session, limits)
            name = str(one["function"]["name"])
            run.messages.append(Message(role="tool", content=shown, tool_call_id=str(one["id"]), name=name))
        if spoken > limits.tokens:
            break
    run.fault = "limit"
    return run


def _function(call: dict) -> dict[str, str]:
    function = call.get("function") or {}
    arguments = function.get("arguments")
    text = arguments if isinstance(arguments, str) else canonical_json(arguments or {})
    return {"name": clean_text(str(function.get("name") or "")), "arguments": clean_text(text)}
