"""How far two groups differ: distances with the real-versus-real floor beside them. Pure functions over arrays.

Formulas: Jensen-Shannon divergence in bits (J. Lin 1991, IEEE TIT 37:145); Wasserstein-1 divided by the real
standard deviation; energy distance (G. Szekely and M. Rizzo 2013, J. Stat. Plan. Inf. 143:1249) on columns z-scored
with the real data; classifier two-sample test (D. Lopez-Paz and M. Oquab 2017, ICLR); p = (1 + hits) /
(permutations + 1) (B. Phipson and G. Smyth 2010, SAGMB 9:39); false discovery rate by Y. Benjamini and Y. Hochberg
(1995). Whatever is resampled, permuted or split is a group (a user, or a dialogue where there is no user), never a
turn.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

Array = Any


def jsd(left: Mapping[Any, float], right: Mapping[Any, float]) -> float:
    """Jensen-Shannon divergence of two tables of weights, in [0, 1] bits; 0 when either is empty."""
    total_left, total_right = math.fsum(left.values()), math.fsum(right.values())
    if total_left <= 0 or total_right <= 0:
        return 0.0
    # fsum: the result does not depend on the order of keys, so tables need no sorting (they hold thousands of words).
    parts = []
    for one, total, two, other in ((left, total_left, right, total_right), (right, total_right, left, total_left)):
        for key, weight in one.items():
            if weight > 0:
                p = weight / total
                parts.append(p * math.log2(2 * p / (p + two.get(key, 0.0) / other)))
    return min(max(math.fsum(parts) / 2, 0.0), 1.0)


def wasserstein(left: Iterable[float], right: Iterable[float], scale: float) -> float:
    """Wasserstein-1 of two samples in units of `scale` (the real standard deviation); 0 when either is empty."""
    a, b = (np.sort(np.fromiter(side, dtype=float)) for side in (left, right))
    if not len(a) or not len(b) or scale <= 0:
        return 0.0
    points = np.concatenate([a, b])
    points.sort(kind="mergesort")
    steps = [np.searchsorted(side, points[:-1], "right") / len(side) for side in (a, b)]
    return float((np.abs(steps[0] - steps[1]) * np.diff(points)).sum() / scale)


def energy(left: Array, right: Array) -> float:
    """Energy distance of two samples of rows (square root not taken, >= 0)."""
    from scipy.spatial.distance import cdist

    if not len(left) or not len(right):
        return 0.0
    value = 2 * cdist(left, right).mean() - cdist(left, left).mean() - cdist(right, right).mean()
    return float(max(value, 0.0))


def energy_of(rows: Mapping[Any, Array]) -> Callable[[set[Any], set[Any]], float]:
    """`energy` between sets of names of `rows`, with every distance computed once."""
    from scipy.spatial.distance import cdist

    names = sorted(rows, key=str)
    place = {name: number for number, name in enumerate(names)}
    table = np.array([rows[name] for name in names])
    distances = cdist(table, table)

    def measure(left: set[Any], right: set[Any]) -> float:
        a, b = sorted(place[name] for name in left), sorted(place[name] for name in right)
        if not a or not b:
            return 0.0
        across, inside = (
            distances[np.ix_(a, b)].mean(),
            (distances[np.ix_(a, a)].mean(), distances[np.ix_(b, b)].mean()),
        )
        return float(max(2 * across - sum(inside), 0.0))

    return measure


def zscore(rows: Array, real: Array) -> Array:
    """Columns centred and scaled by the real data; constant real columns are only centred."""
    sd = real.std(axis=0)
    return (rows - real.mean(axis=0)) / np.where(sd > 1e-9, sd, 1.0)


def auc(scores: Array, truth: Array) -> float:
    """Area under the ROC curve: chance that a random positive scores above a random negative, ties half."""
    from scipy.stats import rankdata

    positives = int(truth.sum())
    negatives = len(truth) - positives
    if not positives or not negatives:
        return 0.5
    ranks = rankdata(scores)
    return float((ranks[truth == 1].sum() - positives * (positives + 1) / 2) / (positives * negatives))


def c2st(features: Array, truth: Array, groups: Sequence[Hashable], folds: int = 5) -> float | None:
    """AUC of a logistic regression that tells the two samples apart, on folds that never split a group.

    Args:
        features: rows, dense or sparse.
        truth: 0 or 1 per row.
        groups: rows of one group stay in one fold, real and simulated ones of a user together.

    Returns:
        The AUC; 0.5 = cannot be told apart; null when there are too few groups to split.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold

    codes = {group: number for number, group in enumerate(dict.fromkeys(groups))}
    ids = np.array([codes[group] for group in groups])
    folds = min(folds, len(codes))
    if folds < 2 or len(set(truth.tolist())) < 2:
        return None
    scores = np.zeros(len(truth))
    for train, test in GroupKFold(folds).split(features, truth, ids):
        if len(set(truth[train].tolist())) < 2:
            continue
        model = LogisticRegression(solver="liblinear", random_state=0, class_weight="balanced").fit(
            features[train], truth[train]
        )
        raw = model.decision_function(features[test])
        # Folds have their own offsets: compare ranks within folds.
        scores[test] = raw - np.median(raw)
    return auc(scores, truth)


def split_half(groups: Sequence[Hashable], seed: int) -> tuple[set[Hashable], set[Hashable]]:
    """Two random halves of the distinct groups."""
    names = list(dict.fromkeys(groups))
    order = np.random.default_rng(seed).permutation(len(names))
    cut = len(names) // 2
    return {names[i] for i in order[:cut]}, {names[i] for i in order[cut : 2 * cut]}


def floor(
    measure: Callable[[set[Hashable], set[Hashable]], float], groups: Sequence[Hashable], splits: int, seed: int
) -> dict[str, float | None]:
    """The measure between random halves of the real groups: mean and 95th percentile; null for under four groups."""
    if len(set(groups)) < 4:
        return {"mean": None, "p95": None}
    values = [measure(*split_half(groups, seed + k)) for k in range(splits)]
    return {"mean": round(float(np.mean(values)), 6), "p95": round(float(np.quantile(values, 0.95)), 6)}


def permutation_p(
    measure: Callable[[set[Hashable], set[Hashable]], float],
    left: Sequence[Hashable],
    right: Sequence[Hashable],
    permutations: int,
    seed: int,
) -> float:
    """p of the measure between two sets of groups, labels dealt anew over groups."""
    names = [*dict.fromkeys(left), *dict.fromkeys(right)]
    size = len(dict.fromkeys(left))
    actual = measure(set(names[:size]), set(names[size:]))
    generator = np.random.default_rng(seed)
    hits = 0
    for _ in range(permutations):
        order = generator.permutation(len(names))
        hits += measure({names[i] for i in order[:size]}, {names[i] for i in order[size:]}) >= actual - 1e-12
    return (1 + hits) / (permutations + 1)


def discoveries(p_values: Mapping[str, float], rate: float = 0.05) -> dict[str, float]:
    """p adjusted for the false discovery rate, by name."""
    names = sorted(p_values, key=lambda name: (p_values[name], name))
    adjusted: dict[str, float] = {}
    least = 1.0
    for rank in range(len(names), 0, -1):
        least = min(least, p_values[names[rank - 1]] * len(names) / rank)
        adjusted[names[rank - 1]] = round(least, 6)
    return adjusted


def counts(values: Iterable[Hashable]) -> dict[Any, float]:
    """Table of counts."""
    return {key: float(n) for key, n in Counter(values).items()}
