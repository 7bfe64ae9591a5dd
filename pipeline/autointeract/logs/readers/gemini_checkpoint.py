"""Gemini CLI checkpoints (`/chat save`, `/restore`): the model's own history, `[{"role": "user" | "model", "parts"}]`.

The list stands alone, or as `history` or `clientHistory` of a document. Calls and their results are parts of messages.
It names neither session nor time.
"""

from collections.abc import Iterator
from typing import Any

from autointeract.logs.event import RawSession
from autointeract.logs.jsontext import as_dict, as_list, text_of
from autointeract.logs.readers import gemini_cli
from autointeract.logs.readers.head import Head
from autointeract.logs.source import Source

NAME = gemini_cli.NAME
_ROLES = ("user", "model")


def sniff(head: Head) -> bool:
    """A list of contents with roles and parts."""
    history = _history(head.document)
    return bool(history) and all(
        isinstance(item, dict) and item.get("role") in _ROLES and isinstance(item.get("parts"), list)
        for item in history[:5]
    )


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The conversation of one checkpoint; turns are numbered by their place in it."""
    results: dict[str, Any] = {}
    history = _history(source.document())
    for item in history:
        for part in as_list(as_dict(item).get("parts")):
            response = as_dict(as_dict(part).get("functionResponse"))
            results.setdefault(f"{response.get('id')} {response.get('name')}", part)
    yield gemini_cli.read_messages({}, [_message(as_dict(item), results) for item in history])


def _history(document: Any) -> list[Any]:
    if isinstance(document, list):
        return document
    document = as_dict(document)
    return as_list(document.get("clientHistory")) or (
        as_list(document.get("history")) if "messages" not in document else []
    )


def _message(item: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    """A content of the model's history as a message of a recorded session."""
    parts = [part for part in as_list(item.get("parts")) if isinstance(part, dict)]
    if item.get("role") == "user":
        return {"type": "user", "content": parts}
    calls = []
    for part in parts:
        call = as_dict(part.get("functionCall"))
        if call:
            result = results.get(f"{call.get('id')} {call.get('name')}")
            calls.append({"id": call.get("id"), "name": call.get("name"), "args": call.get("args"), "result": [result]})
    words = [part for part in parts if not part.get("thought")]
    thoughts = [{"description": text_of(part)} for part in parts if part.get("thought") is True]
    return {"type": "gemini", "content": words, "toolCalls": calls, "thoughts": thoughts}
