"""Does a population of profiles match real users? Coverage, diversity, similarity beside its real-versus-real floor.

In: the profiles kept (with weights), the fingerprints and levels of real users. Out: plain data for the report. The
population is sampled by its weights to the number of real users it is compared with, because every distance grows as
samples shrink. Two comparisons: with the users it was made from, and with held-out users it never saw.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from autointeract.records import Fingerprint, Profile, derive_seed, load_json
from autointeract.records.vocabulary import AXES
from autointeract.users import similarity as sim
from autointeract.users.fingerprints import settings_of
from autointeract.users.neardup import SimilarTexts

FEATURES = (*AXES, "first_turn", "lowercase_start", "question", "polite", "no_final_mark", "code_fence", "short")
MIN_USERS = 8
"""Fewer real users than this are not compared: a split half would hold fewer than four."""


def report(
    profiles: Sequence[Profile], real: Mapping[str, Fingerprint], levels: Mapping[str, Mapping[str, str]],
    niches: Mapping[str, str], held_out: set[str], seed: int, splits: int = 100, permutations: int = 200,
) -> dict[str, Any]:  # fmt: skip
    """The whole report.

    Args:
        real: fingerprints of all users; `levels` and `niches` likewise.
        held_out: test users.
    """
    fitted = [user for user in sorted(real) if user not in held_out]
    unseen = sorted(held_out & real.keys())
    found: dict[str, Any] = {
        "profiles": len(profiles), "coverage": coverage(profiles, niches, fitted, unseen),
        "diversity": diversity(profiles, seed),
    }  # fmt: skip
    for name, users in (("made_from", fitted), ("held_out", unseen)):
        if len(users) >= MIN_USERS and profiles:
            found[name] = compare(profiles, {user: real[user] for user in users}, levels, seed, splits, permutations)
        else:
            found[name] = {"users": len(users), "too_few": True}
    return found


def coverage(
    profiles: Sequence[Profile], niches: Mapping[str, str], fitted: Sequence[str], unseen: Sequence[str]
) -> dict[str, Any]:
    """Both ways: share of real users whose niche the population fills, and share of its weight in observed niches."""
    filled = {row.niche for row in profiles}
    observed = {niches[user] for user in fitted}

    def share(users: Sequence[str]) -> float | None:
        return round(sum(niches[user] in filled for user in users) / len(users), 4) if users else None

    total = sum(row.weight for row in profiles) or 1.0
    return {
        "made_from_users": share(fitted), "held_out_users": share(unseen), "niches_observed": len(observed),
        "niches_filled": len(filled & observed), "niches_outside": len(filled - observed),
        "weight_in_observed": round(sum(row.weight for row in profiles if row.niche in observed) / total, 6),
    }  # fmt: skip


def diversity(profiles: Sequence[Profile], seed: int, most: int = 2000) -> dict[str, Any]:
    """Of the texts: mean pairwise cosine distance, nearest-neighbour similarity, distinct words and word pairs."""
    if len(profiles) < 2:
        return {"texts": len(profiles)}
    order = np.random.default_rng(derive_seed("diversity", seed)).permutation(len(profiles))[:most]
    texts = [profiles[i].text for i in sorted(order)]
    index = SimilarTexts(texts)
    from scipy.sparse import vstack

    matrix: Any = vstack([index.vector(text) for text in texts], format="csr")
    n, nearest = len(texts), []
    total = np.asarray(matrix.sum(axis=0)).ravel()
    mean = (float(total @ total) - n) / (n * (n - 1))
    for start in range(0, n, 256):
        block = (matrix[start : start + 256] @ matrix.T).toarray()
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -1.0
        nearest.append(block.max(axis=1))
    close = np.concatenate(nearest)
    words = [word for text in texts for word in text.lower().split()]
    pairs = list(pairwise(words))
    per_niche = Counter(row.niche for row in profiles)
    return {
        "texts": n, "mean_distance": round(1 - mean, 4), "nearest_mean": round(float(close.mean()), 4),
        "nearest_max": round(float(close.max()), 4), "distinct_1": round(len(set(words)) / len(words), 4),
        "distinct_2": round(len(set(pairs)) / max(len(pairs), 1), 4), "largest_niche": max(per_niche.values()),
    }  # fmt: skip


def compare(
    profiles: Sequence[Profile], real: Mapping[str, Fingerprint], levels: Mapping[str, Mapping[str, str]], seed: int,
    splits: int, permutations: int,
) -> dict[str, Any]:  # fmt: skip
    """Per axis and jointly: distance, real-versus-real floor, permutation p, p adjusted for false discoveries."""
    users = sorted(real)
    draw = np.random.default_rng(derive_seed("population", seed))
    weights = np.array([row.weight for row in profiles])
    picks = draw.choice(len(profiles), size=len(users), p=weights / weights.sum())
    values: dict[Any, Any] = {user: _features(settings_of(real[user])) for user in users}
    niche: dict[Any, str] = {user: "/".join(levels[user][axis] for axis in AXES) for user in users}
    sampled: list[Any] = []
    for place, pick in enumerate(picks):
        row = profiles[int(pick)]
        key = (place, row.user_id)
        values[key], niche[key] = _features(load_json(row.settings_json)), row.niche
        sampled.append(key)
    matrix_real = np.array([values[user] for user in users])
    scale = matrix_real.std(axis=0)
    whole = {name: sim.zscore(np.array([row]), matrix_real)[0] for name, row in values.items()}
    measures: dict[str, Any] = {}
    for place, axis in enumerate(AXES):
        measures[f"{axis}_w1"] = _w1(values, place, float(scale[place]))
        measures[f"{axis}_level_jsd"] = _jsd(niche, place)
    measures["joint_energy"] = sim.energy_of(whole)
    measures["niche_jsd"] = _jsd(niche, None)
    found, p_values = {}, {}
    for name, measure in measures.items():
        here = derive_seed(name, seed)
        p_values[name] = sim.permutation_p(measure, users, sampled, permutations, here)
        found[name] = {
            "value": round(measure(set(users), set(sampled)), 6), "floor": sim.floor(measure, users, splits, here),
            "p": round(p_values[name], 6),
        }  # fmt: skip
    for name, p in sim.discoveries(p_values).items():
        found[name]["p_adjusted"] = p
    rows = np.array([whole[name] for name in [*users, *sampled]])
    truth = np.array([0] * len(users) + [1] * len(sampled))
    groups = [*users, *(key[1] for key in sampled)]
    auc = sim.c2st(rows, truth, groups)
    return {
        "users": len(users), "sampled": len(sampled), "measures": found,
        "c2st_auc": round(auc, 4) if auc is not None else None,
        "c2st_floor": _auc_floor(users, whole, splits=min(splits, 40), seed=seed),
        "detectable_sd": round(2.8 * (2 / len(users)) ** 0.5, 3),
    }  # fmt: skip


def _features(settings: Mapping[str, Any]) -> list[float]:
    style, reveal = settings.get("style") or {}, settings.get("reveal") or {}
    found = {**{axis: settings[axis] for axis in AXES}, **style, "first_turn": reveal.get("first_turn")}
    return [0.5 if found.get(name) is None else float(found[name]) for name in FEATURES]


def _w1(values: Mapping[Any, Any], column: int, scale: float) -> Any:
    return lambda a, b: sim.wasserstein([values[k][column] for k in a], [values[k][column] for k in b], scale)


def _jsd(niche: Mapping[Any, str], place: int | None) -> Any:
    def part(key: Any) -> str:
        return niche[key] if place is None else niche[key].split("/")[place]

    return lambda a, b: sim.jsd(sim.counts(part(k) for k in a), sim.counts(part(k) for k in b))


def _order(keys: set[Any]) -> list[Any]:
    return sorted(keys, key=str)


def _auc_floor(users: Sequence[str], rows: Mapping[Any, Any], splits: int, seed: int) -> dict[str, float | None]:
    found = []
    for k in range(splits):
        a, b = sim.split_half(users, derive_seed("auc", seed, k))
        names = [*_order(a), *_order(b)]
        truth = np.array([0] * len(a) + [1] * len(b))
        value = sim.c2st(np.array([rows[name] for name in names]), truth, names)
        if value is not None:
            found.append(value)
    if not found:
        return {"low": None, "high": None}
    return {"low": round(float(np.quantile(found, 0.05)), 4), "high": round(float(np.quantile(found, 0.95)), 4)}
