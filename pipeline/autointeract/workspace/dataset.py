"""Dataset: one folder of Parquet parts with a manifest."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

import pyarrow as pa
import pyarrow.parquet as pq

from autointeract import __version__
from autointeract.errors import WorkspaceError
from autointeract.records.row import Row
from autointeract.workspace.files import atomic_write, file_sha256, write_text
from autointeract.workspace.manifest import Manifest, PartInfo

R = TypeVar("R", bound=Row)
ROWS_PER_GROUP = 1024
BYTES_PER_GROUP = 256 * 1024 * 1024
"""A row group is closed at either bound, so that no string column nears the 2 GiB limit some readers have."""
WRITER = {
    "sessions": "ingest", "labels": "label", "fingerprints": "profile", "profiles": "profile",
    "prompts": "learn-prompt", "tasks": "tasks", "attempts": "synthesize", "trajectories": "synthesize",
    "calibrated": "calibrate",
}  # fmt: skip
"""Dataset -> the stage that writes it, for messages."""
_CHECKED: set[tuple[str, int, int]] = set()
"""Parts (path, time of change, size) that were found to be what their manifest says."""


class Dataset(Generic[R]):
    """Rows of one record class in one folder.

    Reading follows the manifest: files it does not name are ignored, so nothing half-written is ever read back.
    """

    def __init__(self, folder: Path, row: type[R]):
        self.folder = folder
        self.row = row

    @property
    def name(self) -> str:
        """The folder's name, e.g. "sessions"."""
        return self.folder.name

    def exists(self) -> bool:
        """Whether a manifest has been written."""
        return (self.folder / "manifest.json").is_file()

    def manifest(self) -> Manifest:
        """The manifest.

        Raises:
            WorkspaceError: there is none, it is damaged, or it is of a later schema version.
        """
        path = self.folder / "manifest.json"
        if not path.is_file():
            raise WorkspaceError(f"no dataset {self.name!r} in {self.folder.parent}: run {_stage(self.name)} first")
        try:
            manifest = Manifest.model_validate_json(path.read_text(encoding="utf-8"))
        except ValueError:
            raise WorkspaceError(f"{path} is damaged: restore it, or run {_stage(self.name)} again") from None
        if manifest.schema_version > self.row.SCHEMA_VERSION:
            raise WorkspaceError(f"{path}: schema version {manifest.schema_version} is newer than this software reads")
        return manifest

    def rows(self) -> Iterator[R]:
        """Every row, streamed in part order.

        Raises:
            WorkspaceError: a part that the manifest names is missing or unreadable.
        """
        for path in self.parts():
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=256):
                    for data in batch.to_pylist():
                        yield self.row.from_arrow(data)

    def parts(self) -> Iterator[Path]:
        """The files of the dataset in order, each compared with the manifest before it is read (once a process).

        Raises:
            WorkspaceError: a part is missing, or is not what was written.
        """
        manifest = self.manifest()
        for part in manifest.parts:
            path = self.folder / part.name
            try:
                state = path.stat()
                known = (str(path), state.st_mtime_ns, state.st_size)
                why = "" if known in _CHECKED or file_sha256(path) == part.sha256 else "is not what was written"
            except FileNotFoundError:
                known, why = None, "is missing"
            if why:
                raise WorkspaceError(f"{path} {why}: {self._remedy(manifest.stage)}")
            if known is not None:
                _CHECKED.add(known)
            yield path

    def _remedy(self, stage: str) -> str:
        if self.name == "splits":  # drawn once and kept, so no stage writes them over
            return f"restore it, or move {self.folder} away to have them drawn again"
        return f"restore it, or run `autointeract {stage}` again, which writes it anew from its journal"

    def write(
        self, parts: Iterable[Iterable[R]], *, stage: str, stage_digest: str, inputs: dict[str, str], complete: bool,
        notes: dict[str, Any] | None = None,
    ) -> Manifest:  # fmt: skip
        """Writes `parts` (each an iterable of rows) and then the manifest; parts of an earlier manifest are removed
        after.
        """
        tables = ((self.row.table(batch) for batch in _batches(rows)) for rows in parts)
        return self.write_tables(
            tables, stage=stage, stage_digest=stage_digest, inputs=inputs, complete=complete, notes=notes
        )

    def write_tables(
        self, parts: Iterable[Iterable[pa.Table]], *, stage: str, stage_digest: str, inputs: dict[str, str],
        complete: bool, notes: dict[str, Any] | None = None,
    ) -> Manifest:  # fmt: skip
        """As `write`, for a stage that already holds its rows as Arrow tables under the row's schema: each table of a
        part becomes one row group.
        """
        self.folder.mkdir(parents=True, exist_ok=True)
        infos = [self._write_part(number, tables) for number, tables in enumerate(parts)]
        manifest = Manifest(
            row=self.row.__name__, schema_version=self.row.SCHEMA_VERSION, software=f"autointeract {__version__}",
            stage=stage, stage_digest=stage_digest, inputs=inputs, rows=sum(info.rows for info in infos), parts=infos,
            complete=complete, notes=notes or {}, written_at=datetime.now(UTC).isoformat(timespec="seconds"),
        )  # fmt: skip
        write_text(self.folder / "manifest.json", manifest.model_dump_json(indent=1) + "\n")
        named = {info.name for info in infos}
        for path in [*self.folder.glob("part-*.parquet"), *self.folder.glob(".*.tmp"), *self.folder.glob(".*.draft")]:
            if path.name not in named:
                path.unlink()
        return manifest

    def _write_part(self, number: int, tables: Iterable[pa.Table]) -> PartInfo:
        # The name carries the content's digest, so that a manifest never names a file that a later, killed write
        # replaced.
        count = 0
        draft = self.folder / f".part-{number:05d}.draft"
        with (
            atomic_write(draft) as temporary,
            pq.ParquetWriter(temporary, self.row.SCHEMA, compression="zstd") as writer,
        ):
            for table in tables:
                writer.write_table(table, row_group_size=max(len(table), 1))
                count += len(table)
        sha = file_sha256(draft)
        name = f"part-{number:05d}-{sha[:8]}.parquet"
        draft.replace(self.folder / name)
        return PartInfo(name=name, rows=count, sha256=sha)


def _stage(name: str) -> str:
    return f"`autointeract {WRITER[name]}`" if name in WRITER else "the stage that writes it"


def _batches(rows: Iterable[R]) -> Iterator[list[R]]:
    batch: list[R] = []
    size = 0
    for row in rows:
        length = len(row.model_dump_json())
        if batch and (len(batch) >= ROWS_PER_GROUP or size + length > BYTES_PER_GROUP):
            yield batch
            batch, size = [], 0
        batch.append(row)
        size += length
    if batch:
        yield batch
