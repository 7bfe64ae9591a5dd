"""One simulator against real users: every measure with its real-versus-real floor, p value and interval.

The floor and the gap are taken on the same splits and sizes: for random halves (A, B) of the users, the floor is
measure(real A, real B) and the gap measure(real A, simulated B); so size, topic and person weigh equally on both.
`ratio` = mean gap / mean floor; `excess` = mean gap - floor; `gap_low`, `gap_high`: 5 % and 95 % over the splits, as
`floor_p95` is. p comes from swapping real and simulated within users; a
whole user is swapped or not. Intervals of the value come from resampling users.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from autointeract.records import derive_seed, digest
from autointeract.users import similarity as sim
from autointeract.users.corpus import Item, by_group
from autointeract.users.settings import RealismSettings
from autointeract.users.text_measures import classifiers, clusters
from autointeract.users.turn_measures import MEASURES, calibration_error, coverage, distinct, usi_groups

WITHIN = frozenset({"pushback_calibration"})
"""Measures that compare a user with itself: swapping sides changes nothing there, so turns are dealt anew instead."""
MIN_GROUPS = 4
"""Fewer groups than this have no halves to compare. Where there are fewer users, dialogues are the groups: floors and p
values then speak of these people's dialogues and of nobody else.
"""


def compare(real: Sequence[Item], other: Sequence[Item], settings: RealismSettings, seed: int) -> dict[str, Any]:
    """All that can be said of one simulator's turns.

    Returns:
        `measures` by name (`value`, `low`, `high`, `floor`, `gap`, `ratio`, `excess`, `p`, `p_adjusted`, and `draws`,
        the value in each resample of users: arms that spoke for the same users meet the same resamples),
        `classifiers`, `clusters`, and plain figures; `too_few` where there are no halves.
    """
    left, right = by_group(real), by_group(other)
    by_dialogue = min(len(left), len(right)) < MIN_GROUPS
    if by_dialogue:
        left, right = (by_group(replace(t, group=t.dialogue) for t in items) for items in (real, other))
    found: dict[str, Any] = {
        "real_turns": len(real), "other_turns": len(other), "groups": len(left), "other_groups": len(right),
        "by_dialogue": by_dialogue,
        "coverage": coverage(real, other), "usi_like": {k: round(v, 4) for k, v in usi_groups(real, other).items()},
        "calibration_error": calibration_error(real, other),
        "distinct": {str(n): [distinct(real, n), distinct(other, n)] for n in (1, 2, 3)},
        "rates": rates(real, other),
    }  # fmt: skip
    if len(left) < MIN_GROUPS or len(right) < MIN_GROUPS or not real or not other:
        values = {name: {"value": round(measure(real, other), 6)} for name, measure in MEASURES.items()}
        return {**found, "measures": values, "too_few": True}
    alone = not left.keys() & right.keys()  # then nobody can be compared with themselves
    measures = {
        name: _measured(name, left, right, settings, seed)
        for name in MEASURES
        if not ((alone or by_dialogue) and name in WITHIN)
    }
    for name, p in sim.discoveries({name: item["p"] for name, item in measures.items()}).items():
        measures[name]["p_adjusted"] = p
    found["measures"] = measures
    found["users"] = digest([list(left), list(right)], 12)
    found["classifiers"] = classifiers(left, right, max(settings.floor_splits // 5, 5), seed)
    found["clusters"] = clusters(real, other, settings.clusters, seed)
    return {**found, "too_few": False}


def rates(real: Sequence[Item], other: Sequence[Item]) -> dict[str, list[float]]:
    """Shares that people ask for first, real and other side by side."""
    from autointeract.users.surface import STYLE_MARKS

    table = {}
    for place, name in enumerate(STYLE_MARKS):
        table[name] = [
            round(float(np.mean([t.marks[place] for t in items])), 4) if items else 0.0 for items in (real, other)
        ]
    for kind in sorted({t.reaction for t in [*real, *other]}):
        table[f"reaction:{kind}"] = [
            round(sum(t.reaction == kind for t in items) / max(len(items), 1), 4) for items in (real, other)
        ]
    table["median_words"] = [float(np.median([t.words for t in items])) if items else 0.0 for items in (real, other)]
    return table


def swap_p(
    name: str, left: Mapping[str, Sequence[Item]], right: Mapping[str, Sequence[Item]], permutations: int, seed: int
) -> float:
    """p of a measure: sides swapped within shared groups; groups of one side alone are dealt anew."""
    measure = MEASURES[name]
    if name in WITHIN:
        return _within_p(measure, left, right, permutations, seed)
    shared = [group for group in left if group in right]
    alone = [(group, left[group]) for group in left if group not in right]
    others = [(group, right[group]) for group in right if group not in left]
    actual = measure(_flat(left.values()), _flat(right.values()))
    generator = np.random.default_rng(seed)
    hits = 0
    for _ in range(permutations):
        a: list[Item] = []
        b: list[Item] = []
        for group, swap in zip(shared, generator.random(len(shared)) < 0.5, strict=True):
            one, two = (right[group], left[group]) if swap else (left[group], right[group])
            a += one
            b += two
        pool = [*alone, *others]
        for place, index in enumerate(generator.permutation(len(pool))):
            (a if place < len(alone) else b).extend(pool[index][1])
        hits += measure(a, b) >= actual - 1e-12
    return (1 + hits) / (permutations + 1)


def _measured(
    name: str,
    left: Mapping[str, Sequence[Item]],
    right: Mapping[str, Sequence[Item]],
    settings: RealismSettings,
    seed: int,
) -> dict[str, Any]:
    measure = MEASURES[name]
    here = derive_seed("realism", name, seed)
    floors, gaps = [], []
    for k in range(settings.floor_splits):
        if name in WITHIN:
            one, two, three = _within_halves(left, right, here + k)
            floors.append(measure(one, two))
            gaps.append(measure(one, three))
            continue
        a, b = sim.split_half(list(left), here + k)
        ours = _flat(left[group] for group in left if group in a)
        theirs = [right[group] for group in right if group in b] or [right[group] for group in right]
        floors.append(measure(ours, _flat(left[group] for group in left if group in b)))
        gaps.append(measure(ours, _flat(theirs)))
    floor, gap = float(np.mean(floors)), float(np.mean(gaps))
    draws = _resampled(measure, left, right, settings.resamples, here)
    low, high = (round(float(q), 6) for q in np.quantile(draws, [0.05, 0.95]))
    return {
        "value": round(measure(_flat(left.values()), _flat(right.values())), 6), "low": low, "high": high,
        "floor": round(floor, 6), "floor_p95": round(float(np.quantile(floors, 0.95)), 6), "gap": round(gap, 6),
        "gap_low": round(float(np.quantile(gaps, 0.05)), 6), "gap_high": round(float(np.quantile(gaps, 0.95)), 6),
        "ratio": round(gap / floor, 4) if floor > 1e-9 else None, "excess": round(gap - floor, 6),
        "p": round(swap_p(name, left, right, settings.permutations, here), 6), "draws": draws,
    }  # fmt: skip


def _within_halves(left: Any, right: Any, seed: int) -> tuple[list[Item], list[Item], list[Item]]:
    """Two halves of every user's real turns, and as many simulated turns of the same user as the second half has."""
    generator = np.random.default_rng(seed)
    one: list[Item] = []
    two: list[Item] = []
    three: list[Item] = []
    for group in left:
        order = generator.permutation(len(left[group]))
        cut = len(order) // 2
        theirs = right.get(group, [])
        if not cut or not theirs:
            continue
        one += [left[group][k] for k in order[:cut]]
        two += [left[group][k] for k in order[cut : 2 * cut]]
        three += [theirs[k] for k in generator.permutation(len(theirs))[:cut]]
    return one, two, three


def _within_p(measure: Any, left: Any, right: Any, permutations: int, seed: int) -> float:
    """p of a measure that compares each user with itself: turns dealt anew between the sides of a user."""
    shared = [group for group in left if group in right]
    actual = measure(_flat(left[g] for g in shared), _flat(right[g] for g in shared))
    generator = np.random.default_rng(seed)
    hits = 0
    for _ in range(permutations):
        a: list[Item] = []
        b: list[Item] = []
        for group in shared:
            pool = [*left[group], *right[group]]
            order = generator.permutation(len(pool))
            a += [pool[k] for k in order[: len(left[group])]]
            b += [pool[k] for k in order[len(left[group]) :]]
        hits += measure(a, b) >= actual - 1e-12
    return (1 + hits) / (permutations + 1)


def nearer(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any] | None:
    """How much larger the gaps of one arm are than another's: mean over measures of 2 (a - b) / (a + b), in [-2, 2].

    Below 0: the first arm is nearer to real users. The 90 % interval is over resamples of users, the same for both;
    null where the arms did not speak for the same users.
    """
    names = [name for name in one["measures"] if "draws" in one["measures"][name] and name in other["measures"]]
    if not names or one.get("users") != other.get("users"):
        return None

    def apart(a: Any, b: Any) -> Any:
        a, b = np.asarray(a, dtype=float), np.asarray(b, dtype=float)
        return np.where(a + b > 1e-9, 2 * (a - b) / np.maximum(a + b, 1e-9), 0.0)

    mine, theirs = ([found["measures"][name] for name in names] for found in (one, other))
    value = float(np.mean([apart(a["value"], b["value"]) for a, b in zip(mine, theirs, strict=True)]))
    draws = np.mean([apart(a["draws"], b["draws"]) for a, b in zip(mine, theirs, strict=True)], axis=0)
    # Resampled users repeat themselves, which moves every gap alike: only the spread of the draws is used.
    low, high = value + np.quantile(draws - draws.mean(), [0.05, 0.95])
    return {"value": round(value, 4), "low": round(float(low), 4), "high": round(float(high), 4)}


def _resampled(measure: Any, left: Any, right: Any, resamples: int, seed: int) -> list[float]:
    generator = np.random.default_rng(seed)
    a_names, b_names = list(left), list(right)
    shared = a_names == b_names
    values = []
    for _ in range(resamples):
        a = generator.integers(0, len(a_names), len(a_names))
        b = a if shared else generator.integers(0, len(b_names), len(b_names))
        values.append(measure(_flat(left[a_names[i]] for i in a), _flat(right[b_names[i]] for i in b)))
    return values


def _flat(groups: Any) -> list[Item]:
    return [row for rows in groups for row in rows]
