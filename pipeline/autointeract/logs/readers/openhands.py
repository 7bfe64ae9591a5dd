"""OpenHands events: lines, an array, or the `trajectory` of a feedback row. Only `message` actions of the user are a
person's; `recall` is not, and the task texts of benchmark harnesses are not.
"""

from collections.abc import Iterable
from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.jsontext import as_dict, text_of
from autointeract.logs.rules import judge_user_text
from autointeract.logs.rules.task_text import is_harness, unwrapped
from autointeract.records.digest import digest

NAME = "openhands"
MIN_ID = 16
"""A shorter id of an event is a number within its conversation."""
_SOURCES = {"agent", "user", "environment"}
_NEW = ("Event", "UserRejectObservation", "Condensation")
"""How the kinds of the newer generation end."""
_NO_REASON = frozenset({"", "user rejected the action", "user rejected action"})


def is_event(row: Any) -> bool:
    """Whether a row is an OpenHands event (either generation)."""
    return (
        isinstance(row, dict)
        and row.get("source") in _SOURCES
        and ("action" in row or "observation" in row or str(row.get("kind", "")).endswith(_NEW))
    )


def sniff_row(row: dict[str, Any]) -> bool:
    """A feedback row, or any object with a list of such events."""
    events = _events(row)
    return bool(events) and any(is_event(event) for event in events[:5])


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The session of one feedback row."""
    session = read_events(_events(row))
    session.native_id = str(row.get("session_id") or row.get("id") or row.get("sid") or "")
    if row.get("permissions") == "private":
        session.license = "private feedback: not to be redistributed"
    return session


def read_events(events: Iterable[Any]) -> RawSession:
    """The session of a sequence of events; turns are numbered by their place."""
    session = RawSession(NAME, agent="openhands")
    for index, event in enumerate(events, 1):
        if isinstance(event, dict):
            if index == 1:
                session.native_id = _begins(event)
            _event(session, event, index)
    return session


def _begins(event: dict[str, Any]) -> str:
    """A name of the conversation that does not change while it grows: its first event's id or time, else ""."""
    name, moment = event.get("id"), event.get("timestamp")
    if isinstance(name, str) and len(name) >= MIN_ID:
        return name
    return digest(["openhands", moment, event.get("message")], 32) if isinstance(moment, str) and moment else ""


def _events(row: dict[str, Any]) -> list[Any]:
    for name in ("trajectory", "events", "history"):
        if isinstance(row.get(name), list):
            return row[name]
    return []


def _event(session: RawSession, event: dict[str, Any], index: int) -> None:
    source, at = event.get("source"), parse_time(event.get("timestamp"))
    action, observation = event.get("action"), event.get("observation")
    args = as_dict(event.get("args"))
    kind = str(event.get("kind") or "")
    add = session.events.append
    if kind.endswith(_NEW):
        _new_event(session, event, kind, index, at)
    elif source == "user" and action == "message":
        _said(session, text_of(args.get("content") or event.get("message")), index, at)
    elif observation == "user_rejected":
        add(Event(index, "user", "rejection", "", "user_rejected", at))
    elif observation == "condensation" or action == "condensation":
        add(Event(index, "user", "compaction", text_of(args.get("summary")), "condensation", at))
    elif source == "agent" and action in ("message", "finish"):
        text = text_of(args.get("content") or args.get("final_thought") or args.get("thought") or event.get("message"))
        if text.strip():
            add(Event(index, "assistant", "text", text, "assistant_text", at))
    elif action == "think":
        add(Event(index, "assistant", "thinking", text_of(args.get("thought")), "thinking", at))
    elif (
        source == "agent"
        and isinstance(action, str)
        and action not in ("system", "recall", "change_agent_state", "null")
    ):
        tool = {"name": action, "arguments": args, "id": str(event.get("id", ""))}
        add(Event(index, "assistant", "tool_call", "", "tool_call", at, tool=tool))
    elif isinstance(observation, str) and observation not in ("agent_state_changed", "recall", "null"):
        tool = {"id": str(event.get("cause", "")), "is_error": observation == "error" or event.get("success") is False}
        add(Event(index, "tool", "tool_result", text_of(event.get("content")), "tool_result", at, tool=tool))
    else:
        add(Event(index, "", None, "", f"{source}_{action or observation}", at))


def _new_event(session: RawSession, event: dict[str, Any], kind: str, index: int, at: Any) -> None:
    message = event.get("llm_message")
    text = text_of(message.get("content")) if isinstance(message, dict) else ""
    add = session.events.append
    if kind == "MessageEvent" and event.get("source") == "user":
        _said(session, text, index, at)
    elif kind == "MessageEvent":
        add(Event(index, "assistant", "text", text, "assistant_text", at))
    elif kind == "ActionEvent":
        tool = {
            "name": str(event.get("tool_name") or ""),
            "arguments": event.get("action"),
            "id": str(event.get("tool_call_id") or ""),
        }
        add(Event(index, "assistant", "tool_call", "", "tool_call", at, tool=tool))
    elif kind == "ObservationEvent":
        observation = event.get("observation")
        output = (
            text_of(observation.get("content") or observation.get("output")) if isinstance(observation, dict) else ""
        )
        tool = {"id": str(event.get("tool_call_id") or ""), "is_error": False}
        add(Event(index, "tool", "tool_result", output, "tool_result", at, tool=tool))
    elif kind == "UserRejectObservation":
        reason = text_of(event.get("rejection_reason")).strip()
        if event.get("rejection_source") == "hook":
            add(Event(index, "user", "injected", reason, "hook_message", at))
        else:
            words = "" if reason.lower().rstrip(".") in _NO_REASON else reason
            add(Event(index, "user", "rejection", words, "user_rejected", at))
    elif kind in ("PauseEvent", "InterruptEvent"):
        add(Event(index, "user", "interrupt", "", "paused", at))
    elif kind == "Condensation":
        add(Event(index, "user", "compaction", text_of(event.get("summary")), "condensation", at))
    else:
        add(Event(index, "", None, "", kind, at))


def _said(session: RawSession, text: str, index: int, at: Any) -> None:
    text = unwrapped(text)
    if is_harness(text):
        session.events.append(Event(index, "user", "injected", text, "harness_task", at))
        return
    for found in judge_user_text(text, commands=False):
        session.events.append(Event(index, "user", found.kind, found.text, found.rule, at, flags=found.flags))
