"""Chooses the reader of a file by its content, and reads row-wise formats from any container."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from autointeract.logs.event import RawSession
from autointeract.logs.readers import (
    aider,
    atif,
    chat_corpora,
    chatgpt,
    claude_code,
    claude_export,
    codex,
    copilot_chat,
    copilot_log,
    cursor_markdown,
    gemini_checkpoint,
    gemini_cli,
    gemini_log,
    openai_chat,
    opencode,
    openhands,
    openhands_file,
    refusals,
    sharegpt,
    specstory,
    specstory_json,
    swe_chat,
    swe_together,
)
from autointeract.logs.readers.head import Head
from autointeract.logs.source import Source

FILE_READERS: tuple[Any, ...] = (
    claude_code, codex, swe_together, openhands_file, specstory, cursor_markdown, aider, claude_export,
    gemini_log, copilot_log, gemini_checkpoint,
)  # fmt: skip
"""A file is one session or a few. Asked in this order: the more specific first."""
ROW_READERS: tuple[Any, ...] = (
    gemini_cli, opencode, specstory_json, copilot_chat, chatgpt, sharegpt, atif, openhands, chat_corpora, openai_chat,
)  # fmt: skip
"""A row is one conversation."""


FOREIGN = (TypeError, KeyError, AttributeError, ValueError, IndexError, RecursionError)
"""What a reader raises on data of an unforeseen shape."""


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
        if _knows(reader.sniff, head):
            return Chosen(reader.NAME, reader=reader)
    reason = refusals.refuse_rows(head)
    if reason:
        return Chosen(reason=reason)
    return choose_rows(head.rows) or Chosen(
        reason=refusals.refuse_bytes(head) or refusals.refuse_retold(head) or "not a log in a known format"
    )


def choose_rows(rows: list[dict[str, Any]]) -> Chosen | None:
    """The reader of row-wise data, whatever container it comes in; null where no row is a conversation."""
    if any(_knows(swe_chat.sniff_table, row) for row in rows):
        return Chosen(swe_chat.NAME, reader=swe_chat, by_row=True)
    for reader in ROW_READERS:
        if any(_knows(reader.sniff_row, row) for row in rows):
            return Chosen(reader.NAME, reader=reader, by_row=True)
    return None


def _knows(sniff: Callable[[Any], bool], beginning: Any) -> bool:
    """Whether a reader knows this beginning; data of an unforeseen shape is not known."""
    try:
        return sniff(beginning)
    except FOREIGN:
        return False


def read_source(source: Source, chosen: Chosen, head: Head, trace: bool = False) -> Iterator[RawSession]:
    """The sessions of a file, in the order of the file."""
    if chosen.by_row:
        return read_rows(_rows(source, head), chosen.reader, source)
    return chosen.reader.read(source, trace)


def read_rows(rows: Iterable[tuple[int, Any]], reader: Any, source: Source) -> Iterator[RawSession]:
    """The sessions of (number, row) pairs; a row of another row-wise format is read as that, any other is counted."""
    if reader is swe_chat:
        yield from swe_chat.read_table(rows)
        return
    for number, row in rows:
        try:
            session = None
            if isinstance(row, dict):
                fitting = reader if reader.sniff_row(row) else _other_reader(row)
                session = fitting.read_row(row, number) if fitting else None
        except FOREIGN:
            source.problems["damaged_rows"] += 1
            continue
        if session is None:
            source.problems["rows_without_conversation"] += 1
        else:
            yield session


def _other_reader(row: dict[str, Any]) -> Any:
    return next((reader for reader in ROW_READERS if _knows(reader.sniff_row, row)), None)


def _rows(source: Source, head: Head) -> Iterator[tuple[int, Any]]:
    if head.shape == "object":
        yield 1, head.document
    elif head.shape == "array":
        yield from enumerate(head.document, 1)
    else:
        yield from source.values()
