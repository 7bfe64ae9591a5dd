"""Means of rollout scores with intervals resampled by user, and paired differences between two prompts."""

from collections.abc import Mapping, Sequence
from typing import Any

from autointeract.users.instances import Instance
from autointeract.users.rollout import Rollout


def mean(values: Sequence[float]) -> float | None:
    """The mean, null of nothing."""
    return round(sum(values) / len(values), 6) if values else None


def split_scores(instances: Sequence[Instance], rollouts: Mapping[str, Rollout]) -> dict[str, float | None]:
    """Mean score by split; rollouts without a score are left out."""
    found: dict[str, list[float]] = {"train": [], "val": [], "test": []}
    for item in instances:
        roll = rollouts.get(item.instance_id)
        if roll is not None and roll.score is not None:
            found[item.split].append(roll.score)
    return {split: mean(values) for split, values in found.items()}


def aspect_means(rollouts: Sequence[Rollout]) -> dict[str, float]:
    """Mean of each aspect over the rollouts that have it."""
    names = sorted({name for roll in rollouts for name in roll.aspects})
    return {name: mean([r.aspects[name] for r in rollouts if name in r.aspects]) or 0.0 for name in names}


def user_interval(
    values: Mapping[str, Sequence[float]], seed: int, resamples: int = 2000, level: float = 0.9
) -> dict[str, Any]:
    """Mean over all values with a percentile interval resampled by user; low and high are null for fewer than two
    users.
    """
    import numpy as np

    users = sorted(user for user in values if len(values[user]))
    if not users:
        return {"mean": None, "low": None, "high": None, "users": 0, "values": 0}
    sums = np.array([sum(values[user]) for user in users])
    counts = np.array([len(values[user]) for user in users])
    found: dict[str, Any] = {"mean": round(float(sums.sum() / counts.sum()), 6), "low": None, "high": None}
    if len(users) > 1:
        picks = np.random.default_rng(seed).integers(0, len(users), size=(resamples, len(users)))
        means = sums[picks].sum(axis=1) / counts[picks].sum(axis=1)
        tail = (1 - level) / 2
        found["low"], found["high"] = (round(float(q), 6) for q in np.quantile(means, [tail, 1 - tail]))
    return {**found, "users": len(users), "values": int(counts.sum())}


def paired_gain(
    instances: Sequence[Instance], new: Mapping[str, Rollout], old: Mapping[str, Rollout], seed: int
) -> dict[str, Any]:
    """Mean of new minus old over instances that both scored, with its interval by user."""
    differences: dict[str, list[float]] = {}
    for item in instances:
        a, b = new.get(item.instance_id), old.get(item.instance_id)
        if a is not None and b is not None and a.score is not None and b.score is not None:
            differences.setdefault(item.user_id or item.session_id, []).append(a.score - b.score)
    return user_interval(differences, seed)
