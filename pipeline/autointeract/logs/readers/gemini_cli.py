"""Gemini CLI chats: `{"sessionId", "messages": [{"type": "user" | "gemini" | ...}]}`, one JSON document a session.

A user message is not all typed: files that `@path` names are appended, tool results and shell output come back as user
messages, a custom command is stored expanded (its `displayContent` is what was typed), and the recording may open with
the context that the CLI sets up.
"""

import re
from typing import Any

from autointeract.logs.event import Event, Found, RawSession, parse_time
from autointeract.logs.identity import home_user
from autointeract.logs.jsontext import as_dict, as_list, has_image, text_of
from autointeract.logs.rules import judge_user_text

NAME = "gemini_cli"
TYPES = frozenset(
    ["user", "gemini", "info", "warning", "error", "about", "help", "stats", "quit", "compression", "model"]
)
_FILES = re.compile(r"\n?-{3} Content from referenced files -{3}.*?(?:-{3} End of content -{3}|\Z)", re.S)
_SHELL = re.compile(
    r"I ran the following shell command:\s*```\w*\n(.*?)\n```\s*This produced the following result:", re.S
)
_SETUP = ("<session_context>", "This is the Gemini CLI. We are setting up the context for our chat")
_EDITOR = ("Here is the user's editor context", "Here is a summary of changes in the user's editor context")
_INTERFACE = re.compile(
    r"/(?:about|auth|bug|chat|compress|corgi|dir|directory|docs|extensions|hooks|ide|policies|privacy|profile|restore|"
    r"settings|setup-github|shells|terminal-setup|tools|trust|plan copy)\b"
)
_STOPPED = re.compile(r"cancelled by user before it could complete|User cancelled tool execution", re.I)
_CONTEXT_PLACE = re.compile(r"(?:directory|Directory|Directories)[^\n]{0,40}:\**\s*(?:- )?(\S+)")


def is_header(row: dict[str, Any]) -> bool:
    """Whether this is the metadata of a session (its messages may stand elsewhere)."""
    return "sessionId" in row and "projectHash" in row


def sniff_row(row: dict[str, Any]) -> bool:
    """`messages` whose items have a `type` that Gemini CLI writes, in a session with a project hash or session id."""
    messages = row.get("messages")
    if messages is None and is_header(row) and "startTime" in row:
        return True
    return (
        isinstance(messages, list)
        and ("projectHash" in row or "sessionId" in row)
        and all(isinstance(message, dict) and message.get("type") in TYPES for message in messages[:5])
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The session of one document; turns are numbered by their place in `messages`."""
    return read_messages(row, as_list(row.get("messages")))


def read_messages(header: dict[str, Any], messages: list[Any]) -> RawSession:
    """The session of a header and its messages."""
    session = RawSession(NAME, str(header.get("sessionId") or ""), agent="gemini-cli")
    session.started_at = parse_time(header.get("startTime"))
    for place in as_list(header.get("directories")):
        _home(session, place)
    for index, message in enumerate(messages, 1):
        if isinstance(message, dict):
            _message(session, message, index)
    if header.get("kind") == "subagent":
        for event in session.events:
            if event.role == "user" and event.kind is not None:
                event.kind, event.rule = "injected", "subagent"
    return session


def _message(session: RawSession, message: dict[str, Any], index: int) -> None:
    kind, at = message.get("type"), parse_time(message.get("timestamp"))
    record = str(message.get("id") or "")
    text = text_of(message.get("content"))
    add = session.events.append
    if kind == "user":
        for found in _judge(session, message, text):
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
    elif kind == "info" and text.startswith("Current workspace directories:"):
        for line in text.splitlines():
            _home(session, line)
        add(Event(index, "", None, text, "info_message", at, record))
    elif kind == "info" and text.strip() == "Request cancelled.":
        add(Event(index, "user", "interrupt", "", "request_cancelled", at, record))
    else:
        add(Event(index, "", None, text, f"{kind}_message", at, record))


def _judge(session: RawSession, message: dict[str, Any], text: str) -> list[Found]:
    content, shown = message.get("content"), text_of(message.get("displayContent"))
    blocks = [block for block in as_list(content) if isinstance(block, dict)]
    if blocks and all("functionResponse" in block for block in blocks):
        return [Found(None, "", "function_response")]
    start = text.lstrip()
    if start.startswith(_SETUP):
        place = _CONTEXT_PLACE.search(text)
        _home(session, place.group(1) if place else None)
        return [Found("injected", text, "session_context")]
    if start.startswith(_EDITOR):
        return [Found("injected", text, "editor_context")]
    if start.startswith("<state_snapshot>"):
        return [Found("compaction", text, "compaction")]
    shell = _SHELL.match(start)
    if shell:
        return [Found("command", "!" + shell.group(1).strip(), "user_shell")]
    flags = ("has_image",) if has_image(content) or any("inlineData" in block for block in blocks) else ()
    typed = shown or _FILES.sub("", text)
    if typed != text:
        flags = (*flags, "context_removed")
    if _INTERFACE.match(typed.strip()):
        return [Found("command", typed.strip(), "interface_command")]
    findings = judge_user_text(typed)
    if not findings and "has_image" in flags:
        return [Found("button", "", "image_only", flags)]
    return [found._replace(flags=(*found.flags, *flags)) for found in findings]


def _call(session: RawSession, call: dict[str, Any], index: int, at: Any, record: str) -> None:
    tool_id, status = str(call.get("id") or ""), call.get("status")
    tool = {"name": str(call.get("name") or ""), "arguments": call.get("args"), "id": tool_id}
    if not session.evidence:
        for value in as_dict(call.get("args")).values():
            if isinstance(value, str) and len(value) < 500 and value[:1] in "/\\ABCDEFGHIJ":
                _home(session, value)
    session.events.append(Event(index, "assistant", "tool_call", "", "tool_call", at, record, tool))
    output = "\n".join(_outputs(call.get("result"))) or text_of(call.get("resultDisplay"))
    failed = status in ("error", "cancelled")
    result = {"id": tool_id, "is_error": failed}
    session.events.append(Event(index, "tool", "tool_result", output, "tool_result", at, record, result))
    # A tool that was stopped while it ran: the "Request cancelled." beside it is the person's act.
    if status == "cancelled" and not _STOPPED.search(output):
        session.events.append(Event(index, "user", "rejection", "", "tool_cancelled", at, record))


def _home(session: RawSession, path: Any) -> None:
    user = home_user(path) if isinstance(path, str) else None
    if user and not session.evidence:
        session.evidence.append(("home", user))


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
