"""One table over all arms of a realism report: a row a measure, a column an arm, next turns and whole sessions.

A cell is `gap / floor`: 1 = as far from real users as real users are from each other; "*" = beyond chance.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from autointeract.users.comparison import nearer
from autointeract.users.turn_measures import MEASURES

TITLE = "times the distance between real users (1 = as near as they are to each other; * = beyond chance)"
BEYOND = 0.05
"""`p_adjusted` under this is beyond chance."""
PLACES = (("next_turns", "next turns"), ("sessions", "whole sessions"), ("outside", "whole dialogues"))


def summary(details: dict[str, Any]) -> dict[str, Any]:
    """`{"table": {"title", "head", "rows"}, "nearer": {"next_turns": {"selected - seed": {...}}, ...}}`.

    Takes the `draws` out of `details`: they serve the comparison of arms alone.
    """
    columns = [
        (f"{arm.rsplit('/', 1)[-1]}, {words}", found)
        for place, words in PLACES
        for arm, found in details[place].items()
    ]
    names = [name for name in MEASURES if any(name in found["measures"] for _, found in columns)]
    # With too few dialogues a measure has no floor: what holds for no column is left out, and a note says why.
    cells = {name: [ratio_cell(found["measures"].get(name, {})) for _, found in columns] for name in names}
    cells["median of these"] = [_show(median_ratio(found)) for _, found in columns]
    plain: list[tuple[str, Callable[[dict[str, Any]], Any]]] = [
        ("AUC by words (turns)", lambda found: _auc(found, "turn_words")),
        ("AUC by characters", lambda found: _auc(found, "turn_characters")),
        ("AUC, lengths matched", lambda found: _auc(found, "turn_length_matched_words")),
        ("AUC of dialogues", lambda found: _auc(found, "dialogue_words")),
        ("ends where they end, F1", lambda found: _show(found.get("termination", {}).get("f1"))),
        ("turns, real / simulated", lambda found: _pair(found.get("sessions", {}).get("turns_mean"))),
        ("  p of their numbers", lambda found: _show(found.get("sessions", {}).get("turns_p"))),
        ("reveals as early, p", lambda found: _show(found.get("sessions", {}).get("reveal_p"))),
        ("asked for, covered", lambda found: _show(found.get("sessions", {}).get("asked_covered"))),
    ]
    cells |= {name: [cell(found) for _, found in columns] for name, cell in plain}
    rows = [[name, *texts] for name, texts in cells.items() if any(text != "–" for text in texts)]
    pairs: dict[str, Any] = {}
    for place, _ in PLACES[:2]:
        arms = list(details[place])
        found = {
            f"{a} - {b}": nearer(details[place][a], details[place][b])
            for n, b in enumerate(arms)
            for a in arms[n + 1 :]
        }
        pairs[place] = {key: value for key, value in found.items() if value is not None}
    for _, found in columns:
        for item in found["measures"].values():
            item.pop("draws", None)
    return {
        "table": {"title": TITLE, "head": ["measure", *(name for name, _ in columns)], "rows": rows},
        "nearer": pairs,
    }  # fmt: skip


def ratio_cell(item: dict[str, Any]) -> str:
    """One measure of one arm; where the floor is 0 there is no ratio, and the gap itself is shown."""
    if "gap" not in item:
        return "–"
    mark = "*" if item["p_adjusted"] < BEYOND else ""
    if item["ratio"] is None:
        return "same" if item["gap"] < 1e-9 else f"+{item['gap']:.3f}{mark}"
    return f"{item['ratio']:.2f}{mark}"


def median_ratio(found: dict[str, Any]) -> float | None:
    """The median over the measures that have a ratio: a mean would be one extreme measure's."""
    ratios = [item["ratio"] for item in found["measures"].values() if item.get("ratio") is not None]
    return float(np.median(ratios)) if ratios else None


def _auc(found: dict[str, Any], name: str) -> str:
    item = found.get("classifiers", {}).get(name, {})
    if item.get("auc") is None:
        return "–"
    floor = item["floor"]
    return f"{item['auc']:.2f}" + (f" ({floor[0]:.2f}-{floor[1]:.2f})" if floor else "")


def _show(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _pair(values: Any) -> str:
    return "–" if not values else f"{values[0]:.1f} / {values[1]:.1f}"
