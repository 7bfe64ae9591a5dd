"""Unpacks gzip and Zstandard streams piece by piece, and gives all that stands before a tear.

Promises: what is given out at once stays small whatever the input claims to hold; after the last whole byte `Torn` says
whether the stream just ends (`truncated_archive`) or cannot be followed further (`damaged_archive`).
"""

import zlib
from collections.abc import Callable, Iterator
from typing import Any

READ = 1 << 20
ZSTD_READ = 4 << 10
"""A Zstandard block of 4 bytes can hold 128 KiB, so that this much gives at most 128 MiB."""
SALVAGE = 4096
"""Bytes taken at a time on the way to the damage; the last ones are taken singly."""


class Torn(Exception):
    """The stream is broken; the message is the name of the problem."""


def gunzip(raw: Any, size: int) -> Iterator[bytes]:
    """The content of the gzip members in `raw`, at most `size` bytes at a time; what follows the last is padding."""
    unpacker = zlib.decompressobj(31)
    data = raw.read(READ)
    while data:
        before = unpacker.copy()
        try:
            piece = unpacker.decompress(data, size)
        except zlib.error:
            yield from _salvage(before, data, size)
            raise Torn("damaged_archive") from None
        if piece:
            yield piece
        if unpacker.eof:
            data = unpacker.unused_data or raw.read(READ)
            if not data.startswith(b"\x1f\x8b"):
                return
            unpacker = zlib.decompressobj(31)
            continue
        data = unpacker.unconsumed_tail or raw.read(READ)
    yield unpacker.flush()
    if not unpacker.eof:
        raise Torn("truncated_archive")


def _salvage(unpacker: Any, data: bytes, size: int) -> Iterator[bytes]:
    # zlib keeps back what it unpacked in the call that met the damage: small steps, then single bytes.
    found: list[bytes] = []
    for step in (SALVAGE, 1):
        while data:
            before = unpacker.copy() if step > 1 else None
            try:
                piece = unpacker.decompress(data, step)
            except zlib.error:
                unpacker = before
                break
            data = unpacker.unconsumed_tail
            if not piece:
                break
            found.append(piece)
        if unpacker is None:
            break
    salvaged = b"".join(found)
    for start in range(0, len(salvaged), size):
        yield salvaged[start : start + size]


def unzstd(raw: Any, size: int) -> Iterator[bytes]:
    """The content of the Zstandard frames in `raw`."""
    import zstandard

    unpacker = zstandard.ZstdDecompressor().decompressobj()
    data = raw.read(ZSTD_READ)
    while data:
        try:
            piece = unpacker.decompress(data)
        except zstandard.ZstdError:
            raise Torn("damaged_archive") from None
        for start in range(0, len(piece), size):
            yield piece[start : start + size]
        if unpacker.eof:
            data = unpacker.unused_data or raw.read(ZSTD_READ)
            if not data.strip(b"\0"):
                return
            unpacker = zstandard.ZstdDecompressor().decompressobj()
            continue
        data = raw.read(ZSTD_READ)
    raise Torn("truncated_archive")


UNPACKERS: dict[bytes, Callable[[Any, int], Iterator[bytes]]] = {b"\x1f\x8b": gunzip, b"\x28\xb5\x2f\xfd": unzstd}
"""By the first bytes of a file."""
