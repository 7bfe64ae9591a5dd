"""Head: the beginning of a file as far as needed to tell its format, parsed once for all readers."""

from dataclasses import dataclass, field
from typing import Any, Literal

from autointeract.errors import InputError
from autointeract.logs.jsontext import loads
from autointeract.logs.source import HEAD_BYTES, Source

Shape = Literal["jsonl", "object", "array", "text", "empty"]
ROWS = 50
"""Rows looked at where the first few tell nothing."""
FIRST_ROWS = 3
_BLANK = "\ufeff \t\r\n\x00"


@dataclass(slots=True)
class Head:
    """What a reader's `sniff` looks at.

    Attributes:
        shape: JSON objects line by line, one JSON object, one JSON array, other text, or nothing at all.
        rows: the first JSON objects (of the lines; of the array; or the one object).
        beginning: the first 64 KiB.
        document: the whole JSON value, for "object" and "array".
    """

    shape: Shape
    beginning: bytes
    rows: list[dict[str, Any]] = field(default_factory=list)
    document: Any = None

    @property
    def text(self) -> str:
        """The beginning as text."""
        return self.beginning.decode("utf-8", "replace")

    @classmethod
    def of(cls, source: Source, rows_wanted: int = ROWS) -> "Head":
        """Looks at a file. A JSON file of one document is parsed whole (and kept by the source)."""
        head = source.head
        start = head.decode("utf-8", "replace").lstrip(_BLANK) if head[:1] != b"{" else "{"
        if not start:
            return cls("empty", head)
        if start[0] not in "{[":
            rows = _rows(source, rows_wanted) if b"\n{" in head else []
            return cls("jsonl", head, rows) if len(rows) > 1 else cls("text", head)
        rows = _rows(source, rows_wanted)
        if rows and start[0] == "{" and (len(rows) > 1 or not _complete(source)):
            return cls("jsonl", head, rows)
        try:
            document = source.document()
        except (ValueError, InputError):
            return cls("jsonl", head, rows) if rows else cls("text", head)
        if isinstance(document, dict):
            return cls("object", head, [document], document)
        if isinstance(document, list):
            return cls("array", head, [row for row in document[:ROWS] if isinstance(row, dict)], document)
        return cls("text", head)


def _rows(source: Source, wanted: int) -> list[dict[str, Any]]:
    rows = []
    problems = source.problems.copy()
    for number, line in source.lines(HEAD_BYTES):
        if line.lstrip()[:1] == b"{" and line.rstrip()[-1:] == b"}":
            try:
                row = loads(line)
            except ValueError:
                row = None
            if isinstance(row, dict) and row:
                rows.append(row)
        if len(rows) >= wanted or number > 4 * ROWS:
            break
    source.problems = problems
    return rows


def _complete(source: Source) -> bool:
    """Whether the first line may be the whole document, or only its beginning."""
    text = source.head.decode("utf-8", "replace").lstrip(_BLANK)
    ended = text.split("\n", 1)[0].strip().endswith("}")
    return (ended and len(source.head.strip().split(b"\n")) == 1) or not ended
