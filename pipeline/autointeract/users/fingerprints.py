"""Sessions and labels -> one Fingerprint a user, and what is common to all users.

In: evidence per session by user, the users that may decide population figures (train and val), settings. Out:
`Measured`. Users under `min_turns` typed turns are left out and counted.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from autointeract.records import AxisValue, Fingerprint, Record, canonical_json, load_json
from autointeract.records.vocabulary import AXES
from autointeract.users.axes import axis_specs
from autointeract.users.estimate import Estimate, Population, estimate, place
from autointeract.users.measures import SessionEvidence
from autointeract.users.reveal import mean_curve
from autointeract.users.settings import ProfileSettings
from autointeract.users.surface import STYLE_MARKS

ALIKE_P = 0.1
"""Above this, differences between users are what chance would give and an axis is unknown for everybody."""
MIX_PRIOR = 5.0
"""Pseudo-requests that pull a user's request mix toward the population's."""
PLACES = 4


class Measured(Record):
    """All fingerprints, by user, with the population behind them.

    Attributes:
        alike: axes on which users cannot be told apart (too few of them, or no more spread than chance).
        left_out: users with too few typed turns.
        population_mix: share of each intent among the population's requests.
    """

    rows: dict[str, Fingerprint]
    population: dict[str, Population]
    reliability: dict[str, dict[str, float]]
    alike: list[str]
    left_out: list[str]
    population_mix: dict[str, float]


def measure(
    evidence: Mapping[str, Sequence[SessionEvidence]], base: set[str], settings: ProfileSettings, seed: int,
    resamples: int | None = None,
) -> Measured:  # fmt: skip
    """Fingerprints of all users in `evidence`.

    Args:
        base: users whose evidence decides population figures.
        resamples: overrides `settings.resamples` (0 = no intervals, for instances).
    """
    left_out = sorted(u for u, rows in evidence.items() if sum(row.turns for row in rows) < settings.min_turns)
    users = {user: list(evidence[user]) for user in sorted(evidence) if user not in set(left_out)}
    base = base & users.keys()
    counts = settings.resamples if resamples is None else resamples
    numbers: dict[str, dict[str, Estimate]] = {}
    population: dict[str, Population] = {}
    for name in (*AXES, *STYLE_MARKS, "first_words", "later_words"):
        rate = name in STYLE_MARKS or (name in AXES and axis_specs()[name].kind == "rate")
        sums = {user: [row.values[name] for row in rows] for user, rows in users.items()}
        numbers[name], population[name] = estimate(
            sums, base, rate=rate, interval=settings.interval, resamples=counts if name in AXES else 0, seed=seed,
            permutations=200 if name in AXES and counts else 0,
        )  # fmt: skip
    alike = [axis for axis in AXES if counts and (len(base) < 2 or population[axis].p_alike > ALIKE_P)]
    mix = _mix([row.intents for user in sorted(base) for row in users[user]], {})
    rows = {
        user: _row(
            user, users[user], {name: numbers[name].get(user) for name in numbers}, population, alike, mix, settings
        )
        for user in users
    }
    reliability = {axis: {u: round(e.reliability, PLACES) for u, e in numbers[axis].items()} for axis in AXES}
    return Measured(
        rows=rows, population=population, reliability=reliability, alike=alike, left_out=left_out, population_mix=mix
    )


def remeasure(whole: Measured, user: str, rows: Sequence[SessionEvidence], settings: ProfileSettings) -> Fingerprint:
    """A user's fingerprint from some of their sessions, under population figures measured before; no intervals."""
    numbers: dict[str, Estimate | None] = {}
    for name, common in whole.population.items():
        rate = name in STYLE_MARKS or (name in AXES and axis_specs()[name].kind == "rate")
        numbers[name] = place([row.values[name] for row in rows], common, rate=rate)
    return _row(user, list(rows), numbers, whole.population, whole.alike, whole.population_mix, settings)


def settings_of(row: Fingerprint, allowed_intents: set[str] | None = None) -> dict[str, Any]:
    """`Profile.settings_json` of a fingerprint: axes in [0, 1], reveal, style, request mix; measured, never invented.

    Args:
        allowed_intents: kinds of request that enough users share to be named; others are counted as "other".
    """
    mix: dict[str, float] = {}
    for kind, share in load_json(row.request_mix_json, {}).items():
        name = kind if allowed_intents is None or kind in allowed_intents else "other"
        mix[name] = round(mix.get(name, 0.0) + share, PLACES)
    found: dict[str, Any] = {item.axis: axis_specs()[item.axis].to_setting(item.value) for item in row.axes}
    found["unknown"] = [item.axis for item in row.axes if not item.known]
    found["reveal"] = load_json(row.reveal_json, {})
    found["style"] = load_json(row.style_json, {})
    found["request_mix"] = dict(sorted(mix.items()))
    return found


def _row(
    user: str, evidence: list[SessionEvidence], numbers: dict[str, Estimate | None], population: dict[str, Population],
    alike: list[str], mix: dict[str, float], settings: ProfileSettings,
) -> Fingerprint:  # fmt: skip
    sessions = sum(row.turns > 0 for row in evidence)
    axes = [_axis(axis, numbers[axis], population[axis], axis in alike, sessions, settings) for axis in AXES]
    curve = mean_curve([row.reveal for row in evidence])
    turns = sum(row.turns for row in evidence)
    style: dict[str, float] = {}
    for name in STYLE_MARKS:
        found = numbers[name]
        style[name] = round(found.value if found else population[name].mean, PLACES)
    for name in ("first_words", "later_words"):
        found = numbers[name]
        style[name] = round(math.expm1(found.value if found else population[name].mean), 2)
    style["turns_per_session"] = round(turns / max(sessions, 1), 2)
    style["interrupts_per_session"] = round(sum(row.interrupts for row in evidence) / max(len(evidence), 1), PLACES)
    style["other_language"] = round(sum(row.other_language for row in evidence) / max(turns, 1), PLACES)
    reveal = {"first_turn": curve[0] if curve else None, "curve": curve}
    return Fingerprint(
        user_id=user, n_sessions=sessions, n_turns=turns, axes=axes,
        request_mix_json=canonical_json(_mix([row.intents for row in evidence], mix)),
        reveal_json=canonical_json(reveal), style_json=canonical_json(style),
    )  # fmt: skip


def _axis(
    axis: str, found: Estimate | None, population: Population, alike: bool, sessions: int, settings: ProfileSettings
) -> AxisValue:
    def unit(value: float) -> float:
        return round(math.expm1(value) if axis == "verbosity" else value, 6)

    if found is None:
        # Never counted for this user: the population's value, with its whole spread as the interval.
        spread = 1.645 * population.between_sd
        low, high = population.mean - spread, population.mean + spread
        return AxisValue(axis=axis, value=unit(population.mean), low=unit(low), high=unit(high), known=False)  # type: ignore[arg-type]
    known = not alike and found.sessions >= settings.min_sessions and found.reliability >= settings.min_reliability
    return AxisValue(axis=axis, value=unit(found.value), low=unit(found.low), high=unit(found.high), known=known)  # type: ignore[arg-type]


def _mix(counts: list[dict[str, int]], prior: dict[str, float]) -> dict[str, float]:
    total: dict[str, float] = {}
    for row in counts:
        for kind, n in row.items():
            total[kind] = total.get(kind, 0.0) + n
    for kind, share in prior.items():
        total[kind] = total.get(kind, 0.0) + MIX_PRIOR * share
    whole = sum(total.values())
    return {kind: round(total[kind] / whole, PLACES) for kind in sorted(total)} if whole else {}
