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

COLUMNS = ("item_id", "arm", "round", "retry", "domain", "scenario", "outcome", "fault", "usage_json")


class Curve(Record):
    """Cumulative acceptance of one arm (or domain): `points[k]` by round k."""

    name: str
    items: int
    points: list[Interval]


class Acceptance(Record):
    """What the attempts say.

    Attributes:
        curves: guided items by domain, and all.
        arms: both arms on the items that ran both; empty without a null arm.
        difference: guided - null at the last round, on those items.
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
    arms: list[Curve]
    difference: Interval | None
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
    attempts = 0
    for row in rows:
        attempts += 1
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
    rounds = max([*by_round, *won["null"].values(), 0])
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
        arms=[_curve("guided", both, won["guided"], rounds), _curve("null", both, won["null"], rounds)] if both else [],
        difference=paired_difference([i in won["guided"] for i in both], [i in won["null"] for i in both], seed)
        if both else None,
        first={name: dict(counts.most_common()) for name, counts in sorted(first.items())},
        by_round={number: dict(by_round[number].most_common()) for number in sorted(by_round)},
        faults=dict(faults.most_common()),
        from_revisions=len(revised) / len(won["guided"]) if won["guided"] else None,
    )  # fmt: skip


def _curve(name: str, items: list[str], won: dict[str, int], rounds: int) -> Curve:
    points = [wilson(sum(won.get(item, rounds + 1) <= k for item in items), len(items)) for k in range(rounds + 1)]
    return Curve(name=name, items=len(items), points=points)
