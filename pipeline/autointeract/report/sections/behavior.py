"""The behavior prompt: its candidates and their lineage, how far the judge can be trusted, how real the users are."""

from typing import Any

from autointeract.records import StageReport, load_json
from autointeract.report import dots
from autointeract.report.blocks import Block, Figure, Notes, Section, Text, table
from autointeract.report.reading import columns, missing
from autointeract.report.settings import ReportSettings
from autointeract.workspace import Workspace


def section(workspace: Workspace, stages: dict[str, StageReport], settings: ReportSettings) -> Section:
    """The section."""
    blocks: list[Block] = []
    if hint := missing(workspace, "prompts"):
        blocks.append(Text(text=hint))
    else:
        blocks += _prompts(workspace, settings)
    if learned := stages.get("learn-prompt"):
        blocks += _judge(learned.details.get("judge") or {})
        blocks += _lineage(learned.details, settings)
    realism = stages.get("realism")
    if realism is None:
        blocks.append(Text(text="Realism not measured yet: run `autointeract realism`."))
    elif not realism.complete or "table" not in realism.details:
        blocks.append(Text(text="Realism stopped early: run `autointeract realism` again to go on.", tone="warn"))
    else:
        blocks += _realism(realism, settings)
    return Section(anchor="behavior", title="Behavior prompt and realism", blocks=blocks)


def _prompts(workspace: Workspace, settings: ReportSettings) -> list[Block]:
    rows = []
    for row in columns(workspace.prompts, "prompt_id", "train_score", "val_score", "test_score", "optimizer_json"):
        chosen = bool(load_json(row["optimizer_json"], {}).get("selected"))
        rows.append([row["prompt_id"][:12], row["train_score"], row["val_score"], row["test_score"], chosen])
    rows.sort(key=lambda row: (not row[4], row[0]))
    head = ["prompt", "train score", "validation score", "test score", "in use"]
    return [table("Behavior prompts: agreement with real next turns, in [0, 1]", head, rows, settings.max_rows)]


def _judge(checks: dict[str, Any]) -> list[Block]:
    if not checks.get("instances"):
        return [Text(text="The judge was not checked (learn_prompt.judge_checks = 0).", tone="warn")]
    rows = [
        ["the real turn itself", checks["real_itself"], "should be near 1"],
        ["another user's real turn", checks["other_user"], "should be low"],
        ["difference", checks["gap"], "under 0.2 no score means much"],
        ["repeated verdicts on one pair, standard deviation", checks["repeat_sd"], "should be far under the gains"],
    ]
    title = f"How far the judge can be trusted ({checks['instances']} instances)"
    return [table(title, ["what it scored", "mean", "what is wanted"], rows, 10)]


def _lineage(details: dict[str, Any], settings: ReportSettings) -> list[Block]:
    nodes = details.get("lineage") or []
    if len(nodes) < 2:
        return []
    chosen = next((n for n, node in enumerate(nodes) if node["prompt_id"] == details.get("selected")), None)
    fresh = details.get("fresh_val") or {}
    rows = [
        [number, node["parent"], node["val"], fresh.get(node["prompt_id"]), node["found_after"], node["front"],
         "; ".join(node["changes"]) or "the seed", number == chosen]
        for number, node in enumerate(nodes)
    ]  # fmt: skip
    head = ["candidate", "parent", "validation", "fresh samples", "found after", "best on", "changes", "in use"]
    drawing = dots.tree(
        [(node["parent"], node["found_after"], node["val"]) for node in nodes], chosen, "rollouts spent when accepted"
    )
    return [
        Figure(title="Lineage: validation score of each accepted candidate", svg=drawing,
               caption="Lines lead to the parent; the prompt in use is filled."),
        table("Candidates", head, rows, settings.max_rows),
    ]  # fmt: skip


def _realism(report: StageReport, settings: ReportSettings) -> list[Block]:
    details = report.details
    found = details["table"]
    blocks: list[Block] = [Notes(title="How real the simulated users are", items=report.notes)]
    for place, title in (("next_turns", "Next turns"), ("sessions", "Whole sessions")):
        if any(not item.get("too_few") for item in details[place].values()):
            blocks.append(_figure(title, details[place]))
    blocks.append(table(f"Realism: {found['title']}", found["head"], found["rows"], len(found["rows"])))
    for arm, item in details["next_turns"].items():
        found = item.get("clusters", [])
        rows = [[row["verdict"], ", ".join(row["marks"]), row["real"], row["other"]] for row in found]
        title = f"Kinds of turns by their words: {arm}"
        blocks.append(table(title, ["verdict", "words", "share, real", "share, simulated"], rows, settings.max_rows))
    return blocks


def _figure(title: str, arms: dict[str, Any]) -> Figure:
    known = {name: found for name, found in arms.items() if not found.get("too_few")}
    names = list(next(iter(known.values()))["measures"])
    rows = []
    for name in names:
        items = {arm: found["measures"][name] for arm, found in known.items()}
        row = [
            dots.Dot(
                series=arm, value=item["ratio"], low=item["gap_low"] / item["floor"],
                high=item["gap_high"] / item["floor"], filled=item["p_adjusted"] < 0.05,
            )
            for arm, item in items.items() if item["ratio"] is not None
        ]  # fmt: skip
        first = next(iter(items.values()))
        rows.append((name, first["floor_p95"] / first["floor"] if first["ratio"] is not None else 1.0, row))
    return Figure(
        title=f"{title}: distance to real users, one row a measure",
        svg=dots.ratios(rows, "times the distance between two halves of the real users", list(known)),
        caption=(
            "1 = as near as real users are to each other. Grey: what halves of the real users reach (95 %). "
            "Whiskers: 5 to 95 % over the same halves. Filled: beyond chance."
        ),
    )
