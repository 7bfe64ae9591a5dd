"""Stage `export`: accepted trajectories become flat files that trainers read.

Comes in: datasets `trajectories` (and `attempts`, for rollouts) and `splits`. Goes out: `<workspace>/export/<format>/`
with `<config>/<split>-*.parquet|jsonl` and a dataset card, and `export/manifest.json`. Every file is read back before
it counts; rows in = rows out + rows dropped by a named reason, for every format, or the stage fails. No clock and no
machine goes into a file: equal trajectories, settings and seed give equal bytes. Makes no model call.
"""

import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq

from autointeract import __version__
from autointeract.errors import WorkspaceError
from autointeract.publish.card import card
from autointeract.publish.card_facts import CardFacts, gather
from autointeract.publish.empty import refuse_empty
from autointeract.publish.select import Selected, Selection, select
from autointeract.publish.settings import ExportSettings
from autointeract.publish.splits import NAMES, stored_splits
from autointeract.publish.target import FileInfo, Shard, Target
from autointeract.publish.targets import make_target
from autointeract.records import StageReport, Trajectory
from autointeract.workspace import Dataset, Workspace
from autointeract.workspace.files import write_text

if TYPE_CHECKING:
    from autointeract.services import Services


async def run(settings: ExportSettings, workspace: Workspace, services: "Services") -> StageReport:
    """Writes every wanted format.

    Raises:
        WorkspaceError: there are no trajectories yet, or a file does not hold what was meant.
        InputError: the settings leave no row, or an export that holds rows would be replaced by one without.
    """
    with workspace.lock("export"):
        dataset = workspace.trajectories
        selection = select(dataset.rows(), settings, services.seed)
        root = Path(settings.folder) if settings.folder else workspace.root / "export"
        if not selection.rows:
            refuse_empty(dataset, selection, settings, root)
        splits = stored_splits(
            workspace, (row.task_id for row in selection.rows), settings.val_share, settings.test_share, services.seed
        )
        facts = gather(workspace, selection)
        files: dict[str, list[FileInfo]] = {}
        for name in settings.resolved_formats():
            target = make_target(name, settings, workspace)
            files[name] = _write_target(target, root / name, dataset, selection, splits, settings, facts)
            shutil.rmtree(root / f".{name}.old", ignore_errors=True)
        manifest = _manifest(settings, services.seed, dataset, selection, files)
        write_text(root / "manifest.json", _json(manifest))
    return _report(root, selection, splits, files, manifest)


def plan(rows: Sequence[Selected], splits: dict[str, str], target: Target, rows_per_shard: int) -> list[Shard]:
    """The shards of one target. There is always a training split, even of no rows, so that every loader opens it."""
    groups: dict[tuple[str, str], list[Selected]] = {}
    for row in rows:
        groups.setdefault((target.config_of(row), splits[row.task_id]), []).append(row)
    configs = sorted({config for config, _ in groups}) or ["default"]
    shards: list[Shard] = []
    for config in configs:
        for split in NAMES:
            members = groups.get((config, split), [])
            if not members and split != "train":
                continue
            of = max(1, -(-len(members) // rows_per_shard))
            for number in range(of):
                start = number * rows_per_shard
                part = members[start : start + rows_per_shard]
                shards.append(Shard(config=config, split=split, number=number, of=of, start=start, rows=part))
    return shards


def _write_target(
    target: Target, folder: Path, dataset: Dataset[Trajectory], selection: Selection, splits: dict[str, str],
    settings: ExportSettings, facts: CardFacts,
) -> list[FileInfo]:  # fmt: skip
    # Written aside as a whole: a reader sees the old export or the new one, and no shard of an older plan stays.
    draft, old = folder.with_name(f".{folder.name}.new"), folder.with_name(f".{folder.name}.old")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    files = [
        target.write(draft, shard, _load(dataset, shard.rows))
        for shard in plan(selection.rows, splits, target, settings.rows_per_shard)
    ]
    written = sum(info.rows for info in files)
    if written != len(selection.rows) or selection.rows_in != written + sum(selection.dropped.values()):
        raise WorkspaceError(
            f"export {target.name}: {selection.rows_in} rows in, {written} written, dropped {selection.dropped}: "
            "they do not add up; nothing was published"
        )
    write_text(draft / "README.md", card(target.name, settings, facts, files))
    shutil.rmtree(old, ignore_errors=True)
    if folder.exists():
        folder.rename(old)
    draft.rename(folder)
    return files


def _load(dataset: Dataset[Trajectory], wanted: Sequence[Selected]) -> list[Trajectory]:
    """The wanted rows in their order, from one pass over the dataset; memory holds one shard and one row group."""
    places = {row.position: place for place, row in enumerate(wanted)}
    found: dict[int, Trajectory] = {}
    start = 0
    for path in dataset.parts() if places else ():
        with pq.ParquetFile(path) as file:
            for group in range(file.num_row_groups):
                count = file.metadata.row_group(group).num_rows
                inside = [number for number in range(count) if start + number in places]
                if inside:
                    for number, row in zip(inside, file.read_row_group(group).take(inside).to_pylist(), strict=True):
                        found[places[start + number]] = Trajectory.from_arrow(row)
                start += count
    return [found[place] for place in range(len(wanted))]


def _manifest(
    settings: ExportSettings, seed: int, dataset: Dataset[Trajectory], selection: Selection,
    files: dict[str, list[FileInfo]],
) -> dict[str, Any]:  # fmt: skip
    return {
        "software": f"autointeract {__version__}",
        "seed": seed,
        "settings": settings.result_view(),
        "trajectories": dataset.manifest().content_digest,
        "rows_in": selection.rows_in,
        "rows_out": len(selection.rows),
        "dropped": selection.dropped,
        "refused": selection.refused,
        "simulated": selection.simulated,
        "licenses": selection.licenses,
        "formats": {name: [info.model_dump() for info in infos] for name, infos in files.items()},
    }


def _report(
    root: Path, selection: Selection, splits: dict[str, str], files: dict[str, list[FileInfo]], manifest: dict[str, Any]
) -> StageReport:
    counts = {"rows in": selection.rows_in, "rows out": len(selection.rows)}
    counts |= {name: sum(splits[row.task_id] == name for row in selection.rows) for name in NAMES}
    counts |= {f"dropped: {reason}": number for reason, number in selection.dropped.items()}
    return StageReport(
        stage="export",
        counts=counts,
        notes=list(_notes(root, selection, files)),
        details={"files": manifest["formats"], "licenses": selection.licenses, "simulated": selection.simulated},
    )


def _notes(root: Path, selection: Selection, files: dict[str, list[FileInfo]]) -> Iterator[str]:
    for name, infos in files.items():
        yield f"{name}: {sum(info.rows for info in infos)} rows in {len(infos)} files under {root / name}"
    for folder in sorted(root.glob("*/README.md")):
        if folder.parent.name not in files:
            yield f"{folder.parent} is of an earlier export: name its format, or --format all, to renew it"
    if not selection.rows:
        yield "no row to export: the files are empty, and valid; see `dropped` and the synthesize stage for the reason"
    if selection.simulated:
        yield f"{selection.simulated} of {len(selection.rows)} rows were made with simulated models: not for training"
    for trajectory_id, reason in sorted(selection.refused.items())[:20]:
        yield f"refused trajectory {trajectory_id[:16]}: {reason}"


def _json(value: Any) -> str:
    import json

    return json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True, allow_nan=False) + "\n"
