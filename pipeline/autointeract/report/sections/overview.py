"""Overview: is any of this simulated, how far has the flow come, what may not be claimed."""

from collections.abc import Iterator
from typing import Any

from autointeract.records import StageReport, is_simulated
from autointeract.report.blocks import Block, Notes, Section, Table, Text, Tiles, show, table
from autointeract.report.reading import STAGES, columns
from autointeract.report.settings import ReportSettings
from autointeract.report.words import faults_table, lost_table, words
from autointeract.workspace import Workspace

_CLAIMS = ("cannot", "only ", "too few", "not be", "nothing can", "not enough", "unknown", "not for training", "rely")


def section(workspace: Workspace, stages: dict[str, StageReport], settings: ReportSettings) -> Section:
    """The section."""
    blocks: list[Block] = []
    if warning := simulated_warning(workspace):
        blocks.append(Text(text=warning, tone="warn"))
    blocks.append(Tiles(items=list(_tiles(workspace))))
    claims = [f"{name}: {note}" for name, report in stages.items() for note in report.notes if _limits(note)]
    claims = [*people_claims(workspace), *claims]
    if claims:
        shown = claims[: settings.max_rows]
        if len(claims) > len(shown):
            shown.append(f"... and {len(claims) - len(shown)} more, in the notes of each stage below")
        blocks.append(Notes(title="What cannot be claimed from this data", items=shown))
    blocks.append(_flow(stages))
    return Section(anchor="overview", title="Overview", blocks=blocks)


def simulated_warning(workspace: Workspace) -> str | None:
    """A sentence that counts the trajectories with a simulated model behind them; null if there are none."""
    total = simulated = 0
    for row in columns(workspace.trajectories, "models_json"):
        total += 1
        simulated += is_simulated(row["models_json"])
    if not simulated:
        return None
    return (
        f"SIMULATED: {simulated:,} of {total:,} trajectories were made with simulated models. They show that the "
        "pipeline works; they say nothing about real models or real users, and are not for training."
    )


def people_claims(workspace: Workspace) -> Iterator[str]:
    """What so few people, or people with so few sessions, do not support."""
    sessions: dict[str, int] = {}
    anonymous = 0
    for row in columns(workspace.sessions, "user_id"):
        if row["user_id"] is None:
            anonymous += 1
        else:
            sessions[row["user_id"]] = sessions.get(row["user_id"], 0) + 1
    single = sum(number == 1 for number in sessions.values())
    if anonymous:
        yield f"{anonymous} sessions carry no user identity: they serve realism, never a profile"
    if not sessions:
        return
    if len(sessions) < 30:
        people = "person" if len(sessions) == 1 else "people"
        yield (
            f"{len(sessions)} {people} only: shares and niches describe these people, not developers at large, and "
            "differences between users cannot be told from chance"
        )
    if single:
        yield (
            f"{single} of {len(sessions)} people have one session: their habits cannot be told from the mood of that "
            "day, so their axes are unknown"
        )


def stage_section(name: str, report: StageReport, settings: ReportSettings) -> Section:
    """All that one stage said, in full: counts, faults, notes, usage, details."""
    blocks: list[Block] = []
    if not report.complete:
        blocks.append(Text(text=f"{name} stopped early: run the same command again to go on.", tone="warn"))
    if report.counts:
        blocks.append(
            table("Counts", ["what", "number"], [[words(k), v] for k, v in report.counts.items()], settings.max_rows)
        )
    if faults := {name: number for name, number in report.faults.items() if number}:
        blocks.append(faults_table("Faults", "number", faults))
    if report.notes:
        more = len(report.notes) - settings.max_rows
        items = report.notes[: settings.max_rows] + ([f"... and {more} more"] if more > 0 else [])
        blocks.append(Notes(title="Notes", items=items))
    details = dict(report.details)
    if isinstance(problems := details.get("problems"), dict) and problems:
        blocks.append(lost_table(details.pop("problems")))
    rows = [*_leaves("usage", report.usage), *_leaves("", details)]
    if rows:
        blocks.append(table("Details", ["what", "value"], [list(row) for row in rows], 4 * settings.max_rows))
    return Section(anchor=f"stage-{name}", title=f"Stage {name}", blocks=blocks)


def _leaves(path: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict) and value:
        for key, item in value.items():
            yield from _leaves(f"{path}.{key}" if path else str(key), item)
    elif isinstance(value, list) and value and all(isinstance(item, dict | list) for item in value):
        for number, item in enumerate(value):
            yield from _leaves(f"{path}[{number}]", item)
    else:
        text = ", ".join(show(item) for item in value) if isinstance(value, list) else show(value)
        yield path, text if len(text) <= 300 else f"{text[:300]}… ({len(text):,} characters)"


def _limits(note: str) -> bool:
    return any(word in note.casefold() for word in _CLAIMS)


def _tiles(workspace: Workspace) -> Iterator[tuple[str, str]]:
    users = {row["user_id"] for row in columns(workspace.sessions, "user_id")} - {None}
    if workspace.sessions.exists():
        yield "people", show(len(users))
    for name in ("sessions", "profiles", "tasks", "attempts", "trajectories"):
        dataset = getattr(workspace, name)
        yield name, show(dataset.manifest().rows) if dataset.exists() else "–"


def _flow(stages: dict[str, StageReport]) -> Table:
    rows = []
    for name in (*STAGES, *(name for name in stages if name not in STAGES)):
        report = stages.get(name)
        if report is None:
            rows.append([name, "not run", f"autointeract {name}", "", ""])
            continue
        counts = ", ".join(f"{show(value)} {words(key)}" for key, value in list(report.counts.items())[:6])
        state = "complete" if report.complete else "stopped early"
        rows.append([name, state, counts, show(sum(report.faults.values())), f"{report.seconds:.1f} s"])
    return table("The flow", ["stage", "state", "counts", "faults", "time"], rows, len(rows))
