"""Compacts the spool into the dataset `sessions`: merges what was seen twice, orders by session id, writes the parts.

Memory holds an outline of each session and one row group at a time; everything else stays mapped on disk. The order and
so the bytes depend on the set of sessions alone, not on batches, workers or runs.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from autointeract.logs import spool
from autointeract.logs.merge import Outline, group, merge
from autointeract.records.session import Session

GROUP_ROWS = 256
"""Sessions a row group."""
GROUP_BYTES = 32 << 20
"""Bytes after which a row group is closed early."""
PART_ROWS = 2000
"""Sessions a part: fixed ranges of the ordered sessions."""


class Compactor:
    """The spooled sessions of the files that count.

    Attributes:
        merged: stored sessions that became part of another.
        groups: the sessions to write, each as indices of its versions.
    """

    def __init__(self, folder: Path, files: dict[str, str], forgotten: frozenset[str] = frozenset()):
        """Opens the spool.

        Args:
            files: digest of each log that counts -> name of its spool file.
            forgotten: users to leave out.
        """
        self._shelf = spool.Shelf([folder / name for name in sorted(set(files.values()))])
        self._places: list[tuple[int, int, int]] = []
        self._ids: list[str] = []
        self._sizes: dict[int, int] = {}
        outlines = self._outlines(files, forgotten)
        self.groups = group(outlines)
        self.merged = len(outlines) - len(self.groups)

    def parts(self) -> Iterator[Iterator[pa.Table]]:
        """The parts, each as its row groups."""
        resolved: list[tuple[str, list[int]]] = []
        ids = self._ids
        for members in self.groups:
            resolved.append((ids[members[0]] if len(members) == 1 else self._merged(members)["session_id"], members))
        resolved.sort()
        for start in range(0, max(len(resolved), 1), PART_ROWS):
            yield self._row_groups([members for _, members in resolved[start : start + PART_ROWS]])

    def _row_groups(self, groups: list[list[int]]) -> Iterator[pa.Table]:
        pending: list[list[int]] = []
        size = 0
        for members in groups:
            pending.append(members)
            size += sum(self._sizes[member] for member in members)
            if len(pending) >= GROUP_ROWS or size >= GROUP_BYTES:
                yield self._rows(pending)
                pending, size = [], 0
        if pending:
            yield self._rows(pending)

    def _rows(self, groups: list[list[int]]) -> pa.Table:
        """The rows of some groups, in order: copied where nothing was merged."""
        batches: list[pa.RecordBatch] = []
        for members in groups:
            if len(members) == 1:
                batches.append(self._shelf.row(self._places[members[0]]).select(Session.SCHEMA.names))
            else:
                batches.append(pa.RecordBatch.from_pylist([self._merged(members)], schema=Session.SCHEMA))
        return pa.Table.from_batches(batches, Session.SCHEMA).combine_chunks()

    def _merged(self, members: list[int]) -> dict[str, Any]:
        versions = []
        for place in members:
            row = self._shelf.row(self._places[place]).to_pylist()[0]
            versions.append(({name: row[name] for name in Session.SCHEMA.names}, row["keys"]))
        return merge(versions)

    def _outlines(self, files: dict[str, str], forgotten: frozenset[str]) -> list[Outline]:
        outlines: list[tuple[tuple[str, str], Outline]] = []
        seen: set[tuple[str, str, int]] = set()
        names = ("session_id", "user_id", "native", "related", "file")
        for number, batch, rows in self._shelf.columns([*names, "keys"]):
            plain = zip(*(rows.column(name).to_pylist() for name in names), strict=True)
            for row, (name, user, native, related, file) in enumerate(plain):
                if file not in files or user in forgotten:
                    continue
                keys = np.array(rows.column("keys")[row].values.to_numpy(zero_copy_only=False), dtype=np.uint64)
                # The same file may have been read in two batches (moved in between): count it once.
                mark = (file, name, int(keys[-1]) if len(keys) else 0)
                if mark in seen:
                    continue
                seen.add(mark)
                place = len(self._places)
                self._places.append((number, batch, row))
                self._ids.append(name)
                self._sizes[place] = 200 + 700 * len(keys)
                outlines.append(((name, file), Outline(place, user, native, keys, (name, *related))))
        return [outline for _, outline in sorted(outlines, key=lambda item: item[0])]
