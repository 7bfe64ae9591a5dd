"""What the dataset card says, as data: counted from the exported rows, and taken from the stages' reports."""

import itertools
from collections import Counter
from typing import Any

import pyarrow.parquet as pq

from autointeract.publish.select import Selection
from autointeract.records import Record, load_json
from autointeract.workspace import Workspace

_COLUMNS = [
    "domain", "scenario", "round", "source", "license", "niche", "models_json", "weak_score", "strong_score",
    "software",
]  # fmt: skip
BANDS = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)


class CardFacts(Record):
    """Counts over the exported rows.

    Attributes:
        bands: rows by band of weak and strong mean score.
        models: models by role, as the rows name them.
        reports: parts of the reports of `synthesize`, `realism` and `learn-prompt` that the card quotes; empty parts
            where a stage did not run.
        people: users in the workspace's sessions.
    """

    rows: int
    simulated: int
    tasks: int
    domains: dict[str, int]
    scenarios: dict[str, int]
    rounds: dict[str, int]
    sources: dict[str, int]
    niches: dict[str, int]
    models: dict[str, list[str]]
    bands: dict[str, dict[str, int]]
    weak_mean: float | None
    strong_mean: float | None
    software: list[str]
    people: int
    reports: dict[str, dict[str, Any]]


def gather(workspace: Workspace, selection: Selection) -> CardFacts:
    """Reads a few columns once; no conversation is read."""
    wanted = {row.position for row in selection.rows}
    counts: dict[str, Counter[str]] = {name: Counter() for name in ("domain", "scenario", "round", "niche", "software")}
    sources: Counter[str] = Counter()
    models: dict[str, set[str]] = {}
    bands: dict[str, Counter[str]] = {"weak": Counter(), "strong": Counter()}
    sums = {"weak": 0.0, "strong": 0.0}
    position = -1
    dataset = workspace.trajectories
    for path in dataset.parts():
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=2048, columns=_COLUMNS):
                for row in batch.to_pylist():
                    position += 1
                    if position not in wanted:
                        continue
                    for name, counter in counts.items():
                        counter[str(row[name])] += 1
                    sources[f"{row['source']}: {row['license'] or 'unknown'}"] += 1
                    for role, entry in load_json(row["models_json"], {}).items():
                        name = entry.get("model", "unknown") if isinstance(entry, dict) else entry
                        models.setdefault(str(role), set()).add(str(name))
                    for solver in bands:
                        score = row[f"{solver}_score"]
                        sums[solver] += score
                        bands[solver][_band(score)] += 1
    total = len(wanted)
    return CardFacts(
        rows=total,
        simulated=selection.simulated,
        tasks=len({row.task_id for row in selection.rows}),
        domains=_most(counts["domain"]),
        scenarios=_most(counts["scenario"]),
        rounds=dict(sorted(counts["round"].items(), key=lambda item: int(item[0]))),
        sources=_most(sources),
        niches=_most(counts["niche"]),
        models={role: sorted(names) for role, names in sorted(models.items())},
        bands={solver: dict(sorted(counter.items())) for solver, counter in bands.items()},
        weak_mean=sums["weak"] / total if total else None,
        strong_mean=sums["strong"] / total if total else None,
        software=sorted(counts["software"]),
        people=_people(workspace),
        reports=_reports(workspace),
    )


def _band(score: float) -> str:
    for low, high in itertools.pairwise(BANDS):
        if score < high or high == BANDS[-1]:
            return f"{low:.1f} to {high:.1f}"
    raise AssertionError("scores are checked before they come here")


def _most(counter: Counter[str]) -> dict[str, int]:
    return dict(sorted(counter.items(), key=lambda item: (-item[1], item[0])))


def _people(workspace: Workspace) -> int:
    if not workspace.sessions.exists():
        return 0
    users: set[str] = set()
    for path in workspace.sessions.parts():
        users |= set(pq.read_table(path, columns=["user_id"])["user_id"].to_pylist())
    return len(users - {None})  # type: ignore[arg-type]


def _reports(workspace: Workspace) -> dict[str, dict[str, Any]]:
    kept: dict[str, dict[str, Any]] = {}
    for stage, parts in (
        ("synthesize", ("acceptance", "comparison", "confirmation", "full_diagnosis")),
        ("realism", ("summary", "measures")),
        ("learn-prompt", ("seed_prompt", "gain")),
    ):
        report = workspace.load_report(stage)
        kept[stage] = {name: report.details[name] for name in parts if report.details.get(name)} if report else {}
        if report and stage == "realism":
            kept[stage]["notes"] = report.notes
    return kept
