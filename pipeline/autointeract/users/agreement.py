"""How far two labellers agree: Cohen's kappa (J. Cohen, 1960, Educ. Psychol. Meas. 20:37) and raw agreement."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from autointeract.records import TurnLabel

FIELDS = ("intent", "reaction", "specificity")


def cohen_kappa(left: Sequence[object], right: Sequence[object]) -> float | None:
    """Kappa of paired labels, in [-1, 1]; null when there are none, 1.0 when both only ever give one label."""
    n = len(left)
    if n == 0:
        return None
    observed = sum(a == b for a, b in zip(left, right, strict=True)) / n
    counts_left, counts_right = Counter(left), Counter(right)
    chance = sum(counts_left[key] * counts_right[key] for key in counts_left) / n**2
    return 1.0 if chance == 1.0 else (observed - chance) / (1.0 - chance)


def agreements(labels: Iterable[TurnLabel]) -> list[dict[str, Any]]:
    """One entry for each pair of labellers and field: `{"left", "right", "field", "turns", "agreement", "kappa"}`."""
    by_labeller: dict[str, dict[tuple[str, int], TurnLabel]] = {}
    for item in labels:
        by_labeller.setdefault(item.labeller, {})[item.session_id, item.turn_index] = item
    names = sorted(by_labeller)
    found: list[dict[str, Any]] = []
    for number, left in enumerate(names):
        for right in names[number + 1 :]:
            keys = sorted(by_labeller[left].keys() & by_labeller[right].keys())
            for field in FIELDS:
                a = [getattr(by_labeller[left][key], field) for key in keys]
                b = [getattr(by_labeller[right][key], field) for key in keys]
                same = sum(x == y for x, y in zip(a, b, strict=True))
                found.append(
                    {
                        "left": left, "right": right, "field": field, "turns": len(keys),
                        "agreement": same / len(keys) if keys else None, "kappa": cohen_kappa(a, b),
                    }
                )  # fmt: skip
    return found
