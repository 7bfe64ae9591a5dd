"""Lets simulated users speak where real ones did: one next turn an instance, or a whole session from its real opening.

An arm is a behavior prompt, with or without profiles. A whole session keeps the real first message; agent and simulated
user then take turns until the user closes it or `max_turns` user messages are said. Only simulated ones are measured.
"""

from typing import Any

from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import Message, Record
from autointeract.simulator import next_turn
from autointeract.users.corpus import Item, item, of_messages
from autointeract.users.instances import Instance


class Arm(Record):
    """One simulator to compare."""

    name: str
    behavior: str
    with_profile: bool


class Spoken(Record):
    """One simulated turn.

    Attributes:
        said: "" when the simulator gave no usable turn; `fault` says why.
        closes: whether it chose to end the conversation.
    """

    said: str
    closes: bool = False
    fault: str | None = None


async def speak(models: Models, arm: Arm, instance: Instance) -> Spoken:
    """The arm's next turn at one instance.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    reply = await next_turn(
        models, behavior=arm.behavior, profile=instance.profile if arm.with_profile else None,
        settings=instance.settings if arm.with_profile else None, history=instance.prefix, task=None, guidance=None,
        plan=None, call=Call(item=instance.instance_id, purpose="realism_turn"),
    )  # fmt: skip
    if reply.value is None:
        return Spoken(said="", fault=reply.fault)
    return Spoken(said=reply.value.utterance, closes=reply.value.strategy == "close")


async def converse(
    models: Models, arm: Arm, session_id: str, opening: str, profile: tuple[str, dict[str, Any]] | None, max_turns: int
) -> dict[str, Any]:
    """A whole session: `{"messages", "closed", "fault"}`.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    text, settings = profile if profile and arm.with_profile else (None, None)
    messages = [Message(role="user", content=opening)]
    closed, fault = False, None
    for turn in range(1, max_turns):
        call = Call(item=f"session:{session_id}", turn=turn, purpose="realism_agent")
        answer = (await models.complete("assistant", messages, call=call))[0]
        if answer.fault is not None or not answer.text.strip():
            fault = f"assistant:{answer.fault or 'empty'}"
            break
        messages.append(Message(role="assistant", content=answer.text))
        call = Call(item=f"session:{session_id}", turn=turn, purpose="realism_session")
        reply = await next_turn(
            models, behavior=arm.behavior, profile=text, settings=settings, history=messages, task=None, guidance=None,
            plan=None, call=call,
        )  # fmt: skip
        if reply.value is None:
            fault = f"simulator:{reply.fault}"
            break
        messages.append(Message(role="user", content=reply.value.utterance))
        if reply.value.strategy == "close":
            closed = True
            break
    return {"messages": [{"role": m.role, "content": m.content} for m in messages], "closed": closed, "fault": fault}


def real_item(instance: Instance) -> Item:
    """What the person typed."""
    return _item(instance, instance.real, instance.last)


def spoken_item(instance: Instance, spoken: Spoken) -> Item | None:
    """What the simulator said there; null when it said nothing."""
    return _item(instance, spoken.said, spoken.closes) if spoken.said.strip() else None


def session_items(group: str, session_id: str, found: dict[str, Any]) -> list[Item]:
    """The simulated turns of a whole session."""
    return of_messages(group, session_id, found["messages"], first=1)


def _item(instance: Instance, text: str, last: bool) -> Item:
    said = [m.content for m in instance.prefix if m.role == "user"]
    before = instance.prefix[-1].content if instance.prefix and instance.prefix[-1].role == "assistant" else ""
    return item(
        instance.user_id or instance.session_id, instance.session_id, instance.number, text, last=last, before=before,
        opening=said[0] if said else "", earlier=said,
    )  # fmt: skip
