"""Reads from a workspace only what the page needs: some columns, a few rows; nothing where a dataset is missing."""

from collections.abc import Iterator
from typing import Any

import pyarrow.parquet as pq

from autointeract.records import StageReport
from autointeract.workspace import Dataset, Workspace

WRITER = {
    "sessions": "ingest", "labels": "label", "fingerprints": "profile", "profiles": "profile",
    "prompts": "learn-prompt", "tasks": "tasks", "attempts": "synthesize", "trajectories": "synthesize",
}  # fmt: skip
"""Dataset -> the stage that writes it."""
STAGES = ("ingest", "label", "profile", "learn-prompt", "realism", "tasks", "synthesize", "export")


def columns(dataset: Dataset[Any], *names: str) -> Iterator[dict[str, Any]]:
    """These columns of every row, streamed; nothing if the dataset does not exist. Nested columns come whole."""
    if not dataset.exists():
        return
    for path in dataset.parts():
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=2048, columns=list(names)):
                yield from batch.to_pylist()


def some_rows(dataset: Dataset[Any], key: str, wanted: set[str]) -> dict[str, Any]:
    """The rows whose column `key` is in `wanted`, by key; only the row groups that hold one are read."""
    found: dict[str, Any] = {}
    for path in dataset.parts() if wanted else ():
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                keys = file.read_row_group(group, columns=[key])[key].to_pylist()
                places = [place for place, name in enumerate(keys) if name in wanted and name not in found]
                if places:
                    for row in file.read_row_group(group).take(places).to_pylist():
                        found[row[key]] = dataset.row.from_arrow(row)
    return found


def missing(workspace: Workspace, *names: str) -> str | None:
    """A sentence that says which stage to run for the datasets that are not there; null if all are."""
    absent = [name for name in names if not (workspace.root / name / "manifest.json").is_file()]
    if not absent:
        return None
    stages = sorted({WRITER[name] for name in absent}, key=STAGES.index)
    return f"No {', '.join(absent)} yet: run {', '.join(f'`autointeract {stage}`' for stage in stages)}."


def reports(workspace: Workspace) -> dict[str, StageReport]:
    """The last report of every stage that has one: known stages in the order of the flow, then others by name."""
    folder = workspace.root / "stages"
    names = {path.stem for path in folder.glob("*.json")} - {"report"} if folder.is_dir() else set()
    ordered = [*(name for name in STAGES if name in names), *sorted(names - set(STAGES))]
    found = {name: workspace.load_report(name) for name in ordered}
    return {name: report for name, report in found.items() if report is not None}
