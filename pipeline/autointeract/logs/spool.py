"""Spool: stored sessions between reading and the final parts, as Arrow files that are mapped and not loaded.

One spool file holds the sessions of one batch of log files. Beside the columns of `records.Session` it has what merging
needs: `keys` (one number a turn: equal numbers are the same record), `native` (whether they are the source's own ids),
`related` (ids of sessions this one continues), `file` (digest of the log). Nothing in it is unredacted.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from autointeract.logs.build import Stored
from autointeract.records.row import TEXT, TEXTS, TIME
from autointeract.records.session import TURN, Session
from autointeract.workspace import atomic_write

SCHEMA = pa.schema(
    [
        *Session.SCHEMA,
        ("keys", pa.list_(pa.uint64())),
        ("native", pa.bool_()),
        ("related", TEXTS),
        ("file", pa.string()),
    ]
)
_PLAIN = ("session_id", "user_id", "source_format", "repo", "agent", "started_at", "license")


def table_of(sessions: Sequence[tuple[str, Stored]]) -> pa.Table:
    """The spool table of (file digest, session) pairs."""
    rows = [stored.session for _, stored in sessions]
    types = {"started_at": TIME, "source_format": TEXT}
    columns: dict[str, Any] = {
        name: pa.array([row[name] for row in rows], types.get(name, Session.SCHEMA.field(name).type)) for name in _PLAIN
    }
    columns["turns"] = _turns([row["turns"] for row in rows])
    columns["keys"] = pa.array([stored.keys for _, stored in sessions], pa.list_(pa.uint64()))
    columns["native"] = pa.array([stored.native for _, stored in sessions], pa.bool_())
    columns["related"] = pa.array([stored.related for _, stored in sessions], TEXTS)
    columns["file"] = pa.array([file for file, _ in sessions], pa.string())
    return pa.table([columns[field.name] for field in SCHEMA], schema=SCHEMA)


def write(path: Path, table: pa.Table) -> None:
    """Writes a spool file, whole or not at all."""
    with (
        atomic_write(path) as temporary,
        pa.OSFile(str(temporary), "wb") as sink,
        pa.ipc.new_file(sink, SCHEMA) as file,
    ):
        file.write_table(table, max_chunksize=256)


def read(path: Path) -> pa.Table:
    """A spool file, mapped into memory."""
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def _turns(sessions: Iterable[list[tuple[Any, ...]]]) -> pa.Array:
    offsets, flat = [0], []
    for turns in sessions:
        flat += turns
        offsets.append(len(flat))
    columns = list(zip(*flat, strict=True)) if flat else [()] * len(TURN)
    arrays = [pa.array(values, field.type) for values, field in zip(columns, TURN, strict=True)]
    return pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()), pa.StructArray.from_arrays(arrays, fields=list(TURN))
    )
