"""OpenAI-style chat rows: `{"messages": [{"role", "content", ...}], "user": ...}`, one conversation a row.

The person is `user`, `user_id`, `metadata.user_id` or the like. Exporters in Anthropic's style put tool results into
role "user": the human-turn rules apply to every user text. Rows without a user message are agent runs.
"""

from typing import Any

from autointeract.logs.event import Event, Found, RawSession, parse_time
from autointeract.logs.jsontext import as_list, has_image, loads, text_of
from autointeract.logs.rules import judge_tool_result, judge_user_text

NAME = "openai_chat"
USER_FIELDS = ("user", "user_id", "userId", "username", "author_id", "end_user", "safety_identifier")
_ID_FIELDS = ("session_id", "conversation_id", "id", "chat_id", "thread_id", "uuid")
_ROLES = {"system", "developer", "user", "assistant", "tool", "function"}


def sniff_row(row: dict[str, Any]) -> bool:
    """A list `messages` (or `conversation`) of objects with a known `role`."""
    messages = row.get("messages")
    return (
        isinstance(messages, list)
        and bool(messages)
        and all(isinstance(message, dict) and message.get("role") in _ROLES for message in messages[:5])
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The conversation of one row; turns are numbered by their place in it, rows of a file by `number`."""
    messages = row.get("messages")
    if not isinstance(messages, list):
        return None
    together = any(isinstance(message, dict) and "tool_uses" in message for message in messages)
    session = RawSession(
        "swe_together" if together else NAME,
        license=_word(row.get("license")),
        agent=_word(row.get("model") or row.get("agent")),
    )
    session.native_id = next((str(row[name]) for name in _ID_FIELDS if isinstance(row.get(name), str | int)), "")
    session.repo = _word(row.get("repo") or row.get("project"))
    user = account_of(row)
    if user:
        session.evidence.append(("account", user))
        session.names.add(user)
    session.started_at = parse_time(row.get("created_at") or row.get("timestamp") or row.get("created"))
    for index, message in enumerate(messages, 1):
        if isinstance(message, dict):
            add_message(session, message, number if len(messages) == 1 else index)
    return session


def account_of(row: dict[str, Any]) -> str:
    """The account that a row names, or ""."""
    metadata = row.get("metadata")
    for place in (row, metadata if isinstance(metadata, dict) else {}):
        for name in USER_FIELDS:
            value = place.get(name)
            if isinstance(value, dict):
                value = value.get("id") or value.get("email") or value.get("name")
            if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
                return str(value)
    return ""


def add_message(session: RawSession, message: dict[str, Any], line: int) -> None:
    """Appends the events of one message in OpenAI's or Anthropic's shape."""
    role, content = message.get("role"), message.get("content")
    at = parse_time(message.get("timestamp") or message.get("created_at") or message.get("create_time"))
    record = str(message.get("id") or message.get("uuid") or "")
    add = session.events.append
    if role in ("tool", "function"):
        tool = {"id": str(message.get("tool_call_id") or message.get("name") or ""), "is_error": False}
        add(Event(line, "tool", "tool_result", text_of(content), "tool_message", at, record, tool))
    elif role == "user":
        _user(session, content, line, at, record)
    elif role == "assistant":
        thinking = message.get("reasoning_content") or message.get("reasoning")
        if isinstance(thinking, str) and thinking.strip():
            add(Event(line, "assistant", "thinking", thinking, "thinking", at, record))
        _assistant(session, content, line, at, record)
        for call in as_list(message.get("tool_calls") or message.get("tool_uses")):
            if isinstance(call, dict):
                add(Event(line, "assistant", "tool_call", "", "tool_call", at, record, _call(call)))
    elif role in ("system", "developer"):
        add(Event(line, "user", None, text_of(content), "system_message", at, record))


def _user(session: RawSession, content: Any, line: int, at: Any, record: str) -> None:
    findings: list[Found] = []
    for block in content if isinstance(content, list) else [content]:
        if isinstance(block, dict) and block.get("type") == "tool_result":
            text, is_error = text_of(block.get("content")), bool(block.get("is_error"))
            tool = {"id": str(block.get("tool_use_id") or ""), "is_error": is_error}
            session.events.append(Event(line, "tool", "tool_result", text, "tool_result", at, record, tool))
            findings += judge_tool_result(text, is_error)
        else:
            text = text_of(block)
            # Chats made from Codex rollouts have no other trace of the person's stop.
            stopped = text.lstrip().startswith("<turn_aborted>")
            findings += [Found("interrupt", "", "turn_aborted")] if stopped else judge_user_text(text)
    if not findings and has_image(content):
        findings = [Found("button", "", "image_only", ("has_image",))]
    typed = [found for found in findings if found.kind == "human"]
    if len(typed) > 1 and all(found.rule == "typed" for found in typed):
        joined = typed[0]._replace(text="\n".join(found.text for found in typed))
        findings = [found for found in findings if found not in typed] + [joined]
    for found in findings:
        session.events.append(Event(line, "user", found.kind, found.text, found.rule, at, record, flags=found.flags))


def _assistant(session: RawSession, content: Any, line: int, at: Any, record: str) -> None:
    add = session.events.append
    for block in content if isinstance(content, list) else [{"type": "text", "text": content}]:
        kind = block.get("type") if isinstance(block, dict) else "text"
        if kind == "tool_use":
            add(Event(line, "assistant", "tool_call", "", "tool_call", at, record, _call(block)))
        elif kind == "thinking":
            text = block.get("thinking")
            if isinstance(text, str) and text.strip():
                add(Event(line, "assistant", "thinking", text, "thinking", at, record))
        else:
            text = text_of(block)
            if text.strip():
                add(Event(line, "assistant", "text", text, "assistant_text", at, record))


def _call(call: dict[str, Any]) -> dict[str, Any]:
    function = call.get("function")
    inner = function if isinstance(function, dict) else call
    arguments = inner.get("arguments", inner.get("input"))
    if isinstance(arguments, str):
        try:
            arguments = loads(arguments.encode("utf-8", "replace"))
        except ValueError:
            pass
    return {"name": str(inner.get("name") or ""), "arguments": arguments, "id": str(call.get("id") or "")}


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
