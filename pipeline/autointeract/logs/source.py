"""Source: the bytes of one log file, whatever wraps them. Reads plain, gzip and Zstandard files (told by content).

Promises: lines are split on b"\\n" alone (U+2028 inside a line is text); UTF-16 with its mark is read as UTF-8; a torn
archive gives what could be read; a line beyond the bound is skipped without being held in memory. What was lost is
counted in `problems`, never raised.
"""

import codecs
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from autointeract.errors import InputError, StoppedError
from autointeract.logs.event_folder import EventFolder
from autointeract.logs.find import is_workspace
from autointeract.logs.jsontext import glued, loads
from autointeract.logs.places import GitBlob, Place
from autointeract.logs.unpack import UNPACKERS, Torn

CHUNK = 1 << 20
MAX_LINE_BYTES = 64 << 20
"""A longer line (a pasted binary, a 200 MB tool result) is skipped and counted."""
MAX_DOCUMENT_BYTES = 512 << 20
"""A longer file of a format that is one JSON or Markdown document is refused with this reason."""
HEAD_BYTES = 64 << 10
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Source:
    """One file, opened anew for every pass unless it is short.

    Attributes:
        place: where it lies; only `name` is ever shown or stored.
        problems: what was skipped or repaired, by name.
        torn: how the archive around the content is broken ("truncated_archive", "damaged_archive"), or "".
        stopping: asked between blocks; when it says yes, reading ends with `StoppedError`.
    """

    def __init__(self, place: Place, name: str = "", max_line_bytes: int = MAX_LINE_BYTES):
        self.place = place
        self.name = name or (place.name if isinstance(place, Path) else "")
        self.max_line_bytes = max_line_bytes
        self.problems: Counter[str] = Counter()
        self.torn = ""
        self.stopping: Callable[[], bool] = lambda: False
        self._head: bytes | None = None
        self._whole = False
        self._document: Any = None

    @property
    def head(self) -> bytes:
        """The first 64 KiB of the unwrapped content, without a BOM."""
        if self._head is None:
            problems = self.problems.copy()
            head = b""
            for chunk in self._chunks(HEAD_BYTES):
                head += chunk
                if len(head) >= HEAD_BYTES:
                    break
            self._head = head[:HEAD_BYTES]
            # A short file is in memory now: it is not opened again.
            self._whole = len(head) < HEAD_BYTES and not self.torn
            self.problems = problems
        return self._head

    def lines(self, block: int = CHUNK) -> Iterator[tuple[int, bytes]]:
        """(1-based number, line without its end) of every non-empty line; `block` bytes are read at a time."""
        number, skipping = 0, False
        rest: list[bytes] = []
        held = 0
        for chunk in self._chunks(block):
            pieces = chunk.split(b"\n")
            last = pieces.pop()
            if pieces:
                if rest:
                    rest.append(pieces[0])
                    pieces[0] = b"".join(rest)
                    rest, held = [], 0
                if skipping:
                    number += 1
                    skipping = False
                    del pieces[0]
                for piece in pieces:
                    number += 1
                    if piece and piece != b"\r":
                        yield number, piece
            if skipping:
                continue
            if last:
                rest.append(last)
                held += len(last)
            if held > self.max_line_bytes:
                skipping = True
                self.problems["oversized_lines"] += 1
                rest, held = [], 0
        line = b"".join(rest)
        if line.strip():
            yield number + 1, line

    def values(self) -> Iterator[tuple[int, Any]]:
        """(number of the line, JSON value); objects glued into one line apart, lines that hold no JSON counted."""
        for number, line in self.lines():
            try:
                yield number, loads(line)
            except ValueError:
                pieces = glued(line)
                if not pieces:
                    self.problems["invalid_lines"] += 1
                for piece in pieces:
                    yield number, loads(piece)

    def rows(self) -> Iterator[tuple[int, dict[str, Any]]]:
        """As `values`, objects alone; any other value is an invalid line."""
        for number, value in self.values():
            if isinstance(value, dict):
                yield number, value
            else:
                self.problems["invalid_lines"] += 1

    def data(self) -> bytes:
        """The whole unwrapped content.

        Raises:
            InputError: it is longer than one document may be.
        """
        pieces, size = [], 0
        for chunk in self._chunks(CHUNK):
            size += len(chunk)
            if size > MAX_DOCUMENT_BYTES:
                raise InputError(f"{self.name}: one document of more than {MAX_DOCUMENT_BYTES >> 20} MiB: split it")
            pieces.append(chunk)
        return b"".join(pieces)

    def text(self) -> str:
        """The whole content as text; lines end in \\n, undecodable bytes are U+FFFD."""
        return self.data().decode("utf-8", "replace").replace("\r\n", "\n").replace("\x00", "")

    def document(self) -> Any:
        """The whole content as one JSON value (ValueError if it is not); parsed once."""
        if self._document is None:
            self._document = loads(self.data())
        return self._document

    def release(self) -> None:
        """Lets the parsed document go."""
        self._document = None

    def _chunks(self, size: int) -> Iterator[bytes]:
        if self._whole and self._head:
            yield self._head
            return
        decoder: Any = None
        first = True
        try:
            with self._open() as raw:
                for block in self._unwrapped(raw, size):
                    if self.stopping():
                        raise StoppedError(f"stopped while reading {self.name}")
                    if first and block:
                        first = False
                        if block[:2] in _UTF16:
                            decoder = codecs.getincrementaldecoder("utf-16")("replace")
                        block = block.removeprefix(codecs.BOM_UTF8)
                    if decoder is not None:
                        block = decoder.decode(block).encode("utf-8", "replace")
                    if block:
                        yield block
        except Torn as error:
            self.torn = str(error)
            self.problems[self.torn] += 1
        except IsADirectoryError as error:
            reason = "a workspace, not logs" if is_workspace(Path(error.filename)) else "this folder cannot be opened"
            raise InputError(f"{self.name}: {reason}") from error
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error})") from error

    def _unwrapped(self, raw: Any, size: int) -> Iterator[bytes]:
        start = raw.peek(4)[:4]
        for magic, unpack in UNPACKERS.items():
            if start.startswith(magic):
                yield from unpack(raw, size)
                return
        while block := raw.read(size):
            yield block

    def _open(self) -> Any:
        if isinstance(self.place, GitBlob | EventFolder):
            return self.place.open()
        if isinstance(self.place, Path):
            return open(self.place, "rb")
        raise InputError(f"{self.name}: a streamed dataset has rows, no bytes")
