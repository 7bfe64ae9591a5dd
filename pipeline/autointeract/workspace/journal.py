"""Journal: the finished items of a stage, one line each, appended as they finish.

A line is `{"len": N, "item": ITEM}`, where N is the number of UTF-8 bytes of ITEM's JSON text. A torn last line (the
process was killed while writing) is cut off when the journal is opened for writing; a damaged line elsewhere is an
error that names it. Lines are split on b"\\n" alone: U+2028, U+0085 and VT are ordinary characters of model text.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autointeract.errors import WorkspaceError


class Journal:
    """Append-only store of JSON objects, with an index from key to place in the file.

    The index holds one entry a key (last line wins), so memory does not grow with the size of the lines.
    """

    def __init__(self, path: Path):
        self.path = path
        self._places: dict[str, tuple[int, int, str]] = {}
        self._file = None
        self._header: dict[str, Any] | None = None
        self._load()

    @property
    def header(self) -> dict[str, Any] | None:
        """What the first line says about the run (stage, digest, settings); null for a new journal."""
        return self._header

    def start(self, header: dict[str, Any]) -> None:
        """Writes the header line of a new journal."""
        self._header = header
        self._write({"header": header})

    def put(self, key: str, input_digest: str, value: Any) -> None:
        """Appends a finished item. `value` is plain JSON data; the line is in the operating system's hands on
        return.
        """
        start, length = self._write({"key": key, "input": input_digest, "value": value})
        self._places[key] = (start, length, input_digest)

    def has(self, key: str, input_digest: str) -> bool:
        """Whether an item with this key was finished from this very input."""
        place = self._places.get(key)
        return place is not None and place[2] == input_digest

    def get(self, key: str) -> Any:
        """The value stored under `key` (KeyError if there is none)."""
        start, length, _ = self._places[key]
        with open(self.path, "rb") as file:
            file.seek(start)
            return json.loads(file.read(length))["item"]["value"]

    def keys(self) -> Iterator[str]:
        """All keys, in the order of their first appearance."""
        return iter(list(self._places))

    def close(self) -> None:
        """Makes the journal durable and closes it."""
        if self._file is not None:
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None

    def _write(self, item: dict[str, Any]) -> tuple[int, int]:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(self.path, "ab")  # noqa: SIM115 - kept open between items
        body = json.dumps(item, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
        line = f'{{"len":{len(body.encode())},"item":{body}}}\n'.encode()
        start = self._file.tell()
        self._file.write(line)
        self._file.flush()
        return start, len(line) - 1

    def _load(self) -> None:
        if not self.path.exists():
            return
        good = 0
        number = 0
        with open(self.path, "rb") as file:
            for line in file:
                number += 1
                item = _parse(line)
                if item is None:
                    if file.read(1):
                        raise WorkspaceError(f"{self.path}: line {number} is damaged; restore it or use --resume never")
                    break
                if "header" in item:
                    self._header = item["header"]
                else:
                    self._places[item["key"]] = (good, len(line) - 1, item["input"])
                good += len(line)
        if good != self.path.stat().st_size:
            os.truncate(self.path, good)


def _parse(line: bytes) -> dict[str, Any] | None:
    if not line.endswith(b"\n"):
        return None
    try:
        outer = json.loads(line)
        prefix = line.index(b',"item":') + len(b',"item":')
        return outer["item"] if len(line) - 2 - prefix == outer["len"] else None
    except (ValueError, KeyError, TypeError):
        return None
