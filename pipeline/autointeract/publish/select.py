"""First pass over the trajectories: which rows are exported, and why the others are not."""

import fnmatch
from collections import Counter
from collections.abc import Iterable

from autointeract.publish.messages import RefusedError, has_tools
from autointeract.publish.row_info import check_row
from autointeract.publish.settings import ExportSettings
from autointeract.records import Record, Trajectory, derive_seed, digest, is_simulated

_HAIR = 1e-9  # a mean that equals the bound may lie a hair beside it, as in the band of `synthesize`


class Selected(Record):
    """One row to export, small enough to hold for all rows.

    Attributes:
        position: 0-based place in the workspace's dataset.
        rank: place in the seeded order (or `position` where rows are not shuffled).
        text: digest of task and prompt text, letter case and white space aside.
    """

    trajectory_id: str
    task_id: str
    tools: bool
    position: int
    rank: int
    text: str
    simulated: bool
    license: str


class Selection(Record):
    """The outcome: rows in order, and where the rest went; `rows_in` = rows kept + all dropped.

    Attributes:
        dropped: number of rows left out, by reason.
        refused: `{trajectory_id: reason}` of rows that could not be written faithfully.
    """

    rows_in: int
    rows: list[Selected]
    dropped: dict[str, int]
    refused: dict[str, str]

    @property
    def simulated(self) -> int:
        """Kept rows that a simulated model had a part in."""
        return sum(row.simulated for row in self.rows)

    @property
    def licenses(self) -> dict[str, int]:
        """Kept rows by `source: licence`."""
        return dict(sorted(Counter(row.license for row in self.rows).items()))


def select(trajectories: Iterable[Trajectory], settings: ExportSettings, seed: int) -> Selection:
    """Filters, refuses, removes duplicates and caps, in this order."""
    dropped: Counter[str] = Counter()
    refused: dict[str, str] = {}
    candidates: list[Selected] = []
    position = -1
    for position, row in enumerate(trajectories):
        if reason := _filtered(row, settings):
            dropped[reason] += 1
            continue
        try:
            check_row(row)
        except RefusedError as error:
            refused[row.trajectory_id] = str(error)
            dropped["refused"] += 1
            continue
        candidates.append(_selected(row, position, settings, seed))
    rows: list[Selected] = []
    seen: set[str] = set()
    per_task: Counter[str] = Counter()
    for item in sorted(candidates, key=lambda item: (item.rank, item.trajectory_id, item.position)):
        keys = {"off": set(), "exact": {item.trajectory_id}, "normalized": {item.trajectory_id, item.text}}
        if keys[settings.dedup] & seen:
            dropped["duplicate"] += 1
        elif settings.max_rows_per_task and per_task[item.task_id] >= settings.max_rows_per_task:
            dropped["over max_rows_per_task"] += 1
        else:
            seen |= keys[settings.dedup]
            per_task[item.task_id] += 1
            rows.append(item)
    return Selection(rows_in=position + 1, rows=rows, dropped=dict(sorted(dropped.items())), refused=refused)


def _selected(row: Trajectory, position: int, settings: ExportSettings, seed: int) -> Selected:
    return Selected(
        trajectory_id=row.trajectory_id,
        task_id=row.source_task_id,
        tools=has_tools(row.prompt),
        position=position,
        rank=derive_seed(seed, "export", row.trajectory_id) if settings.shuffle else position,
        text=digest([row.source_task_id, [_normal(message.content) for message in row.prompt]], 32),
        simulated=is_simulated(row.models_json),
        license=f"{row.source}: {row.license or 'unknown'}",
    )


def _filtered(row: Trajectory, settings: ExportSettings) -> str | None:
    if settings.domains and row.domain not in settings.domains:
        return "other domain"
    if settings.sources and row.source not in settings.sources:
        return "other source"
    if settings.niches and not any(fnmatch.fnmatchcase(row.niche, pattern) for pattern in settings.niches):
        return "other niche"
    # A score that is no number passes here and is refused by name later.
    if row.weak_score < settings.min_weak - _HAIR or row.weak_score > settings.max_weak + _HAIR:
        return "weak score out of range"
    if row.strong_score < settings.min_strong - _HAIR or row.strong_score > settings.max_strong + _HAIR:
        return "strong score out of range"
    return None


def _normal(text: str) -> str:
    return " ".join(text.casefold().split())
