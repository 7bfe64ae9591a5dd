"""StageRun: one stage at work in a workspace - its journal, what is still owed, and the parts at the end.

A stage plans its items first (a seeded, ordered list). Each finished item is one journal line under the item's key and
input digest. At the end the journal is compacted into parts that are fixed ranges of the plan, so the bytes do not
depend on timing, on concurrency, or on how often the run was killed.
"""

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from autointeract.errors import ResumeError, WorkspaceError
from autointeract.records.digest import digest
from autointeract.records.row import Record, Row
from autointeract.workspace.dataset import Dataset
from autointeract.workspace.folder import Workspace
from autointeract.workspace.journal import Journal
from autointeract.workspace.manifest import Manifest

R = TypeVar("R", bound=Row)
ResumeMode = Literal["never", "auto", "require"]
ITEMS_PER_PART = 2000


class PlannedItem(Record):
    """One item of a plan: a key that is unique in the stage, and the digest of everything the item is made from."""

    key: str
    input_digest: str


class StageRun:
    """The journal of one stage under one set of settings. Use `StageRun.open`."""

    def __init__(self, workspace: Workspace, stage: str, settings: dict[str, Any], journal: Journal):
        self.workspace = workspace
        self.stage = stage
        self.settings = settings
        self.journal = journal
        self.stage_digest = digest(settings)

    @classmethod
    @contextmanager
    def open(
        cls, workspace: Workspace, stage: str, settings: dict[str, Any], resume: ResumeMode = "auto"
    ) -> Iterator["StageRun"]:
        """Takes the workspace's lock and opens the stage's journal.

        Args:
            settings: JSON data of all that decides results (`SettingsModel.result_view()`, models, prompt digests,
                seed).
            resume: `auto` goes on where the settings match and refuses where they do not; `never` moves the old journal
                aside and starts afresh; `require` refuses when there is nothing to resume.

        Raises:
            ResumeError: the settings differ (the message lists the differences), or nothing is there to resume.
            LockedError: another process is writing.
            WorkspaceError: the journal is damaged.
        """
        with workspace.lock(stage):
            path = workspace.journal_path(stage)
            if resume == "never":
                _move_aside(path)
            if resume == "require" and not path.exists():
                raise ResumeError(f"nothing to resume: {path} does not exist; run without --resume require")
            journal = Journal(path)
            if journal.header is None and next(journal.keys(), None) is not None:
                raise WorkspaceError(f"{path}: line 1 is no header, so its settings are unknown; restore it or use "
                                     "--resume never")  # fmt: skip
            if journal.header is None:
                journal.start({"stage": stage, "digest": digest(settings), "settings": settings})
            elif journal.header["digest"] != digest(settings):
                raise ResumeError(_difference(path, journal.header["settings"], settings))
            run = cls(workspace, stage, settings, journal)
            try:
                yield run
            finally:
                journal.close()

    def owed(self, plan: Sequence[PlannedItem]) -> list[PlannedItem]:
        """The items of the plan that no journal line answers from the same input, in plan order."""
        return [item for item in plan if not self.journal.has(item.key, item.input_digest)]

    def finished(self, plan: Iterable[PlannedItem]) -> Iterator[tuple[PlannedItem, Any]]:
        """(item, value) of every finished item of the plan, in plan order, read one at a time."""
        for item in plan:
            if self.journal.has(item.key, item.input_digest):
                yield item, self.journal.get(item.key)

    def compact(
        self, plan: Sequence[PlannedItem], dataset: Dataset[R], rows_of: Callable[[Any], Iterable[R]], *,
        inputs: dict[str, str], complete: bool = True, notes: dict[str, Any] | None = None,
    ) -> Manifest:  # fmt: skip
        """Writes the finished items of the plan as Parquet: part k holds items [k * ITEMS_PER_PART, ...) of the
        plan.
        """

        def part(items: Sequence[PlannedItem]) -> Iterator[R]:
            for _, value in self.finished(items):
                yield from rows_of(value)

        starts = range(0, max(len(plan), 1), ITEMS_PER_PART)
        return dataset.write(
            (part(plan[start : start + ITEMS_PER_PART]) for start in starts), stage=self.stage,
            stage_digest=self.stage_digest, inputs=inputs, complete=complete, notes=notes,
        )  # fmt: skip


def _move_aside(path: Path) -> None:
    if path.exists():
        path.rename(path.with_name(f"{path.stem}.{time.time_ns()}.old"))


def _difference(path: Path, old: Any, new: Any) -> str:
    lines = [f"  {name}: {before!r} -> {after!r}" for name, before, after in _changes("", old, new)][:12]
    return "\n".join(
        [
            f"{path} was made with other settings:",
            *lines,
            "use --resume never to start afresh, or another workspace (-w)",
        ]
    )


def _changes(prefix: str, old: Any, new: Any) -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from _changes(f"{prefix}.{key}" if prefix else key, old.get(key), new.get(key))
    elif old != new:
        yield prefix, old, new
