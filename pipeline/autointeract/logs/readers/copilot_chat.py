"""VS Code Copilot chat exports: `{"requests": [{"message": {"text"}, "response": [...], ...}]}`.

Only `message.text` was typed; `result.metadata.renderedUserMessage` adds context and is never read. Buttons of the chat
(`@agent Continue: "Continue to iterate?"`) are stored as messages.
"""

import re
from collections.abc import Iterator
from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.identity import home_user
from autointeract.logs.jsontext import as_dict, as_list, text_of
from autointeract.logs.rules import judge_user_text

NAME = "copilot_chat"
BUTTON = re.compile(r'@\w+(?: /\w+)?(?: [^\n"]*)?: "[^"\n]+"')


def sniff_row(row: dict[str, Any]) -> bool:
    """`requests` of objects whose `message` holds text, with `response` lists."""
    requests = row.get("requests")
    if requests == [] and ("responderUsername" in row or ("initialLocation" in row and "creationDate" in row)):
        return True
    return isinstance(requests, list) and any(
        isinstance(request, dict) and isinstance(request.get("message"), dict | str) and "response" in request
        for request in requests[:5]
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The chat of one export; turns are numbered by request."""
    session = RawSession(NAME, str(row.get("sessionId") or ""), agent=str(row.get("responderUsername") or "copilot"))
    user = row.get("requesterUsername")
    if isinstance(user, str) and user.strip():
        session.evidence.append(("account", user))
        session.names.add(user)
    session.started_at = parse_time(row.get("creationDate"))
    for index, request in enumerate(row["requests"], 1):
        if isinstance(request, dict):
            _request(session, request, index)
    user = next(filter(None, map(home_user, _paths(row))), None)
    if user:
        session.evidence.append(("home", user))
    return session


def _paths(row: dict[str, Any]) -> Iterator[str]:
    """Paths of the person's machine: the working folder, attached and edited files."""
    if isinstance(row.get("workingDirectory"), str):
        yield row["workingDirectory"]
    for request in row["requests"]:
        if not isinstance(request, dict):
            continue
        attached = as_list(as_dict(request.get("variableData")).get("variables"))
        for item in (*attached, *as_list(request.get("response"))):
            if isinstance(item, dict):
                for place in (item.get("uri"), item.get("inlineReference"), item.get("value")):
                    place = as_dict(place)
                    place = as_dict(place.get("uri")) or place
                    for name in ("fsPath", "path"):
                        if isinstance(place.get(name), str):
                            yield place[name]


def _request(session: RawSession, request: dict[str, Any], index: int) -> None:
    at, record = parse_time(request.get("timestamp")), str(request.get("requestId") or "")
    text = text_of(request.get("message")).strip()
    confirmed = any(
        request.get(name) for name in ("confirmation", "acceptedConfirmationData", "rejectedConfirmationData")
    )
    if request.get("isSystemInitiated") is True:
        session.events.append(Event(index, "user", "injected", text, "system_initiated", at, record))
    elif confirmed or BUTTON.fullmatch(text):
        session.events.append(Event(index, "user", "button", text, "chat_button", at, record))
    else:
        for found in judge_user_text(text):
            session.events.append(
                Event(index, "user", found.kind, found.text, found.rule, at, record, flags=found.flags)
            )
    pieces: list[str] = []
    for item in as_list(request.get("response")):
        _response(session, item, index, at, record, pieces)
    _flush(session, pieces, index, at, record)
    if _cancelled(request):
        session.events.append(Event(index, "user", "interrupt", "", "cancelled", at, record))


def _response(session: RawSession, item: Any, index: int, at: Any, record: str, pieces: list[str]) -> None:
    if isinstance(item, str):
        pieces.append(item)
        return
    if not isinstance(item, dict):
        return
    kind, value = item.get("kind"), item.get("value")
    if kind in (None, "markdownContent", "markdownVuln"):
        content = item.get("content") if kind else value
        pieces.append(_markdown(value if value is not None else content))
    elif kind == "inlineReference":
        pieces.append(str(item.get("name") or ""))
    elif kind == "thinking":
        if text_of(value).strip():
            session.events.append(Event(index, "assistant", "thinking", text_of(value), "thinking", at, record))
    elif kind == "toolInvocationSerialized":
        _flush(session, pieces, index, at, record)
        message = item.get("pastTenseMessage") or item.get("invocationMessage")
        arguments = {"message": _markdown(message)}
        tool = {"name": str(item.get("toolId") or ""), "arguments": arguments, "id": str(item.get("toolCallId") or "")}
        session.events.append(Event(index, "assistant", "tool_call", "", "tool_call", at, record, tool))
    elif kind == "textEditGroup":
        _flush(session, pieces, index, at, record)
        uri = item.get("uri")
        arguments = {"path": str(uri.get("path") or "") if isinstance(uri, dict) else ""}
        tool = {"name": "edit", "arguments": arguments, "id": ""}
        session.events.append(Event(index, "assistant", "tool_call", "", "tool_call", at, record, tool))


def _flush(session: RawSession, pieces: list[str], index: int, at: Any, record: str) -> None:
    text = "".join(pieces)
    pieces.clear()
    if text.strip():
        session.events.append(Event(index, "assistant", "text", text, "assistant_text", at, record))


def _markdown(value: Any) -> str:
    return text_of(value.get("value")) if isinstance(value, dict) else value if isinstance(value, str) else ""


def _cancelled(request: dict[str, Any]) -> bool:
    result, state = request.get("result"), request.get("modelState")
    details = result.get("errorDetails") if isinstance(result, dict) else None
    return (
        request.get("isCanceled") is True
        or (isinstance(details, dict) and details.get("code") == "canceled")
        or (isinstance(state, dict) and state.get("value") == 2)
    )
