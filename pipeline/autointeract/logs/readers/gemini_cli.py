"""Gemini CLI chats: one JSON document a session, `{"sessionId", "messages": [{"type": "user" | "gemini" | ...}]}`."""

from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.jsontext import as_list, text_of
from autointeract.logs.rules import judge_user_text

NAME = "gemini_cli"
_TYPES = {"user", "gemini", "info", "warning", "error", "about", "help", "stats", "quit", "compression", "model"}


def sniff_row(row: dict[str, Any]) -> bool:
    """`messages` whose items have a `type` that Gemini CLI writes, in a session with a project hash or session id."""
    messages = row.get("messages")
    return (
        isinstance(messages, list)
        and ("projectHash" in row or "sessionId" in row)
        and all(isinstance(message, dict) and message.get("type") in _TYPES for message in messages[:5])
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The session of one document; turns are numbered by their place in `messages`."""
    session = RawSession(NAME, str(row.get("sessionId") or ""), agent="gemini-cli")
    session.started_at = parse_time(row.get("startTime"))
    for index, message in enumerate(row["messages"], 1):
        if isinstance(message, dict):
            _message(session, message, index)
    return session


def _message(session: RawSession, message: dict[str, Any], index: int) -> None:
    kind, at = message.get("type"), parse_time(message.get("timestamp"))
    record = str(message.get("id") or "")
    text = text_of(message.get("content"))
    add = session.events.append
    if kind == "user":
        for found in judge_user_text(text):
            add(Event(index, "user", found.kind, found.text, found.rule, at, record, flags=found.flags))
    elif kind in ("gemini", "model"):
        for thought in as_list(message.get("thoughts")):
            if isinstance(thought, dict):
                words = f"{thought.get('subject') or ''}: {thought.get('description') or ''}".strip(": ")
                add(Event(index, "assistant", "thinking", words, "thinking", at, record))
        if text.strip():
            add(Event(index, "assistant", "text", text, "assistant_text", at, record))
        for call in as_list(message.get("toolCalls")):
            if isinstance(call, dict):
                _call(session, call, index, at, record)
    else:
        add(Event(index, "", None, text, f"{kind}_message", at, record))


def _call(session: RawSession, call: dict[str, Any], index: int, at: Any, record: str) -> None:
    tool_id, status = str(call.get("id") or ""), call.get("status")
    tool = {"name": str(call.get("name") or ""), "arguments": call.get("args"), "id": tool_id}
    session.events.append(Event(index, "assistant", "tool_call", "", "tool_call", at, record, tool))
    output = "\n".join(_outputs(call.get("result"))) or text_of(call.get("resultDisplay"))
    failed = status in ("error", "cancelled")
    result = {"id": tool_id, "is_error": failed}
    session.events.append(Event(index, "tool", "tool_result", output, "tool_result", at, record, result))
    if status == "cancelled":
        session.events.append(Event(index, "user", "rejection", "", "tool_cancelled", at, record))


def _outputs(result: Any) -> list[str]:
    outputs = []
    for item in result if isinstance(result, list) else [result]:
        response = item.get("functionResponse", item) if isinstance(item, dict) else item
        response = response.get("response", response) if isinstance(response, dict) else response
        if isinstance(response, dict):
            response = response.get("output") or response.get("error") or response.get("text") or ""
        if isinstance(response, str) and response:
            outputs.append(response)
    return outputs
