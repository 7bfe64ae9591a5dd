"""Writes one JSON Lines file and proves it: read back, it must equal what was meant, line for line."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autointeract.errors import WorkspaceError
from autointeract.workspace.files import atomic_write


def write_lines(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """One JSON object a line, keys in the order given, non-ASCII as it is, lines ended by a single newline character.

    Raises:
        WorkspaceError: what was read back is not what was written.
    """
    with atomic_write(path) as temporary:
        with open(temporary, "wb") as file:
            for row in rows:
                file.write(json.dumps(row, ensure_ascii=False, allow_nan=False).encode() + b"\n")
        with open(temporary, "rb") as file:
            # Split on b"\n" alone: U+2028 and other Unicode line ends are ordinary characters of model text.
            again = [json.loads(line) for line in file]
        if again != list(rows):
            raise WorkspaceError(f"{path}: read back {len(again)} lines that differ from the {len(rows)} written")
