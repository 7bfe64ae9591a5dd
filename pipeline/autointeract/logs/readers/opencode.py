"""OpenCode sessions: one JSON document, `{"info": {...}, "messages": [{"info": {"role"}, "parts": [...]}]}`."""

from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.identity import home_user
from autointeract.logs.jsontext import as_dict, as_list, text_of
from autointeract.logs.rules import judge_user_text

NAME = "opencode"


def sniff_row(row: dict[str, Any]) -> bool:
    """Messages with `info` and `parts`."""
    messages = row.get("messages")
    return (
        isinstance(messages, list)
        and bool(messages)
        and all(
            isinstance(m, dict) and isinstance(m.get("info"), dict) and isinstance(m.get("parts"), list)
            for m in messages[:3]
        )
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The session of one document; turns are numbered by message."""
    info = as_dict(row.get("info"))
    session = RawSession(NAME, str(info.get("id") or ""), agent="opencode")
    folder = info.get("directory")
    user = home_user(folder) if isinstance(folder, str) else None
    if user:
        session.evidence.append(("home", user))
    for index, message in enumerate(row["messages"], 1):
        if isinstance(message, dict):
            _message(session, message, index)
    return session


def _message(session: RawSession, message: dict[str, Any], index: int) -> None:
    info = as_dict(message.get("info"))
    time = info.get("time")
    at = parse_time(time.get("created")) if isinstance(time, dict) else None
    add = session.events.append
    for part in as_list(message.get("parts")):
        if not isinstance(part, dict):
            continue
        kind, record = part.get("type"), str(part.get("id") or "")
        if kind == "text" and info.get("role") == "user":
            if part.get("synthetic"):
                add(Event(index, "user", "injected", text_of(part), "synthetic_part", at, record))
                continue
            for found in judge_user_text(text_of(part)):
                add(Event(index, "user", found.kind, found.text, found.rule, at, record, flags=found.flags))
        elif kind == "text" and text_of(part).strip():
            add(Event(index, "assistant", "text", text_of(part), "assistant_text", at, record))
        elif kind == "reasoning" and text_of(part).strip():
            add(Event(index, "assistant", "thinking", text_of(part), "thinking", at, record))
        elif kind == "tool":
            _tool(session, part, index, at, record)
        else:
            add(Event(index, "", None, "", f"{kind}_part", at, record))


def _tool(session: RawSession, part: dict[str, Any], index: int, at: Any, record: str) -> None:
    state = as_dict(part.get("state"))
    tool_id = str(part.get("callID") or record)
    tool = {"name": str(part.get("tool") or ""), "arguments": state.get("input"), "id": tool_id}
    session.events.append(Event(index, "assistant", "tool_call", "", "tool_call", at, record, tool))
    output, failed = text_of(state.get("output") or state.get("error")), state.get("status") == "error"
    result = {"id": tool_id, "is_error": failed}
    session.events.append(Event(index, "tool", "tool_result", output, "tool_result", at, record, result))
    if failed and "rejected permission" in output:
        session.events.append(Event(index, "user", "rejection", "", "permission_rejected", at, record))
