"""Source: the bytes of one log file, whatever wraps them. Reads plain, gzip and Zstandard files (told by content).

Promises: lines are split on b"\\n" alone (U+2028 inside a line is text); a torn archive gives what could be read; a
line beyond the bound is skipped without being held in memory. What was lost is counted in `problems`, never raised.
"""

import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autointeract.errors import InputError
from autointeract.logs.jsontext import loads
from autointeract.logs.places import GitBlob, Place

CHUNK = 1 << 20
MAX_LINE_BYTES = 64 << 20
"""A longer line (a pasted binary, a 200 MB tool result) is skipped and counted."""
MAX_DOCUMENT_BYTES = 512 << 20
"""A longer file of a format that is one JSON or Markdown document is refused with this reason."""
HEAD_BYTES = 64 << 10


class Source:
    """One file, opened anew for every pass.

    Attributes:
        place: where it lies; only `name` is ever shown or stored.
        problems: what was skipped or repaired, by name.
    """

    def __init__(self, place: Place, name: str = "", max_line_bytes: int = MAX_LINE_BYTES):
        self.place = place
        self.name = name or (place.name if isinstance(place, Path) else "")
        self.max_line_bytes = max_line_bytes
        self.problems: Counter[str] = Counter()
        self._head: bytes | None = None
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
            self.problems = problems
        return self._head

    def lines(self, block: int = CHUNK) -> Iterator[tuple[int, bytes]]:
        """(1-based number, line without its end) of every non-empty line; `block` bytes are read at a time."""
        number, rest, skipping = 0, b"", False
        for chunk in self._chunks(block):
            pieces = (rest + chunk).split(b"\n") if not skipping else chunk.split(b"\n")
            rest = pieces.pop()
            for piece in pieces:
                number += 1
                if skipping:
                    skipping = False
                    continue
                if piece and piece != b"\r":
                    yield number, piece
            if len(rest) > self.max_line_bytes:
                skipping = True
                self.problems["oversized_lines"] += 1
            if skipping:
                rest = b""
        if rest and not skipping and rest.strip():
            yield number + 1, rest

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
        first = True
        try:
            with self._open() as raw:
                for block in self._unwrapped(raw, size):
                    if first:
                        block = _plain(block)
                        first = False
                    if block:
                        yield block
        except zlib.error:
            self.problems["damaged_archive"] += 1
        except OSError as error:
            raise InputError(f"{self.name}: cannot be read ({error.strerror or error})") from error
        except Exception as error:
            if type(error).__module__.startswith("zstandard"):
                self.problems["damaged_archive"] += 1
            else:
                raise

    def _unwrapped(self, raw: Any, size: int) -> Iterator[bytes]:
        magic = raw.peek(4)[:4]
        if magic[:2] == b"\x1f\x8b":
            yield from self._gunzip(raw, size)
        elif magic == b"\x28\xb5\x2f\xfd":
            import zstandard

            stream = zstandard.ZstdDecompressor().stream_reader(raw, read_across_frames=True)
            while block := stream.read(size):
                yield block
        else:
            while block := raw.read(size):
                yield block

    def _gunzip(self, raw: Any, size: int) -> Iterator[bytes]:
        # Block by block, so that a torn archive still gives all that stands before the tear.
        unpacker = zlib.decompressobj(31)
        data = raw.read(CHUNK)
        while data:
            yield unpacker.decompress(data, size)
            data = unpacker.unconsumed_tail
            if unpacker.eof:
                data = unpacker.unused_data
                unpacker = zlib.decompressobj(31)
                data = data or raw.read(CHUNK)
                if data and not data.startswith(b"\x1f\x8b"):
                    return
            elif not data:
                data = raw.read(CHUNK)
                if not data:
                    yield unpacker.flush()
                    if not unpacker.eof:
                        self.problems["truncated_archive"] += 1

    def _open(self) -> Any:
        if isinstance(self.place, GitBlob):
            return self.place.open()
        if isinstance(self.place, Path):
            return open(self.place, "rb")
        raise InputError(f"{self.name}: a streamed dataset has rows, no bytes")


def _plain(block: bytes) -> bytes:
    return block[3:] if block.startswith(b"\xef\xbb\xbf") else block
