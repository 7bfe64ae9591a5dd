"""The work: tasks admitted and refused, acceptance by round and arm, failures, scores, cost."""

from collections import Counter

from autointeract.records import StageReport
from autointeract.report import svg
from autointeract.report.acceptance import COLUMNS, Acceptance, Comparison, Curve, measure, stated
from autointeract.report.blocks import Block, Figure, Section, Text, Tiles, percent, show, table
from autointeract.report.reading import columns, missing
from autointeract.report.sections.overview import simulated_warning
from autointeract.report.settings import ReportSettings
from autointeract.report.statistics import wilson
from autointeract.report.words import faults_table
from autointeract.workspace import Workspace

WEAK_MAX, STRONG_MIN = 0.40, 0.70
"""The paper's band, marked in the histogram."""
PAPER = {"algorithmic": (0.094, 0.281), "swe": (0.266, 0.509)}
"""Accepted share at round 0 and after five revisions, as the AutoInteract paper reports them (real models)."""


def tasks_section(workspace: Workspace, stages: dict[str, StageReport], settings: ReportSettings) -> Section:
    """Tasks admitted, and refused by reason."""
    if hint := missing(workspace, "tasks"):
        return Section(anchor="tasks", title="Tasks", blocks=[Text(text=hint)])
    kinds: Counter[tuple[str, str]] = Counter()
    baselines: list[float] = []
    for row in columns(workspace.tasks, "domain", "source", "baseline_score"):
        kinds[row["domain"], row["source"]] += 1
        if row["baseline_score"] is not None:
            baselines.append(row["baseline_score"])
    admitted = sum(kinds.values())
    blocks: list[Block] = [
        table(
            "Admitted", ["domain", "source", "tasks"], [[*key, n] for key, n in kinds.most_common()], settings.max_rows
        )
    ]
    report = stages.get("tasks")
    refused = {}
    if report:
        refused = {
            key.partition("refused_")[2].replace("_", " "): number
            for key, number in report.counts.items() if key.startswith("refused_")
        }  # fmt: skip
    if refused:
        rows = sorted(refused.items(), key=lambda item: (-item[1], item[0]))
        caption = f"{admitted:,} admitted, {sum(refused.values()):,} refused."
        blocks.append(Figure(title="Refused by reason", svg=svg.bars(rows), caption=caption))
    if baselines:
        drawing = svg.histogram({"tasks": baselines}, "score of the best constant answer", {})
        blocks.append(
            Figure(title="How far guessing gets", svg=drawing, caption="Low is good: no constant answer passes.")
        )
    return Section(anchor="tasks", title="Tasks", blocks=blocks)


def synthesis_section(
    workspace: Workspace, stages: dict[str, StageReport], settings: ReportSettings, seed: int
) -> Section:
    """Acceptance, failures, scores and cost."""
    if hint := missing(workspace, "attempts"):
        return Section(anchor="synthesis", title="Synthesis", blocks=[Text(text=hint)])
    found = measure(columns(workspace.attempts, *COLUMNS), seed)
    simulated = simulated_warning(workspace)
    blocks: list[Block] = [
        Tiles(items=[
            ("items", show(found.items)), ("accepted", show(found.accepted)), ("attempts", show(found.attempts)),
            ("accepted share", percent(found.accepted, found.items)),
            ("of them after revision", "–" if found.from_revisions is None else f"{100 * found.from_revisions:.0f} %"),
        ])
    ]  # fmt: skip
    blocks += _arms(arms_of(found, stages))
    blocks += _curves(found, real=simulated is None and workspace.trajectories.exists() and found.accepted > 0)
    blocks += _failures(found, settings)
    blocks += _scores(workspace, simulated)
    blocks += _confirmation(stages.get("synthesize"))
    blocks += _full_diagnosis(stages.get("synthesize"))
    blocks += _cost(stages.get("synthesize"), found)
    return Section(anchor="synthesis", title="Synthesis", blocks=blocks)


def arms_of(found: Acceptance, stages: dict[str, StageReport]) -> Comparison | None:
    """The comparison of the arms: as `synthesize` reported it, else from the attempts."""
    report = stages.get("synthesize")
    return (stated(report.details) if report else None) or found.arms


def arm_sentence(arms: Comparison | None) -> str:
    """The difference between the arms in words, with its interval."""
    if arms is None:
        return "No item ran the null arm (synthesize.null_share): nothing says whether guidance helps."
    gap, low, high = arms.difference[-1], arms.low[-1], arms.high[-1]
    verdict = "more" if low > 0 else "fewer" if high < 0 else "not distinguishably more"
    return (
        f"Guided revisions accept {verdict} than re-rolls without guidance on the same {arms.items} items and seeds: "
        f"{100 * arms.guided[-1]:.1f} % against {100 * arms.null[-1]:.1f} %, difference {100 * gap:+.1f} points, "
        f"{100 * arms.level:.0f} % interval [{100 * low:+.1f}, {100 * high:+.1f}] ({arms.how})."
    )


def _arms(arms: Comparison | None) -> list[Block]:
    if arms is None:
        return [Text(text=arm_sentence(arms))]
    series = []
    for name, shares in (("guided", arms.guided), ("null: re-rolls without guidance", arms.null)):
        intervals = [wilson(round(share * arms.items), arms.items) for share in shares]
        points = [(float(k), share) for k, share in enumerate(shares)]
        series.append(svg.Line(name=name, points=points, band=[(i.low, i.high) for i in intervals]))
    points = [(float(k), gap) for k, gap in enumerate(arms.difference)]
    gap = svg.Line(name="guided - null", points=points, band=list(zip(arms.low, arms.high, strict=True)))
    zero = svg.Line(name="no difference", points=[(x, 0.0) for x, _ in points], dashed=True)
    floor = min(0.0, -0.25 if min(arms.low) < 0 else 0.0, -1.0 if min(arms.low) < -0.25 else 0.0)
    return [
        Text(text=arm_sentence(arms)),
        Figure(
            title=f"Does guidance help? Both arms on the same {arms.items} items",
            svg=svg.lines(series, "revision round", "accepted so far"),
            caption="Bands: 95 % Wilson intervals of each arm. Cumulative acceptance cannot fall; only the gap counts.",
        ),
        Figure(
            title="The difference between the arms",
            svg=svg.lines([gap, zero], "revision round", "guided - null", y_min=floor),
            caption=f"Band: {100 * arms.level:.0f} % interval, {arms.how}.",
        ),
    ]


def _curves(found: Acceptance, real: bool) -> list[Block]:
    series = [_line(curve) for curve in found.curves]
    caption = "All guided items. Bands: 95 % Wilson intervals."
    if real:
        for curve in found.curves:
            if curve.name in PAPER:
                ends = list(zip((0.0, 5.0), PAPER[curve.name], strict=True))
                series.append(svg.Line(name=f"paper, {curve.name}", points=ends, dashed=True))
        caption += " Dashed: the AutoInteract paper's first and last value (its models, its users)."
    drawing = svg.lines(series, "revision round", "accepted so far")
    return [Figure(title="Acceptance by round", svg=drawing, caption=caption)]


def _line(curve: Curve) -> svg.Line:
    return svg.Line(
        name=f"{curve.name} (n = {curve.items})",
        points=[(float(k), point.value) for k, point in enumerate(curve.points)],
        band=[(point.low, point.high) for point in curve.points],
    )


def _failures(found: Acceptance, settings: ReportSettings) -> list[Block]:
    names = sorted({name for counts in found.by_round.values() for name in counts})
    rows = [[number, *(counts.get(name, 0) for name in names)] for number, counts in found.by_round.items()]
    blocks: list[Block] = [table("Outcomes by round, guided arm", ["round", *names], rows, settings.max_rows)]
    for domain, counts in found.first.items():
        failed = [(name, number) for name, number in counts.items() if name != "accepted"]
        whole = sum(counts.values())
        if failed:
            caption = (
                ", ".join(f"{name} {percent(number, whole)}" for name, number in failed) + f" of {whole} first rounds."
            )
            blocks.append(Figure(title=f"First failures, {domain}", svg=svg.bars(failed), caption=caption))
    if found.faults:
        blocks.append(faults_table("Faults by boundary (never a solver's score)", "attempts", found.faults))
    return blocks


def _scores(workspace: Workspace, simulated: str | None) -> list[Block]:
    weak: list[float] = []
    strong: list[float] = []
    for row in columns(workspace.trajectories, "weak_score", "strong_score"):
        weak.append(row["weak_score"])
        strong.append(row["strong_score"])
    if not weak:
        return [Text(text="No trajectory was accepted.")]
    marks = {f"weak at most {WEAK_MAX:g}": WEAK_MAX, f"strong at least {STRONG_MIN:g}": STRONG_MIN}
    drawing = svg.histogram({"weak": weak, "strong": strong}, "mean score of the samples", marks)
    caption = (
        f"{len(weak):,} accepted trajectories; mean weak {sum(weak) / len(weak):.3f}, strong "
        f"{sum(strong) / len(strong):.3f}. These scores chose the rows: fresh samples will shrink towards the middle."
    )
    title = "Solver scores of accepted trajectories" + (" (simulated solvers)" if simulated else "")
    return [Figure(title=title, svg=drawing, caption=caption)]


def _confirmation(report: StageReport | None) -> list[Block]:
    data = (report.details.get("confirmation") if report else None) or {}
    if not {"rows", "held", "weak", "weak_fresh", "strong", "strong_fresh"} <= data.keys():
        return []
    rows = [["weak", data["weak"], data["weak_fresh"]], ["strong", data["strong"], data["strong_fresh"]]]
    text = f"{data['held']} of {data['rows']} accepted rows stay in the band when both solvers answer afresh."
    head = ["solver", "mean score that chose the row", "mean of fresh samples"]
    return [Text(text=text), table("Shrinkage on fresh samples", head, rows, 2)]


def _full_diagnosis(report: StageReport | None) -> list[Block]:
    data = (report.details.get("full_diagnosis") if report else None) or {}
    if not data.get("items"):
        return []
    rows = [[name, count, percent(count, data["items"])] for name, count in data.get("failed_checks", {}).items()]
    title = f"Checks that fail at first, on {data['items']} items for which every check was made"
    return [table(title, ["check", "failed", "share"], rows, 20)]


def _cost(report: StageReport | None, found: Acceptance) -> list[Block]:
    usage = (report.usage.get("total") or report.usage) if report else {}
    if not isinstance(usage, dict) or not usage:
        return []
    rows = []
    for name, value in usage.items():
        if isinstance(value, dict):
            continue
        per = value / found.accepted if isinstance(value, int | float) and found.accepted else None
        rows.append([name, value if value is not None else "unknown (no price set)", per])
    blocks: list[Block] = [table("Cost, all runs together", ["what", "in all", "per accepted trajectory"], rows, 40)]
    each = (report.details.get("cost") or {}).get("per_accepted") if report else None
    if each:
        text = ", ".join(f"{show(float(value))} {name}" for name, value in each.items())
        blocks.append(Text(text=f"Replies used by the guided arm, per accepted trajectory: {text}."))
    details = report.details if report else {}
    parts = [{"part": f"round {entry['round']}", **entry} for entry in details.get("cost_by_round") or []]
    parts += [{"part": name, **entry} for name, entry in (details.get("scenarios") or {}).items() if "calls" in entry]
    if parts:
        names = ("part", "accepted", "calls", "tokens", "calls_per_accepted", "tokens_per_accepted")
        rows = [[entry.get(name) for name in names] for entry in parts]
        head = ["round or scenario", *(name.replace("_", " ") for name in names[1:])]
        blocks.append(table("Replies used by the guided arm, by round and by scenario", head, rows, 40))
    return blocks
