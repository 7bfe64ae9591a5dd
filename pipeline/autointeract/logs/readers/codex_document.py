"""Rollouts of the first Codex CLI (spring 2025): one JSON document, `{"session": {"id", ...}, "items": [...]}`.

Its items are those of the later lines: messages, function calls and their outputs.
"""

from typing import Any

from autointeract.errors import InputError
from autointeract.logs.jsontext import loads
from autointeract.logs.source import Source

_ITEMS = frozenset({"message", "reasoning", "function_call", "function_call_output", "local_shell_call"})


def is_document(document: Any) -> bool:
    """Whether a whole JSON value is such a rollout."""
    if not isinstance(document, dict) or not isinstance(document.get("session"), dict):
        return False
    items = document.get("items")
    return isinstance(items, list) and all(isinstance(item, dict) and item.get("type") in _ITEMS for item in items[:5])


def document_rows(source: Source) -> list[Any] | None:
    """The header and the items of such a rollout, as the lines of the later form; null where the file is of lines."""
    if b'"items"' not in source.head or _is_row(source.head.split(b"\n", 1)[0]):
        return None
    try:
        document = source.document()
    except (ValueError, InputError):
        return None
    if not is_document(document):
        return None
    session = document["session"]
    header = {"id": session.get("id"), "timestamp": session.get("timestamp"), "instructions": None}
    return [header, *document["items"]]


def _is_row(line: bytes) -> bool:
    try:
        row = loads(line)
    except ValueError:
        return False
    return isinstance(row, dict) and "items" not in row
