"""A JSON-lines log that somebody gathered into one JSON array (`jq -s .`): its items are its lines."""

from typing import Any

from autointeract.errors import InputError
from autointeract.logs.source import Source


def gathered(source: Source) -> list[Any] | None:
    """The items of a file that is one array; null where it is not."""
    if source.head.lstrip()[:1] != b"[":
        return None
    try:
        document = source.document()
    except (ValueError, InputError):
        return None
    return document if isinstance(document, list) else None
