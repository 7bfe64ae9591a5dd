"""Opens a log wherever it lies and gives its sessions: the one way from a place to raw sessions."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from autointeract.logs.event import RawSession
from autointeract.logs.places import GitBlob, Place, Remote
from autointeract.logs.readers import Head, choose, choose_rows, read_rows, read_source
from autointeract.logs.readers.head import FIRST_ROWS
from autointeract.logs.source import Source
from autointeract.logs.tables import PARQUET_MAGIC, parquet_rows, remote_rows

SNIFFED_ROWS = 20
_TORN = {
    "truncated_archive": "truncated archive: it breaks off before anything that could be read as a log",
    "damaged_archive": "damaged archive: it cannot be unpacked as far as anything that could be read as a log",
}


@dataclass
class Opened:
    """A log that was looked at.

    Attributes:
        name: its format, or "".
        reason: why it is refused, or "".
        sessions: its raw sessions, read as they are drawn.
        source: where problems are counted.
    """

    name: str
    reason: str
    sessions: Iterable[RawSession]
    source: Source


def open_log(place: Place, label: str, max_line_bytes: int, trace: bool = False) -> Opened:
    """Looks at a log and chooses its reader.

    Raises:
        InputError: it cannot be read at all.
    """
    source = Source(place, label, max_line_bytes)
    if isinstance(place, Remote):
        return _table(remote_rows(place), source)
    if source.head.startswith(PARQUET_MAGIC):
        if not isinstance(place, Path):
            return Opened("", "a Parquet file inside a git repository is not read", (), source)
        return _table(parquet_rows(place), source)
    head = Head.of(source, FIRST_ROWS)
    chosen = choose(head)
    if chosen.reason and head.shape == "jsonl":
        head = Head.of(source)
        chosen = choose(head)
    if chosen.reason:
        return Opened("", _TORN.get(source.torn, "") or chosen.reason, (), source)
    return Opened(chosen.name, "", _with_author(read_source(source, chosen, head, trace), place), source)


def _table(rows: Iterator[tuple[int, dict[str, Any]]], source: Source) -> Opened:
    first = list(islice(rows, SNIFFED_ROWS))
    chosen = choose_rows([row for _, row in first])
    if chosen is None:
        return Opened("", "a table whose rows are no conversations in a known format", (), source)
    return Opened(chosen.name, "", read_rows(chain(first, rows), chosen.reader, source), source)


def _with_author(sessions: Iterator[RawSession], place: Place) -> Iterator[RawSession]:
    for session in sessions:
        if isinstance(place, GitBlob) and any(place.author):
            name, mail = place.author
            session.evidence.append(("author", mail or name))
            session.names |= {word for word in (name, mail) if word}
        yield session
