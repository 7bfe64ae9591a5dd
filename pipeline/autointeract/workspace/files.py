"""The one way to write a file: aside, fsynced, renamed. A reader sees the old file or the new one, never half of
one.
"""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """Gives a temporary path beside `target`; renames it there when the block ends well, removes it when it does
    not.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        with open(temporary, "rb") as file:
            os.fsync(file.fileno())
        os.replace(temporary, target)
        _sync_folder(target.parent)
    finally:
        temporary.unlink(missing_ok=True)


def write_text(target: Path, text: str) -> None:
    """Writes UTF-8 text atomically."""
    with atomic_write(target) as temporary:
        temporary.write_text(text, encoding="utf-8")


def file_sha256(path: Path) -> str:
    """Hex sha256 of a file, read in blocks."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
