"""SpecStory's JSON twin (schema 1.0): `{"sessionId", "exchanges": [{"messages": [{"role": "user" | "agent"}]}]}`."""

from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.identity import home_user
from autointeract.logs.jsontext import as_dict, as_list, text_of
from autointeract.logs.readers.specstory_user import UserSide

NAME = "specstory_json"


def sniff_row(row: dict[str, Any]) -> bool:
    """`exchanges` with `messages`."""
    exchanges = row.get("exchanges")
    return (
        isinstance(exchanges, list)
        and ("schemaVersion" in row or "provider" in row)
        and all(isinstance(exchange, dict) and isinstance(exchange.get("messages"), list) for exchange in exchanges[:3])
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The session of one document; turns are numbered by message."""
    provider = row.get("provider")
    agent = provider.get("name") or provider.get("id") if isinstance(provider, dict) else provider
    session = RawSession(NAME, str(row.get("sessionId") or ""), agent=str(agent) if agent else None)
    session.started_at = parse_time(row.get("createdAt"))
    root = row.get("workspaceRoot")
    if isinstance(root, str) and root:
        user = home_user(root)
        if user:
            session.evidence.append(("home", user))
        session.repo = root.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or None
    index = 0
    told = UserSide()
    for exchange in row["exchanges"]:
        for message in as_list(exchange.get("messages")) if isinstance(exchange, dict) else []:
            index += 1
            if isinstance(message, dict):
                at = parse_time(message.get("timestamp") or exchange.get("startTime"))
                _message(session, told, message, index, at)
    return session


def _message(session: RawSession, told: UserSide, message: dict[str, Any], index: int, at: Any) -> None:
    record = str(message.get("id") or "")
    content = message.get("content")
    if as_dict(message.get("metadata")).get("isSidechain") is True or message.get("isSidechain") is True:
        session.events.append(Event(index, "", None, text_of(content), "sidechain", at, record))
        return
    if message.get("role") == "user":
        for found in told.hear(text_of(content).strip(), at):
            session.events.append(
                Event(index, "user", found.kind, found.text, found.rule, at, record, flags=found.flags)
            )
        return
    for block in content if isinstance(content, list) else [content]:
        kind = block.get("type") if isinstance(block, dict) else "text"
        text = text_of(block)
        if text.strip():
            stored = "thinking" if kind == "thinking" else "text"
            rule = "thinking" if kind == "thinking" else "assistant_text"
            session.events.append(Event(index, "assistant", stored, text, rule, at, record))
    told.answered(None)
    tool = message.get("tool")
    if isinstance(tool, dict):
        tool_id = str(tool.get("useId") or "")
        call = {"name": str(tool.get("name") or ""), "arguments": tool.get("input"), "id": tool_id}
        session.events.append(Event(index, "assistant", "tool_call", "", "tool_call", at, record, call))
        told.answered(session.events[-1])
        if tool.get("output") is not None:
            output = tool["output"]
            text = (
                text_of(output)
                if not isinstance(output, dict)
                else text_of(output.get("content") or output.get("output"))
            )
            result = {"id": tool_id, "is_error": False}
            session.events.append(Event(index, "tool", "tool_result", text, "tool_result", at, record, result))
