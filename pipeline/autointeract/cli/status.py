"""`autointeract status`: what a workspace holds, without reading any rows."""

import json
from collections.abc import Iterator
from pathlib import Path

from autointeract.cli.progress import fault_lines
from autointeract.cli.seed import seed_line
from autointeract.config import Settings
from autointeract.records import StageReport
from autointeract.workspace import Manifest, Workspace


def status_lines(settings: Settings) -> Iterator[str]:
    """Lines for a person.

    Raises:
        WorkspaceError: the folder does not exist.
    """
    root = Path(settings.workspace)
    Workspace(root).require()
    yield f"workspace {root}"
    yield f"writing now: {_holder(root / 'lock')}"
    if seed := seed_line(root):
        yield f"seed           {seed}"
    for path in sorted(root.glob("*/manifest.json")):
        if path.parent.name == "export":
            continue
        try:
            manifest = Manifest.model_validate_json(path.read_text(encoding="utf-8"))
        except ValueError:
            yield f"{path.parent.name:<14} its manifest is damaged: run the stage that writes it again"
            continue
        state = "complete" if manifest.complete else "stopped early, resumable"
        yield f"{path.parent.name:<14} {manifest.rows:>8,} rows  {state}, by {manifest.stage} at {manifest.written_at}"
    for path in sorted(root.glob("stages/*.json")):
        yield from _of_stage(path)
    current = _exported(root / "export" / "manifest.json")
    for path in sorted(item for item in root.glob("export/*") if item.is_dir()):
        if path.name.startswith("."):
            continue  # being written, or left by a run that was killed
        older = "" if path.name in current else "  (of an earlier export)"
        yield f"export         {path.name}: {sum(1 for _ in path.rglob('*.*'))} files in {path}{older}"
    for path in sorted(root.glob("journal/*.jsonl")):
        yield f"journal        {path.stem}: {path.stat().st_size / 1e3:,.0f} kB"


def _exported(path: Path) -> set[str]:
    """The formats that the last export wrote."""
    try:
        return set(json.loads(path.read_text(encoding="utf-8"))["formats"])
    except (OSError, ValueError, KeyError, TypeError):
        return set()


def _of_stage(path: Path) -> Iterator[str]:
    """What is wrong with the last run of a stage; nothing where all went well."""
    try:
        report = StageReport.model_validate_json(path.read_text(encoding="utf-8"))
    except (ValueError, OSError):
        yield f"{path.stem:<14} its report is damaged: run the stage again"
        return
    if not report.complete:
        yield f"{report.stage:<14} stopped early: run the same command again to go on"
    for line in fault_lines(report):
        yield f"{report.stage:<14} {line}"


def _holder(path) -> str:  # type: ignore[no-untyped-def]
    import fcntl

    if not path.is_file():
        return "nobody"
    with open(path, "rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
            return "nobody"
        except OSError:
            try:
                data = json.loads(file.read())
                return f"process {data['pid']}, stage {data['stage']}"
            except (ValueError, KeyError):
                return "another process"
