"""Axes, evidence, estimates, splits, privacy: the pure parts of measuring users."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from users_support import session

from autointeract.records import TurnLabel
from autointeract.records.vocabulary import AXES
from autointeract.users import privacy, redact
from autointeract.users.axes import axis_specs, level_of
from autointeract.users.estimate import estimate
from autointeract.users.measures import Sums, expertise_score, session_evidence, vagueness_score
from autointeract.users.reveal import reveal_curve
from autointeract.users.splits import assign
from autointeract.users.surface import count_words, is_english, style
from autointeract.users.turns import typed_turns


def labels_for(row, reactions):
    return {
        turn.index: TurnLabel(
            session_id=row.session_id, turn_index=turn.index, intent="create", reaction=reaction, specificity=2,
            words=count_words(turn.text), labeller="rules",
        )
        for turn, reaction in zip(typed_turns(row), reactions, strict=True)
    }  # fmt: skip


def test_axes_are_five_and_ordered() -> None:
    assert tuple(axis_specs()) == AXES
    assert axis_specs()["verbosity"].to_setting(2.0) == 0.0 and axis_specs()["verbosity"].to_setting(1e6) == 1.0


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(0, 1))
def test_settings_rise_with_values(a: float, b: float) -> None:
    for spec in axis_specs().values():
        low, high = sorted((a, b))
        assert 0 <= spec.to_setting(low) <= spec.to_setting(high) <= 1
    assert level_of(a, (0.3, 0.6)) in ("low", "mid", "high") and level_of(a, (0.3, 0.6), known=False) == "unknown"


def test_rates_count_reactive_turns_only() -> None:
    row = session("s", "u", ["sort the list", "no, wrong", "ok", "fails again"])
    found = session_evidence(row, labels_for(row, ["correct", "correct", "accept", "report_failure"]))
    assert (found.values["pushback"].total, found.values["pushback"].count) == (2, 3)
    assert found.values["first_words"].count == 1 and found.values["later_words"].count == 3
    assert found.intents == {"create": 3}


def test_expertise_and_vagueness_point_the_right_way() -> None:
    expert = "memoize the recursive traversal in graph_utils.py, the LRU cache leaks references"
    novice = "how do I make the thing faster? I'm new to this and don't understand it"
    assert expertise_score(expert) > 0.7 > 0.3 > expertise_score(novice)
    assert vagueness_score("make it somehow better", 0) > vagueness_score("return 0 when n < 2", 3)


def test_reveal_curve_counts_new_facts() -> None:
    row = session("s", "u", ["count the vowels. ignore upper case letters", "thanks", "also skip empty lines"])
    curve = reveal_curve(list(typed_turns(row)), labels_for(row, ["new_request", "accept", "new_request"]))
    assert curve[0] == pytest.approx(2 / 3, abs=1e-6) and curve[1] == curve[0] and curve[-1] == 1.0
    assert reveal_curve([], {}) == []


@settings(deadline=None)
@given(st.text(max_size=300))
def test_style_of_any_text(text: str) -> None:
    assert set(style(text).values()) <= {0.0, 1.0}
    assert is_english(text) in (True, False, None)


def sums_of(values: list[list[float]]) -> list[Sums]:
    return [Sums(total=sum(v), squares=sum(x * x for x in v), count=len(v)) for v in values]


def simulate(users: int, sessions: int, turns: int, seed: int, spread: float = 0.15):
    """Users with true rates, sessions that deviate from them, turns that are coin flips."""
    draw = np.random.default_rng(seed)
    truth, data = {}, {}
    for u in range(users):
        rate = float(np.clip(draw.normal(0.35, spread), 0.03, 0.9))
        truth[f"u{u}"] = rate
        rates = np.clip(draw.normal(rate, 0.08, sessions), 0, 1)
        data[f"u{u}"] = sums_of([draw.binomial(1, r, turns).astype(float).tolist() for r in rates])
    return truth, data


@pytest.mark.parametrize("sessions", [1, 3, 6, 12])
def test_intervals_cover_at_their_rate(sessions: int) -> None:
    hits = total = 0
    for seed in range(4):
        truth, data = simulate(60, sessions, 6, seed)
        found, _ = estimate(data, set(data), rate=True, interval=0.9, seed=seed, permutations=0)
        hits += sum(found[u].low <= truth[u] <= found[u].high for u in truth)
        total += len(truth)
    assert 0.85 <= hits / total <= 0.97, hits / total


def test_shrinkage_helps_and_one_session_leans_on_the_population() -> None:
    truth, data = simulate(80, 2, 5, 1)
    found, common = estimate(data, set(data), rate=True, seed=0, permutations=0)
    raw = sum((found[u].raw - truth[u]) ** 2 for u in truth)
    shrunk = sum((found[u].value - truth[u]) ** 2 for u in truth)
    assert shrunk < raw
    assert abs(common.mean - 0.35) < 0.06 and abs(common.between_sd - 0.15) < 0.06


def test_users_all_alike_are_told_so() -> None:
    _, data = simulate(40, 4, 6, 2, spread=0.0)
    _, common = estimate(data, set(data), rate=True, seed=0)
    assert common.p_alike > 0.05
    _, data = simulate(40, 4, 6, 2, spread=0.2)
    assert estimate(data, set(data), rate=True, seed=0)[1].p_alike < 0.02


def test_population_figures_come_from_the_base_alone() -> None:
    _, data = simulate(20, 4, 6, 3)
    base = {f"u{u}" for u in range(10)}
    part, common = estimate(data, base, rate=True, seed=0, permutations=0)
    wild = {**data, "u19": sums_of([[1.0] * 50] * 4)}
    again, common2 = estimate(wild, base, rate=True, seed=0, permutations=0)
    assert common == common2 and all(part[u] == again[u] for u in base)


@settings(deadline=None)
@given(st.integers(1, 40), st.integers(0, 5))
def test_splits_keep_quotas_and_assignments(users: int, seed: int) -> None:
    shares = {"train": 0.6, "val": 0.2, "test": 0.2}
    names = [f"u{i}" for i in range(users)]
    first = assign({}, names, shares, seed)
    for name, share in shares.items():
        assert abs(sum(row.split == name for row in first.values()) - share * users) <= 1
    more = assign(first, [*names, "late"], shares, seed)
    assert all(more[name] == first[name] for name in names)
    assert assign({}, reversed(names), shares, seed) == first


LOG = ["please look at the parser module in acme_tool/parse.py and fix it now", "Maria wants it by tomorrow"]


@pytest.mark.parametrize(
    "text",
    [
        "Often says look at the parser module in acme tool parse py and more.", "Writes to jo@example.org often.",
        "Works in src/app/main.py mostly.", "Uses fooBar and baz_qux names.", "See https://example.org/x for tone.",
        "Reports to Maria daily.", "Pastes sk-abcdEFGH1234 keys.", "Calls 192.168.0.12 at times.",
    ],
)  # fmt: skip
def test_private_things_are_found(text: str) -> None:
    runs = privacy.word_runs(LOG, 8)
    assert privacy.findings(text, runs, 8)


def test_plain_profile_passes_and_seven_words_are_allowed() -> None:
    runs = privacy.word_runs(LOG, 8)
    assert not privacy.findings("Writes short lines in lower case. Often corrects results.", runs, 8)
    assert not privacy.shared_runs("look at the parser module in acme", runs, 8)


@settings(deadline=None)
@given(st.lists(st.sampled_from(["alpha", "beta", "gamma", "delta", "epsilon", "zeta"]), min_size=8, max_size=30))
def test_any_run_of_the_log_is_found(words: list[str]) -> None:
    runs = privacy.word_runs([" ".join(words)], 8)
    assert privacy.shared_runs("X " + ", ".join(words[:8]).upper() + "!", runs, 8)


def test_excerpts_hold_nothing_telling() -> None:
    text = "in src/app/main.py call fooBar() and mail jo@example.org, see https://example.org, key AKIA1234567890ABCD"
    assert "main.py" not in redact.redact(text, 40) and "@" not in redact.redact(text, 40)
    assert "fooBar" not in redact.redact(text, 40) and "AKIA" not in redact.redact(text, 40)
