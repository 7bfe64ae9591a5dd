"""EventFolder: OpenHands keeps a conversation as a folder `events/` with one event a file; it is read as one log.

`0.json, 1.json, ...` of older versions, `event-00000-<id>.json, ...` of newer ones, in the order of their numbers. Each
file is one line of the log; one that cannot be read is an invalid line.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BufferedReader, BytesIO
from pathlib import Path
from typing import IO

import orjson

from autointeract.logs.jsontext import loads

_FILE = re.compile(r"(?:event-)?(\d+)(?:-[\w-]+)?\.json")


@dataclass(frozen=True)
class EventFolder:
    """The event files of one conversation, in order."""

    files: tuple[Path, ...]

    @property
    def name(self) -> str:
        """The name of the conversation's folder, as a label."""
        return f"{self.files[0].parent.parent.name}/events"

    def stamp(self) -> tuple[int, int]:
        """(bytes in all, last change in ns). OSError where a file is gone."""
        stats = [path.stat() for path in self.files]
        return sum(stat.st_size for stat in stats), max(stat.st_mtime_ns for stat in stats)

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The events, one JSON line each."""
        yield BufferedReader(BytesIO(b"".join(map(_line, self.files))))  # pyright: ignore[reportArgumentType]


def event_folders(paths: Iterable[Path]) -> tuple[list[Path], list[EventFolder]]:
    """(the paths that are files of their own, the event folders that the others make up)."""
    alone: list[Path] = []
    folders: dict[Path, list[tuple[int, str, Path]]] = {}
    for path in paths:
        match = _FILE.fullmatch(path.name) if path.parent.name == "events" else None
        if match:
            folders.setdefault(path.parent, []).append((int(match[1]), path.name, path))
        else:
            alone.append(path)
    found = [EventFolder(tuple(path for *_, path in sorted(folders[folder]))) for folder in sorted(folders)]
    return alone, found


def _line(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError:
        return b"unreadable\n"
    try:
        return orjson.dumps(loads(data)) + b"\n"
    except (ValueError, TypeError):
        return data.replace(b"\n", b" ") + b"\n"
