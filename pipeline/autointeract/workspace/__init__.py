"""A workspace: a folder of datasets with everything needed to stop at any moment and go on.

    <workspace>/
      <dataset>/part-00000-<sha>.parquet ... manifest.json    rows (sessions, labels, tasks, attempts, trajectories ...)
      journal/<stage>.jsonl                             finished items of a stage, append-only
      stages/<stage>.json                               the last report of each stage
      cache/, blobs/, reports/, ledger/                 replies and verdicts, large test archives, HTML, model calls
      key                                               the pseudonym key; never leaves the workspace
      lock                                              who is writing

Only one process writes; readers never wait, because every file appears whole (written aside, fsynced, renamed).
"""

from autointeract.workspace.dataset import Dataset
from autointeract.workspace.files import atomic_write
from autointeract.workspace.folder import Workspace
from autointeract.workspace.journal import Journal
from autointeract.workspace.manifest import Manifest, PartInfo
from autointeract.workspace.stage import PlannedItem, ResumeMode, StageRun

__all__ = [
    "Dataset", "Journal", "Manifest", "PartInfo", "PlannedItem", "ResumeMode", "StageRun", "Workspace", "atomic_write",
]  # fmt: skip
