"""Chooses the reader of a file by its content, and reads row-wise formats from any container."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from autointeract.logs.event import RawSession
from autointeract.logs.jsontext import loads
from autointeract.logs.readers import claude_code, openai_chat
from autointeract.logs.readers.head import Head
from autointeract.logs.source import Source

FILE_READERS: tuple[Any, ...] = (claude_code,)
"""Asked in this order: the more specific first."""
ROW_READERS: tuple[Any, ...] = (openai_chat,)
Refusal = Callable[[Head], str | None]
REFUSALS: tuple[Refusal, ...] = ()


@dataclass(frozen=True)
class Chosen:
    """The outcome of looking at a file: a format with its reader, or the reason why there is none.

    Attributes:
        name: the format, or "" where the file is refused.
        reason: why it is refused.
    """

    name: str = ""
    reason: str = ""
    reader: Any = None
    by_row: bool = False


def choose(head: Head) -> Chosen:
    """The reader for a file that begins like `head`."""
    if head.shape == "empty":
        return Chosen(reason="empty file")
    for reader in FILE_READERS:
        if reader.sniff(head):
            return Chosen(reader.NAME, reader=reader)
    for refusal in REFUSALS:
        reason = refusal(head)
        if reason:
            return Chosen(reason=reason)
    for reader in ROW_READERS:
        if any(reader.sniff_row(row) for row in head.rows):
            return Chosen(reader.NAME, reader=reader, by_row=True)
    return Chosen(reason="not a log in a known format")


def read_source(source: Source, chosen: Chosen, head: Head, trace: bool = False) -> Iterator[RawSession]:
    """The sessions of a file, in the order of the file."""
    if chosen.by_row:
        return read_rows(_rows(source, head), chosen.reader, source)
    return chosen.reader.read(source, trace)


def read_rows(rows: Iterable[tuple[int, Any]], reader: Any, source: Source) -> Iterator[RawSession]:
    """The sessions of (number, row) pairs; a row that is no conversation of this format is counted."""
    for number, row in rows:
        session = reader.read_row(row, number) if isinstance(row, dict) and reader.sniff_row(row) else None
        if session is None:
            source.problems["rows_without_conversation"] += 1
        else:
            yield session


def _rows(source: Source, head: Head) -> Iterator[tuple[int, Any]]:
    if head.shape == "object":
        yield 1, head.document
    elif head.shape == "array":
        yield from enumerate(head.document, 1)
    else:
        for number, line in source.lines():
            try:
                yield number, loads(line)
            except ValueError:
                source.problems["invalid_lines"] += 1
