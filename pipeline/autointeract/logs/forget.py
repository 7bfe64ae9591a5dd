"""`autointeract forget USER`: removes a person from everything a workspace holds, and says what must be made again.

Goes through every place of the workspace: datasets, journals, the spool, the reply cache, optimiser state, stage
reports, HTML reports and exports. What can be told apart (rows, journal lines, cached replies) is removed one by one;
what was learned from several people at once (optimiser state) is removed whole. A digest of the pseudonym stays in
`forgotten.json`, so that the next `ingest` does not take the person in again.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from autointeract.errors import InputError
from autointeract.logs import spool
from autointeract.logs.forgotten import Forgotten
from autointeract.logs.identity import ORDER, pseudonym
from autointeract.logs.traces import Traces
from autointeract.records.row import Record
from autointeract.workspace import Dataset, Workspace, atomic_write

LEARNED_JOURNALS = ("learn-prompt",)
"""Journals that are the state of an optimiser: every line builds on all people's sessions."""
DERIVED_FOLDERS = ("reports", "export")
"""Made from datasets; made again by `report` and `export`."""
REBUILD = {
    "labels": "label", "fingerprints": "profile", "profiles": "profile", "prompts": "learn-prompt",
    "attempts": "synthesize", "trajectories": "synthesize", "reports": "report", "export": "export",
}  # fmt: skip


class ForgetReport(Record):
    """What was removed.

    Attributes:
        user_id: the pseudonym.
        removed: rows, lines and files by place.
        rebuild: commands to run again, in order, because what they made was learned from this person too.
    """

    user_id: str
    removed: dict[str, int]
    rebuild: list[str]


def forget(workspace: Workspace, user: str) -> ForgetReport:
    """Forgets a person, named by pseudonym or by identity (home folder name, account, git e-mail).

    Raises:
        InputError: nothing in the workspace belongs to such a person.
        LockedError: another process is writing.
    """
    with workspace.lock("forget"):
        return _Forgetting(workspace, user).run()


class _Forgetting:
    """One run."""

    def __init__(self, workspace: Workspace, user: str):
        self.workspace = workspace
        self.removed: Counter[str] = Counter()
        self.datasets: list[Dataset[Any]] = [
            workspace.sessions, workspace.labels, workspace.fingerprints, workspace.profiles, workspace.splits,
            workspace.prompts, workspace.attempts, workspace.trajectories,
        ]  # fmt: skip
        self.user_id = self._known(user)
        self.traces = Traces([self.user_id])
        self.named = user if len(user) >= 4 else self.user_id

    def run(self) -> ForgetReport:
        """Removes everything; the list of the forgotten is written first, so that a killed run can be repeated."""
        Forgotten(self.workspace).add(self.user_id)
        self._learn()
        self._journals()
        self._replies()
        self._files()
        # What the person is found by goes last.
        for dataset in reversed(self.datasets):
            if dataset.exists():
                self._rows(dataset)
        self._spool()
        rebuild = [
            REBUILD[name] for name in REBUILD if self.removed[name] or (name == "prompts" and self._has_prompts())
        ]
        removed = {name: count for name, count in sorted(self.removed.items()) if count}
        return ForgetReport(user_id=self.user_id, removed=removed, rebuild=list(dict.fromkeys(rebuild)))

    def _known(self, user: str) -> str:
        key = self.workspace.pseudonym_key()
        candidates = [user, *(name for kind in ORDER if (name := pseudonym([(kind, user)], key)))]
        people = set(self._people())
        for candidate in candidates:
            if candidate in people or Forgotten(self.workspace).holds(candidate):
                return candidate
        raise InputError(
            f"no person {user!r} in {self.workspace.root}: name the user_id (u_...) or the identity it was made from "
            "(home folder name, account, git e-mail)"
        )

    def _people(self) -> Iterator[str]:
        for dataset in self.datasets:
            if dataset.exists() and "user_id" in dataset.row.SCHEMA.names:
                for part in dataset.manifest().parts:
                    column = pq.read_table(dataset.folder / part.name, columns=["user_id"]).column(0)
                    yield from (name for name in column.unique().to_pylist() if name)
        for path in self._spool_files():
            yield from (name for name in spool.read(path).column("user_id").unique().to_pylist() if name)

    def _spool_files(self) -> list[Path]:
        return sorted((self.workspace.root / "journal" / "spool").glob("*.arrow"))

    def _learn(self) -> None:
        if self.workspace.sessions.exists():
            for session in self.workspace.sessions.rows():
                if session.user_id == self.user_id:
                    self.traces.learn(session)
        if self.workspace.profiles.exists():
            profiles = list(self.workspace.profiles.rows())
            found = True
            while found:
                mine = {p.profile_id for p in profiles if p.user_id == self.user_id or p.parent_id in self.traces.ids}
                found = not mine <= self.traces.ids
                self.traces.ids |= mine
        for dataset in (self.workspace.attempts, self.workspace.trajectories):
            if dataset.exists():
                name = "item_id" if dataset is self.workspace.attempts else "trajectory_id"
                names = dataset.row.SCHEMA.names
                if name in names:
                    self.traces.ids |= {
                        getattr(row, name) for row in dataset.rows() if row.profile_id in self.traces.ids
                    }  # fmt: skip

    def _spool(self) -> None:
        for path in self._spool_files():
            table = spool.read(path)
            keep = [user != self.user_id for user in table.column("user_id").to_pylist()]
            if all(keep):
                continue
            self.removed["spool"] += keep.count(False)
            rest = table.filter(pa.array(keep)).combine_chunks()
            with (
                atomic_write(path) as temporary,
                pa.OSFile(str(temporary), "wb") as sink,
                pa.ipc.new_file(sink, spool.SCHEMA) as file,
            ):
                file.write_table(rest, max_chunksize=spool.chunk_rows(len(rest), _turns(rest)))

    def _rows(self, dataset: Dataset[Any]) -> None:
        manifest = dataset.manifest()
        lost = 0

        def tables(name: str) -> Iterator[pa.Table]:
            nonlocal lost
            with pq.ParquetFile(dataset.folder / name) as file:
                for group in range(file.num_row_groups):
                    table = file.read_row_group(group)
                    keep = [not self._mine(row) for row in table.to_pylist()]
                    lost += keep.count(False)
                    yield table.filter(pa.array(keep, pa.bool_()))

        parts = (tables(part.name) for part in manifest.parts)
        dataset.write_tables(
            parts, stage=manifest.stage, stage_digest=manifest.stage_digest, inputs=manifest.inputs,
            complete=manifest.complete, notes=manifest.notes,
        )  # fmt: skip
        self.removed[dataset.name] += lost

    def _mine(self, row: dict[str, Any]) -> bool:
        names = ("user_id", "session_id", "profile_id", "parent_id", "id")
        if any(row.get(name) in self.traces.ids for name in names if row.get(name)):
            return True
        texts = [value for value in row.values() if isinstance(value, str)]
        return "turns" not in row and any(self.traces.touch(text) for text in texts)

    def _journals(self) -> None:
        for path in sorted((self.workspace.root / "journal").glob("*")):
            if path.is_dir() or path.suffix not in (".jsonl", ".old"):
                continue
            if path.name.split(".")[0] in LEARNED_JOURNALS:
                path.unlink()
                self.removed["optimiser state"] += 1
                continue
            self._lines(path, "journal")

    def _lines(self, path: Path, place: str) -> None:
        kept, lost = [], 0
        with open(path, "rb") as file:
            for line in file:
                if self.traces.touch(line.decode("utf-8", "replace")):
                    lost += 1
                else:
                    kept.append(line)
        if lost:
            with atomic_write(path) as temporary:
                temporary.write_bytes(b"".join(kept))
            self.removed[place] += lost

    def _replies(self) -> None:
        """Cached replies that name the person or quote them, and those that belong to nobody who is left."""
        for path in sorted((self.workspace.root / "cache").glob("*.sqlite")):
            with sqlite3.connect(path) as database:
                tables = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
                if "replies" in tables:
                    self.removed["reply cache"] += self._reply_rows(database)
                if "faults" in tables:
                    self.removed["reply cache"] += database.execute("DELETE FROM faults").rowcount
            # Deleted rows would stay readable in free pages.
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("VACUUM")
            database.close()

    def _reply_rows(self, database: sqlite3.Connection) -> int:
        import zstandard

        others = self._surviving_ids()
        unpack = zstandard.ZstdDecompressor().decompress
        lost = []
        for key, item, body in database.execute("SELECT key, item, body FROM replies"):
            try:
                text = unpack(body).decode("utf-8", "replace")
            except zstandard.ZstdError:
                text = bytes(body).decode("utf-8", "replace")
            kept = any(name in item for name in others) and not self.traces.touch(item) and not self.traces.touch(text)
            if not kept:
                lost.append((key,))
        database.executemany("DELETE FROM replies WHERE key = ?", lost)
        return len(lost)

    def _surviving_ids(self) -> set[str]:
        ids: set[str] = set()
        for dataset, name in (
            (self.workspace.sessions, "session_id"), (self.workspace.sessions, "user_id"),
            (self.workspace.profiles, "profile_id"), (self.workspace.attempts, "item_id"),
            (self.workspace.tasks, "task_id"),
        ):  # fmt: skip
            if dataset.exists():
                for part in dataset.manifest().parts:
                    column = pq.read_table(dataset.folder / part.name, columns=[name]).column(0)
                    ids |= {value for value in column.unique().to_pylist() if value}
        return ids - self.traces.ids

    def _files(self) -> None:
        root = self.workspace.root
        for name in DERIVED_FOLDERS:
            if (root / name).is_dir() and any((root / name).iterdir()):
                shutil.rmtree(root / name)
                self.removed[name] += 1
        for folder in sorted(root.glob("*")):
            if folder.is_dir() and folder.name.startswith(("gepa", "optimizer", "optimiser", "learn")):
                shutil.rmtree(folder)
                self.removed["optimiser state"] += 1
        known = {root / "key", root / "lock", root / "forgotten.json"}
        for path in sorted(root.rglob("*")):
            if not path.is_file() or path in known or path.suffix in (".parquet", ".arrow", ".sqlite"):
                continue
            if path.suffix == ".jsonl":
                if path.parent.name != "journal":
                    self._lines(path, path.parent.name)
            elif path.name != "manifest.json":
                text = path.read_text(encoding="utf-8", errors="replace")
                if self.traces.touch(text) or self.named in text:
                    path.unlink()
                    self.removed["other files"] += 1

    def _has_prompts(self) -> bool:
        return self.workspace.prompts.exists() and self.workspace.prompts.manifest().rows > 0


def _turns(table: pa.Table) -> int:
    return sum(len(chunk.flatten()) for chunk in table.column("turns").chunks)
