"""False alarms of realism where there is nothing to find: both sides are drawn from one source (`make realism-null`).

Every p value must fall under 0.05 in no more than a twentieth of the comparisons, and an AUC outside its
real-versus-real range in no more than a tenth; beside each count stands the binomial interval of that rate (family-wise
95 % over all rows). Counts above it fail. Counts below are told: measures with few values tie, and ties count as hits.
"""

import os
from collections import Counter

import pytest
from scipy.stats import binom
from test_realism import turns
from users_support import SAY, session

from autointeract.records import rng
from autointeract.users.comparison import swap_p
from autointeract.users.corpus import by_group
from autointeract.users.session_measures import compare_sessions
from autointeract.users.settings import RealismSettings
from autointeract.users.text_measures import classifiers
from autointeract.users.turn_measures import MEASURES

REPEATS = int(os.environ.get("REALISM_NULL_REPEATS", "200"))
AUC_REPEATS = max(REPEATS // 4, 1)
SWAPS = 39
"""Swaps behind each p: 0.05 is exactly the two highest of forty places."""
TESTS = 2 * len(MEASURES) + 2 + 6
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif("not config.getoption('-m') or 'slow' not in config.getoption('-m')"),
]


def told(title: str, alarms: Counter[str], repeats: int, rate: float) -> list[str]:
    """Prints each count beside its interval; gives the names whose count lies above it."""
    tail = 0.05 / TESTS / 2
    low, high = (int(binom.ppf(q, repeats, rate)) for q in (tail, 1 - tail))
    print(f"\n{title}: {repeats} comparisons, {rate * repeats:.1f} expected, interval {low} to {high}")
    for name, count in sorted(alarms.items()):
        print(f"  {name:28} {count:4}  {'ABOVE' if count > high else 'below (ties)' if count < low else ''}".rstrip())
    return [name for name, count in alarms.items() if count > high]


@pytest.mark.parametrize("shared", [True, False], ids=["the same users", "other users"])
def test_measures(shared: bool) -> None:
    alarms = Counter(dict.fromkeys(MEASURES, 0))
    for k in range(REPEATS):
        if shared:
            left, right = by_group(turns(10, 6, 2 * k)), by_group(turns(10, 6, 2 * k + 1))
        else:
            everyone = by_group(turns(40, 6, k))
            dealt = rng("dealt", k).sample(sorted(everyone), 20)
            left, right = ({name: everyone[name] for name in sorted(side)} for side in (dealt[:10], dealt[10:]))
        for name in MEASURES:
            alarms[name] += swap_p(name, left, right, SWAPS, k) <= 0.05
    title = "p <= 0.05, " + ("the same users" if shared else "other users of one population")
    assert told(title, alarms, REPEATS, 0.05) == []


def test_whole_sessions() -> None:
    settings = RealismSettings(permutations=SWAPS, floor_splits=10)
    alarms = Counter({"turns": 0, "reveal": 0})
    for k in range(REPEATS):
        real = [session(f"s{n}", f"u{n}", said(k, n, 0)) for n in range(20)]
        talks = {
            f"s{n}": {"messages": [{"role": "user", "content": t} for t in said(k, n, 1)], "closed": False}
            for n in range(20)
        }
        found = compare_sessions(real, talks, 8, k, settings)
        for name in alarms:
            alarms[name] += (found[f"{name}_p"] or 1.0) <= 0.05
    assert told("p <= 0.05, whole sessions", alarms, REPEATS, 0.05) == []


def said(k: int, n: int, side: int) -> list[str]:
    """One session of person `n`: a usual length of theirs, requests and corrections."""
    usual = 2 + rng("usual", k, n).randrange(4)
    draw = rng("said", k, n, side)
    kinds = ["new_request", *draw.choices(["new_request", "change_requirement", "correct", "accept"], k=7)]
    return [draw.choice(SAY[kind]) for kind in kinds[: usual + draw.randrange(3)]]


def test_classifiers() -> None:
    alarms: Counter[str] = Counter()
    for k in range(AUC_REPEATS):
        left, right = by_group(turns(24, 8, 2 * k)), by_group(turns(24, 8, 2 * k + 1))
        for name, item in classifiers(left, right, 12, k).items():
            if item["auc"] is not None and item["floor"] is not None:
                alarms[name] += not item["floor"][0] <= item["auc"] <= item["floor"][1]
    assert alarms, "no classifier was judged"
    assert told("AUC outside the real-versus-real range", alarms, AUC_REPEATS, 0.10) == []
