"""Acceptance by round for the guided and the null arm, from the attempts alone.

An item counts as accepted by round k when one of its attempts of that arm was accepted at a round <= k. Both arms share
round 0 (the same seeds), so a null-arm item without a round 0 of its own takes the guided one. The arms are compared on
the items that ran both. Cumulative acceptance cannot fall: only the difference between the arms says whether guidance
helps.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any

from autointeract.records import Record
from autointeract.report.statistics import Interval, paired_difference, wilson

COLUMNS = ("item_id", "arm", "round", "domain", "outcome", "fault")


class Curve(Record):
    """Cumulative acceptance of one arm (or domain): `points[k]` by round k."""

    name: str
    items: int
    points: list[Interval]


class Comparison(Record):
    """Both arms on the items that ran both, by round; shares in [0, 1], `difference` = guided - null with its interval
    [`low`, `high`] at `level`. `how` says over what the interval was resampled.
    """

    items: int
    guided: list[float]
    null: list[float]
    difference: list[float]
    low: list[float]
    high: list[float]
    level: float = 0.95
    how: str = "paired bootstrap over items"


class Acceptance(Record):
    """What the attempts say.

    Attributes:
        curves: guided items by domain, and all.
        arms: the comparison of the arms; null without a null arm.
        first: outcomes of the first full round of guided items, by domain.
        by_round: outcomes of guided attempts, by round.
        faults: faults by boundary, both arms.
        from_revisions: share of accepted guided items that needed at least one revision.
    """

    attempts: int
    items: int
    accepted: int
    rounds: int
    curves: list[Curve]
    arms: Comparison | None
    first: dict[str, dict[str, int]]
    by_round: dict[int, dict[str, int]]
    faults: dict[str, int]
    from_revisions: float | None


def measure(rows: Iterable[dict[str, Any]], seed: int) -> Acceptance:
    """Reads the attempts once (`COLUMNS`)."""
    won: dict[str, dict[str, int]] = {"guided": {}, "null": {}}
    seen: dict[str, dict[str, str]] = {"guided": {}, "null": {}}
    null_rounds: set[str] = set()
    first: dict[str, Counter[str]] = {}
    by_round: dict[int, Counter[str]] = {}
    faults: Counter[str] = Counter()
    attempts = rounds = 0
    for row in rows:
        attempts += 1
        rounds = max(rounds, row["round"])
        item, arm, number, outcome = row["item_id"], row["arm"], row["round"], row["outcome"]
        seen[arm][item] = row["domain"]
        if outcome == "fault":
            faults[row["fault"] or "unknown"] += 1
        if arm == "guided":
            by_round.setdefault(number, Counter())[outcome] += 1
            if number == 0 and outcome != "fault":
                first.setdefault(row["domain"], Counter())[outcome] += 1
        elif number == 0:
            null_rounds.add(item)
        if outcome == "accepted":
            won[arm][item] = min(number, won[arm].get(item, number))
    for item in seen["null"].keys() - null_rounds:
        if won["guided"].get(item) == 0:
            won["null"][item] = 0
    both = sorted(seen["guided"].keys() & seen["null"].keys())
    guided = sorted(seen["guided"])
    domains = sorted(set(seen["guided"].values()))
    of_domain = {name: [item for item in guided if seen["guided"][item] == name] for name in domains}
    revised = [number for number in won["guided"].values() if number > 0]
    return Acceptance(
        attempts=attempts, items=len(guided), accepted=len(won["guided"]), rounds=rounds,
        curves=[
            *([_curve("all guided items", guided, won["guided"], rounds)] if len(domains) != 1 else []),
            *(_curve(name, of_domain[name], won["guided"], rounds) for name in domains),
        ],
        arms=_compare(both, won, rounds, seed),
        first={name: dict(counts.most_common()) for name, counts in sorted(first.items())},
        by_round={number: dict(by_round[number].most_common()) for number in sorted(by_round)},
        faults=dict(faults.most_common()),
        from_revisions=len(revised) / len(won["guided"]) if won["guided"] else None,
    )  # fmt: skip


def stated(details: dict[str, Any]) -> Comparison | None:
    """The comparison that `synthesize` itself reported (it also knows items that both arms accepted at once)."""
    data = details.get("comparison")
    if not data:
        return None
    how = f"bootstrap over {data['tasks']} tasks" if "tasks" in data else "bootstrap"
    return Comparison(
        how=how, **{name: data[name] for name in Comparison.model_fields if name != "how" and name in data}
    )


def _compare(both: list[str], won: dict[str, dict[str, int]], rounds: int, seed: int) -> Comparison | None:
    if not both:
        return None
    hits = [
        [[won[arm].get(item, rounds + 1) <= k for item in both] for arm in ("guided", "null")]
        for k in range(rounds + 1)
    ]
    gaps = [paired_difference(guided, null, seed) for guided, null in hits]
    return Comparison(
        items=len(both),
        guided=[sum(guided) / len(both) for guided, _ in hits],
        null=[sum(null) / len(both) for _, null in hits],
        difference=[gap.value for gap in gaps],
        low=[gap.low for gap in gaps],
        high=[gap.high for gap in gaps],
    )


def _curve(name: str, items: list[str], won: dict[str, int], rounds: int) -> Curve:
    points = [wilson(sum(won.get(item, rounds + 1) <= k for item in items), len(items)) for k in range(rounds + 1)]
    return Curve(name=name, items=len(items), points=points)
