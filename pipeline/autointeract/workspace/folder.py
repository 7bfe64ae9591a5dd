"""Workspace: the folder itself, and the names of what is in it."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from autointeract.errors import WorkspaceError
from autointeract.records import (
    Attempt,
    BehaviorPrompt,
    Fingerprint,
    Profile,
    Session,
    SourceTask,
    Split,
    StageReport,
    Trajectory,
    TurnLabel,
)
from autointeract.records.row import Row
from autointeract.workspace.dataset import Dataset
from autointeract.workspace.files import write_text
from autointeract.workspace.lock import writer_lock

R = TypeVar("R", bound=Row)


class Workspace:
    """A folder of datasets. Creating the object touches nothing; the first write makes the folder.

    Attributes:
        root: the folder.
        configured_key: the pseudonym key given by config (for reproducible runs), or null for a random one.
    """

    def __init__(self, root: Path, configured_key: str | None = None):
        self.root = root
        self.configured_key = configured_key
        self._depth = 0
        if root.exists() and not root.is_dir():
            raise WorkspaceError(f"{root} is a file: a workspace is a folder")

    def exists(self) -> bool:
        """Whether something of a workspace is there; any other folder is none."""
        marks = ("lock", "journal", "stages")
        return any((self.root / name).exists() for name in marks) or any(self.root.glob("*/manifest.json"))

    def require(self) -> "Workspace":
        """Itself.

        Raises:
            WorkspaceError: there is no workspace.
        """
        if not self.exists():
            raise WorkspaceError(f"no workspace at {self.root}: name one with -w; `ingest` and `tasks` make one")
        return self

    def dataset(self, name: str, row: type[R]) -> Dataset[R]:
        """The dataset `name`; a caller that only needs the standard ones uses the properties below."""
        return Dataset(self.root / name, row)

    sessions = property(lambda self: self.dataset("sessions", Session), doc="Dataset of Session.")
    labels = property(lambda self: self.dataset("labels", TurnLabel), doc="Dataset of TurnLabel.")
    fingerprints = property(lambda self: self.dataset("fingerprints", Fingerprint), doc="Dataset of Fingerprint.")
    profiles = property(lambda self: self.dataset("profiles", Profile), doc="Dataset of Profile.")
    prompts = property(lambda self: self.dataset("prompts", BehaviorPrompt), doc="Dataset of BehaviorPrompt.")
    tasks = property(lambda self: self.dataset("tasks", SourceTask), doc="Dataset of SourceTask.")
    attempts = property(lambda self: self.dataset("attempts", Attempt), doc="Dataset of Attempt.")
    trajectories = property(lambda self: self.dataset("trajectories", Trajectory), doc="Dataset of Trajectory.")
    splits = property(lambda self: self.dataset("splits", Split), doc="Dataset of Split.")

    def journal_path(self, stage: str) -> Path:
        """Where a stage's journal lies."""
        return self.root / "journal" / f"{stage}.jsonl"

    def folder(self, name: str) -> Path:
        """A folder of the workspace ("cache", "blobs", "reports", "ledger"), made if missing."""
        path = self.root / name
        path.mkdir(parents=True, exist_ok=True)
        return path

    @contextmanager
    def lock(self, stage: str) -> Iterator[None]:
        """Holds the writer's lock; a stage run inside another's lock (as `run` does) joins it."""
        if self._depth:
            yield
            return
        with writer_lock(self.root / "lock", stage):
            self._depth += 1
            try:
                yield
            finally:
                self._depth -= 1

    def pseudonym_key(self) -> bytes:
        """The key of the pseudonyms: from config, else random, made once and readable by the owner alone.

        Raises:
            WorkspaceError: the file with the key is damaged.
        """
        path = self.root / "key"
        if self.configured_key is not None:
            return self.configured_key.encode()
        if not path.exists():
            write_text(path, secrets.token_hex(32))
            path.chmod(0o600)
        key = path.read_text(encoding="utf-8", errors="replace").strip()
        if not key:
            raise WorkspaceError(f"{path} is damaged, and without it every pseudonym would change: restore it")
        return key.encode()

    def save_report(self, report: StageReport) -> None:
        """Keeps a stage's report as `stages/<stage>.json`."""
        write_text(self.root / "stages" / f"{report.stage}.json", report.model_dump_json(indent=1) + "\n")

    def load_report(self, stage: str) -> StageReport | None:
        """The last report of a stage, or null (WorkspaceError where it is damaged)."""
        path = self.root / "stages" / f"{stage}.json"
        if not path.is_file():
            return None
        try:
            return StageReport.model_validate_json(path.read_text(encoding="utf-8"))
        except ValueError:
            raise WorkspaceError(f"{path} is damaged: run `autointeract {stage}` again") from None
