"""VS Code chat sessions as newer versions keep them: JSON lines that are replayed into the document of `copilot_chat`.

Line kinds: 0 = the whole state, 1 = set the value at a path, 2 = cut a list at index `i` (where given) and append,
3 = remove the value at a path.
"""

from collections.abc import Iterator
from typing import Any

from autointeract.logs.event import RawSession
from autointeract.logs.readers import copilot_chat
from autointeract.logs.readers.head import Head
from autointeract.logs.source import Source

NAME = copilot_chat.NAME
_STATE, _SET, _PUSH, _REMOVE = range(4)
MAX_INDEX = 100_000
"""A path beyond this index of a list is damage."""


def sniff(head: Head) -> bool:
    """The first line is a whole state with `requests`."""
    first = head.rows[0] if head.rows else {}
    state = first.get("v")
    return first.get("kind") == _STATE and isinstance(state, dict) and isinstance(state.get("requests"), list)


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The session that the lines add up to."""
    state: dict[str, Any] = {}
    for _, row in source.rows():
        if row.get("kind") == _STATE and isinstance(row.get("v"), dict):
            state = row["v"]
        else:
            try:
                _change(state, row)
            except (KeyError, IndexError, TypeError, ValueError, AttributeError):
                source.problems["damaged_records"] += 1
    if isinstance(state.get("requests"), list):
        session = copilot_chat.read_row(state, 1)
        if session is not None:
            yield session


def _change(state: Any, row: dict[str, Any]) -> None:
    *way, last = row["k"]
    place = state
    for step in way:
        place = place[step]
    kind = row.get("kind")
    if kind == _PUSH:
        items = place.get(last) if isinstance(place, dict) else place[last]
        if not isinstance(items, list):
            items = place[last] = []
        if isinstance(row.get("i"), int):
            del items[row["i"] :]
        items.extend(row.get("v") or [])
    elif kind == _SET:
        if isinstance(place, list) and last == len(place) < MAX_INDEX:
            place.append(row.get("v"))
        else:
            place[last] = row.get("v")
    elif kind == _REMOVE:
        del place[last]
