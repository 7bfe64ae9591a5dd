"""Spool: stored sessions between reading and the final parts, as Arrow files that are mapped and not loaded.

One spool file holds the sessions of one batch of log files. Beside the columns of `records.Session` it has what merging
needs: `keys` (one number a turn: equal numbers are the same record), `native` (whether they are the source's own ids),
`related` (ids of sessions this one continues), `file` (digest of the log). Nothing in it is unredacted.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from functools import lru_cache
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
CHUNK_TURNS = 300
"""Turns a record batch of a spool file, about."""
OPEN_FILES = 64
KEPT_BATCHES = 8
FLUSH_TURNS = 5000
"""Turns held in memory before they are written."""
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


class SpoolWriter:
    """Writes one spool file, a bounded number of sessions at a time; no session, no file. Whole or not at all."""

    def __init__(self, path: Path):
        self.path = path
        self._pending: list[tuple[str, Stored]] = []
        self._turns = 0
        self._stack = ExitStack()
        self._file: Any = None

    def __enter__(self) -> "SpoolWriter":
        return self

    def __exit__(self, *failure: Any) -> None:
        if failure[0] is None:
            self._flush()
        self._stack.__exit__(*failure)

    def add(self, file: str, stored: Stored) -> None:
        """Takes one session of the log with digest `file`."""
        self._pending.append((file, stored))
        self._turns += len(stored.keys)
        if self._turns >= FLUSH_TURNS:
            self._flush()

    def _flush(self) -> None:
        if not self._pending:
            return
        if self._file is None:
            temporary = self._stack.enter_context(atomic_write(self.path))
            sink = self._stack.enter_context(pa.OSFile(str(temporary), "wb"))
            self._file = self._stack.enter_context(pa.ipc.new_file(sink, SCHEMA))
        # Small record batches: compaction reads sessions one by one, in another order.
        table = table_of(self._pending)
        self._file.write_table(table, max_chunksize=chunk_rows(len(self._pending), self._turns))
        self._pending, self._turns = [], 0


def read(path: Path) -> pa.Table:
    """A spool file, mapped into memory."""
    return pa.ipc.open_file(pa.memory_map(str(path))).read_all()


def chunk_rows(sessions: int, turns: int) -> int:
    """Sessions a record batch, so that one holds about `CHUNK_TURNS` turns."""
    return max(1, min(64, CHUNK_TURNS * sessions // max(turns, 1)))


class Shelf:
    """Reads record batches of many spool files one at a time, through ordinary reads: what was read does not stay in
    memory, as mapped pages would.
    """

    def __init__(self, paths: Sequence[Path]):
        self.paths = list(paths)
        self._open = lru_cache(OPEN_FILES)(lambda number: pa.ipc.open_file(pa.OSFile(str(self.paths[number]))))
        self._batch = lru_cache(KEPT_BATCHES)(lambda number, batch: self._open(number).get_batch(batch))

    def columns(self, names: Sequence[str]) -> Iterator[tuple[int, int, pa.RecordBatch]]:
        """(file, batch, some columns) of every batch."""
        fields = [SCHEMA.get_field_index(name) for name in names]
        options = pa.ipc.IpcReadOptions(included_fields=fields)
        for number, path in enumerate(self.paths):
            with pa.OSFile(str(path)) as source:
                reader = pa.ipc.open_file(source, options=options)
                for batch in range(reader.num_record_batches):
                    yield number, batch, reader.get_batch(batch)

    def row(self, place: tuple[int, int, int]) -> pa.RecordBatch:
        """The session at (file, batch, row)."""
        number, batch, row = place
        return self._batch(number, batch).slice(row, 1)


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
