"""From sums per session to one number per user with an interval: empirical Bayes, with sessions as the unit.

For a number x of user u with n sessions and N counted turns (C. Morris, 1983, JASA 78:47, for the shrinkage; R. Paule
and J. Mandel, 1982, for the variance between users; a cluster bootstrap for the shape of the interval):

    x_u  = sum / count over all turns
    v_u  = sampling variance: the user's own between-session variance, blended with the pooled one (design effect times
           the variance of single turns), because a handful of sessions cannot estimate a variance on its own
    tau2 = variance between users beyond sampling
    w_u  = 1 - (U - 3) / (U - 1) * v_u / (v_u + tau2)        U users; no shrinkage for U <= 3
    value = mu + w_u (x_u - mu);  interval = value + sqrt(w_u) * resampled deviations + (1 - w_u) * uncertainty of mu

`reliability` = tau2 / (tau2 + v_u). Population figures come from the users in `population` alone (never test users).
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autointeract.records import Record, derive_seed
from autointeract.users.measures import Sums

POOL_WEIGHT = 10.0
"""Weight of the pooled variance against the user's own, in sessions."""


class Estimate(Record):
    """One number of one user, in the unit of the sums."""

    value: float
    low: float
    high: float
    raw: float
    reliability: float
    sessions: int
    turns: int


class Population(Record):
    """What is common to all users for one number.

    Attributes:
        mean, between_sd: of users' true values; `turn_sd`: of single turns.
        design_effect: how much more sessions vary than as many independent turns would.
        p_alike: chance of so much difference between users if all were alike (sessions dealt out at random).
        users: how many the figures come from.
    """

    mean: float
    between_sd: float
    turn_sd: float
    design_effect: float
    p_alike: float
    users: int


def estimate(
    evidence: Mapping[str, Sequence[Sums]], population: set[str], *, rate: bool, interval: float = 0.9,
    resamples: int = 400, seed: int = 0, permutations: int = 200,
) -> tuple[dict[str, Estimate], Population]:  # fmt: skip
    """Values of all users in `evidence` that have a counted turn, and the population's figures.

    Args:
        evidence: one `Sums` a session, by user.
        population: users that decide mean and variances.
        rate: whether the number is a share (variance p(1-p)) rather than a real number.
        resamples: of sessions, per user; 0 = no intervals (low = high = value).
    """
    data = {user: _array(sums) for user, sums in sorted(evidence.items())}
    data = {user: rows for user, rows in data.items() if len(rows)}
    base = [user for user in data if user in population]
    if not base:
        return {}, Population(mean=0, between_sd=0, turn_sd=0, design_effect=1, p_alike=1, users=0)
    x = {user: rows[:, 0].sum() / rows[:, 2].sum() for user, rows in data.items()}
    turn_var = _turn_variance([data[user] for user in base], rate)
    start = float(np.mean([x[user] for user in base]))
    spread = {user: _spread(data[user], x[user], start, turn_var, rate) for user in data}
    deff = _design_effect([data[u] for u in base], [x[u] for u in base], [spread[u] for u in base])
    v = {user: _variance(data[user], x[user], deff * spread[user]) for user in data}
    mu, tau2 = _paule_mandel(np.array([x[u] for u in base]), np.array([v[u] for u in base]))
    mu_sd = math.sqrt(1.0 / sum(1.0 / (v[u] + tau2) for u in base)) if len(base) > 1 else 0.0
    factor = (len(base) - 3) / (len(base) - 1) if len(base) > 3 else 0.0
    pool = _pool(data, base, resamples, seed)
    found: dict[str, Estimate] = {}
    for user, rows in data.items():
        weight = 1.0 - factor * v[user] / (v[user] + tau2)
        value = mu + weight * (x[user] - mu)
        low = high = value
        if resamples:
            draws = _deviations(rows, v[user], pool, resamples, derive_seed("interval", seed, user))
            noise = np.random.default_rng(derive_seed("mean", seed, user)).standard_normal(resamples)
            total = value + math.sqrt(weight) * draws + (1.0 - weight) * mu_sd * noise
            tail = (1.0 - interval) / 2
            low, high = (float(q) for q in np.quantile(total, [tail, 1 - tail]))
            wide = _small_sample(len(base), interval)
            low, high = value + wide * (low - value), value + wide * (high - value)
        if rate:
            value, low, high = (min(max(item, 0.0), 1.0) for item in (value, low, high))
        found[user] = Estimate(
            value=float(value), low=min(low, float(value)), high=max(high, float(value)), raw=float(x[user]),
            reliability=float(tau2 / (tau2 + v[user])) if tau2 > 0 else 0.0, sessions=len(rows),
            turns=int(rows[:, 2].sum()),
        )  # fmt: skip
    p_alike = _p_alike([data[user] for user in base], permutations, seed)
    return found, Population(
        mean=float(mu), between_sd=math.sqrt(tau2), turn_sd=math.sqrt(turn_var), design_effect=deff, p_alike=p_alike,
        users=len(base),
    )  # fmt: skip


def place(sums: Sequence[Sums], common: Population, *, rate: bool) -> Estimate | None:
    """One user's value under figures of a population known already; no interval. Null without counted turns."""
    rows = _array(sums)
    if not len(rows):
        return None
    x = float(rows[:, 0].sum() / rows[:, 2].sum())
    spread = _spread(rows, x, common.mean, common.turn_sd**2, rate)
    v = _variance(rows, x, common.design_effect * spread)
    tau2 = common.between_sd**2
    factor = (common.users - 3) / (common.users - 1) if common.users > 3 else 0.0
    value = common.mean + (1.0 - factor * v / (v + tau2)) * (x - common.mean)
    if rate:
        value = min(max(value, 0.0), 1.0)
    return Estimate(
        value=value, low=value, high=value, raw=x, reliability=tau2 / (tau2 + v), sessions=len(rows),
        turns=int(rows[:, 2].sum()),
    )  # fmt: skip


def _array(sums: Sequence[Sums]) -> Any:
    rows = [(item.total, item.squares, item.count) for item in sums if item.count]
    return np.array(rows, dtype=float).reshape(-1, 3)


def _turn_variance(users: list[Any], rate: bool) -> float:
    rows = np.concatenate(users)
    if rate:
        p = (rows[:, 0].sum() + 0.5) / (rows[:, 2].sum() + 1.0)
        return float(p * (1 - p))
    within = (rows[:, 1] - rows[:, 0] ** 2 / rows[:, 2]).sum()
    freedom = (rows[:, 2] - 1).sum()
    if freedom > 0 and within > 0:
        return float(within / freedom)
    return max(float(np.var(rows[:, 0] / rows[:, 2])), 1e-6)


def _spread(rows: Any, x: float, mean: float, turn_var: float, rate: bool) -> float:
    count = rows[:, 2].sum()
    if rate:
        p = (x * count + 2 * max(mean, 0.02)) / (count + 2)
        return float(max(p * (1 - p), 1e-4) / count)
    return turn_var / count


def _own_variance(rows: Any, x: float) -> float:
    n = len(rows)
    residual = rows[:, 0] - x * rows[:, 2]
    return float(n / (n - 1) * (residual**2).sum() / rows[:, 2].sum() ** 2)


def _design_effect(users: list[Any], x: list[float], spread: list[float]) -> float:
    pairs = [(len(r) - 1, _own_variance(r, m), s) for r, m, s in zip(users, x, spread, strict=True) if len(r) > 1]
    below = sum(n * s for n, _, s in pairs)
    return max(sum(n * own for n, own, _ in pairs) / below, 0.25) if below else 1.5


def _variance(rows: Any, x: float, pooled: float) -> float:
    n = len(rows)
    own = (n - 1) * _own_variance(rows, x) if n > 1 else 0.0
    return max((POOL_WEIGHT * pooled + own) / (POOL_WEIGHT + n - 1), 1e-9)


def _paule_mandel(x: Any, v: Any) -> tuple[float, float]:
    def mean(tau2: float) -> float:
        return float((x / (v + tau2)).sum() / (1 / (v + tau2)).sum())

    def excess(tau2: float) -> float:
        return float(((x - mean(tau2)) ** 2 / (v + tau2)).sum() - (len(x) - 1))

    if len(x) < 2 or excess(0.0) <= 0:
        return mean(0.0), 0.0
    low, high = 0.0, float(np.var(x, ddof=1)) * 4 + 1e-9
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if excess(middle) > 0 else (low, middle)
    return mean(high), high


def _resample(rows: Any, count: int, seed: int) -> Any:
    picks = np.random.default_rng(seed).integers(0, len(rows), size=(count, len(rows)))
    totals = rows[:, 0][picks].sum(axis=1) / rows[:, 2][picks].sum(axis=1)
    return totals - rows[:, 0].sum() / rows[:, 2].sum()


def _pool(data: dict[str, Any], base: list[str], resamples: int, seed: int) -> Any:
    """Standardised deviations of users with enough sessions, for those without."""
    parts = []
    for user in base:
        if len(data[user]) >= 4 and resamples:
            draws = _resample(data[user], 40, derive_seed("pool", seed, user))
            if draws.std() > 1e-12:
                parts.append((draws - draws.mean()) / draws.std())
    return np.concatenate(parts) if parts else None


def _deviations(rows: Any, variance: float, pool: Any, count: int, seed: int) -> Any:
    if len(rows) >= 4:
        draws = _resample(rows, count, seed)
        if draws.std() > 1e-12:
            return (draws - draws.mean()) / draws.std() * math.sqrt(variance)
    generator = np.random.default_rng(seed)
    draws = generator.choice(pool, count) if pool is not None else generator.standard_normal(count)
    return draws * math.sqrt(variance)


def _small_sample(users: int, interval: float) -> float:
    """Widening for a variance between users that itself comes from few users (Student's t against the normal)."""
    from scipy.stats import norm, t

    upper = (1 + interval) / 2
    return float(t.ppf(upper, max(users - 1, 2)) / norm.ppf(upper))


def _p_alike(users: list[Any], permutations: int, seed: int) -> float:
    sizes = [len(rows) for rows in users]
    if len(users) < 2 or sum(sizes) <= len(users):
        return 1.0
    rows = np.concatenate(users)
    grand = rows[:, 0].sum() / rows[:, 2].sum()
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])

    def statistic(order: Any) -> float:
        totals, counts = np.add.reduceat(rows[order, 0], starts), np.add.reduceat(rows[order, 2], starts)
        return float((counts * (totals / counts - grand) ** 2).sum())

    identity = np.arange(len(rows))
    actual = statistic(identity)
    generator = np.random.default_rng(derive_seed("alike", seed))
    hits = sum(statistic(generator.permutation(identity)) >= actual - 1e-12 for _ in range(permutations))
    return (1 + hits) / (permutations + 1)
