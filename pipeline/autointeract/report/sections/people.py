"""The people in the logs: sessions and turns, redaction, labels, fingerprints, profiles and niches."""

from collections import Counter
from typing import Any

from autointeract.records import StageReport
from autointeract.records.vocabulary import AXES, TYPED_KINDS
from autointeract.report import svg
from autointeract.report.blocks import Block, Figure, Section, Text, percent, table
from autointeract.report.reading import columns, missing
from autointeract.report.settings import ReportSettings
from autointeract.workspace import Workspace


def section(workspace: Workspace, stages: dict[str, StageReport], settings: ReportSettings) -> Section:
    """The section."""
    blocks: list[Block] = []
    if hint := missing(workspace, "sessions"):
        blocks.append(Text(text=hint))
    else:
        blocks += _logs(workspace, stages.get("ingest"), settings)
    if hint := missing(workspace, "labels"):
        blocks.append(Text(text=hint))
    else:
        blocks += _labels(workspace)
    if hint := missing(workspace, "fingerprints", "profiles"):
        blocks.append(Text(text=hint))
    blocks += _fingerprints(workspace, settings)
    blocks += _profiles(workspace, settings)
    return Section(anchor="people", title="People and user models", blocks=blocks)


def _logs(workspace: Workspace, ingest: StageReport | None, settings: ReportSettings) -> list[Block]:
    users: dict[str, list[int]] = {}
    kinds: Counter[str] = Counter()
    formats: Counter[str] = Counter()
    for row in columns(workspace.sessions, "user_id", "source_format", "turns.list.element.kind"):
        found = Counter(turn["kind"] for turn in row["turns"] or [])
        kinds.update(found)
        formats[row["source_format"]] += 1
        entry = users.setdefault(row["user_id"] or "(no identity)", [0, 0, 0])
        for place, number in enumerate((1, sum(found.values()), sum(found[kind] for kind in TYPED_KINDS))):
            entry[place] += number
    rows = [[name[:16], *numbers] for name, numbers in sorted(users.items(), key=lambda item: (-item[1][0], item[0]))]
    typed = sum(kinds[kind] for kind in TYPED_KINDS)
    blocks: list[Block] = [
        table("People", ["user (pseudonym)", "sessions", "events", "typed turns"], rows, settings.max_rows),
        table("Source formats", ["format", "sessions"], [list(item) for item in formats.most_common()], 40),
        Figure(
            title="Events by kind",
            svg=svg.bars(kinds.most_common()),
            caption=f"{typed:,} of {sum(kinds.values()):,} events were typed by a person.",
        ),
    ]
    removed = [(key, number) for key, number in _redactions(ingest)] if ingest else []
    if removed:
        blocks.append(table("Removed before anything was written", ["kind", "times"], [list(r) for r in removed], 60))
    return blocks


def _redactions(ingest: StageReport) -> list[tuple[str, int]]:
    """Counts of what was redacted, wherever the report keeps them (under a key that begins with "redact")."""
    found: dict[str, int] = {}

    def walk(value: Any, inside: bool, path: str) -> None:
        if isinstance(value, dict):
            for key, item in value.items():
                walk(item, inside or "redact" in str(key).casefold(), str(key))
        elif inside and isinstance(value, int) and not isinstance(value, bool):
            found[path] = found.get(path, 0) + value

    walk(ingest.details, False, "")
    if not found:
        walk(ingest.counts, False, "")
    return sorted(found.items(), key=lambda item: (-item[1], item[0]))


def _labels(workspace: Workspace) -> list[Block]:
    reactions: Counter[str] = Counter()
    intents: Counter[str] = Counter()
    specificity: Counter[str] = Counter()
    labellers: Counter[str] = Counter()
    for row in columns(workspace.labels, "intent", "reaction", "specificity", "labeller"):
        labellers[row["labeller"]] += 1
        reactions[row["reaction"]] += 1
        intents[row["intent"]] += 1
        specificity[str(row["specificity"])] += 1
    by = ", ".join(f"{name} ({number:,})" for name, number in labellers.most_common())
    return [
        Figure(title="Reactions to the assistant", svg=svg.bars(reactions.most_common()), caption=f"Labelled by {by}."),
        Figure(title="Kinds of request", svg=svg.bars(intents.most_common())),
        Figure(
            title="Specificity",
            svg=svg.bars(sorted(specificity.items())),
            caption="0 no object, 1 names a goal, 2 names a place or behaviour, 3 gives values or steps.",
        ),
    ]


def _fingerprints(workspace: Workspace, settings: ReportSettings) -> list[Block]:
    rows = []
    for row in columns(workspace.fingerprints, "user_id", "n_sessions", "n_turns", "axes"):
        axes = {axis["axis"]: axis for axis in row["axes"]}
        cells = [_axis(axes.get(name)) for name in AXES]
        rows.append([row["user_id"][:16], row["n_sessions"], row["n_turns"], *cells])
    if not rows:
        return []
    head = ["user", "sessions", "turns", *(name.replace("_", " ") for name in AXES)]
    title = "Fingerprints: value [90 % interval]; ? = cannot be told from the population's spread"
    return [table(title, head, rows, settings.max_rows)]


def _axis(axis: dict[str, Any] | None) -> str:
    if axis is None:
        return "–"
    return f"{axis['value']:.2f} [{axis['low']:.2f}, {axis['high']:.2f}]{'' if axis['known'] else ' ?'}"


def _profiles(workspace: Workspace, settings: ReportSettings) -> list[Block]:
    niches: Counter[str] = Counter()
    weights: Counter[str] = Counter()
    rows = []
    users: set[str] = set()
    for row in columns(
        workspace.profiles, "profile_id", "user_id", "niche", "text", "generation", "fidelity", "weight"
    ):
        niches[row["niche"]] += 1
        weights[row["niche"]] += row["weight"]
        users.add(row["user_id"])
        text = row["text"] if len(row["text"]) <= 400 else row["text"][:400] + "…"
        rows.append([row["profile_id"][:12], row["generation"], row["niche"], row["fidelity"], row["weight"], text])
    if not rows:
        return []
    total = sum(weights.values())
    shares = [[name, number, percent(weights[name], total)] for name, number in niches.most_common()]
    head = ["profile", "generation", "niche", "fidelity", "weight", "text"]
    return [
        Text(text=f"{len(rows):,} profiles of {len(users):,} people in {len(niches):,} niches ({', '.join(AXES)})."),
        table("Niches", ["niche", "profiles", "share of the population"], shares, settings.max_rows),
        table("Profiles", head, rows, settings.max_rows),
    ]
