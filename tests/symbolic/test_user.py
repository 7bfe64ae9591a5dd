"""The rule-based user: guidance moves directness, every due fact is stated, no turn is blank."""

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from autointeract.symbolic import Habits, Situation, speak
from autointeract.symbolic.forms import read

FACTS = (
    ("f1", "Compute the fee as hours times rate."), ("f2", "Stays below 3 hours are free."),
    ("f3", "The fee never exceeds 90 cents on any day."), ("f4", "Negative hours are refused with an error."),
)  # fmt: skip
CAREFUL = frozenset({"private", "every", "natural", "follow", "habits"})


def say(seed: int = 0, **changes) -> str:
    fields = {"move": "add", "last": True, "interface": "`fee(hours)`", "name": "fee", "due": FACTS, "careful": CAREFUL}
    return speak(Situation(**(fields | changes)), Random(seed)).utterance


def directness(**changes) -> float:
    forms = [read(text, [say(seed, **changes)]) for seed in range(60) for _, text in FACTS]
    return sum(form == "direct" for form in forms) / len(forms)


def test_directness_moves_what_is_said_word_for_word():
    shares = [directness(directness=level) for level in (0.0, 0.3, 0.7, 1.0)]
    assert shares == sorted(shares) and shares[0] < 0.05 and shares[-1] > 0.95


def test_withheld_is_indirect_and_revealed_is_direct():
    text = say(withhold=frozenset({"f2"}), reveal=frozenset({"f3"}), directness=1.0)
    assert read(FACTS[1][1], [text]) not in (None, "direct")
    assert read(FACTS[2][1], [text]) == "direct"


def test_vague_users_are_less_direct():
    assert directness(habits=Habits(vagueness=1.0)) < directness(habits=Habits(vagueness=0.0))


def test_every_due_fact_is_recoverable_when_reminded():
    lost = [text for seed in range(200) for _, text in FACTS if read(text, [say(seed, directness=0.2)]) is None]
    assert len(lost) <= 8  # a reminded user still forgets now and then


def test_change_says_so_and_reports_only_its_cases():
    assert "changed my mind" in say(3, move="change") or "new requirement" in say(3, move="change") or "scrap" in say(3)
    text = say(move="report", due=(), cases=("`fee(1)` should give `0`",))
    assert "`fee(1)` should give `0`" in text


@given(
    st.integers(0, 10**6), st.sampled_from(["open_design", "open_build", "add", "change", "report", "react"]),
    st.booleans(), st.integers(0, 4), st.one_of(st.none(), st.floats(0, 1)),
)  # fmt: skip
def test_no_turn_is_blank_and_only_due_facts_are_claimed(seed, move, last, count, share):
    line = speak(
        Situation(move=move, last=last, interface="`f(x)`", name="f", due=FACTS[:count], directness=share), Random(seed)
    )
    assert line.utterance.strip()
    assert set(line.facts) <= {name for name, _ in FACTS[:count]}


def test_habits_survive_odd_settings():
    assert Habits.of({"vagueness": "high", "pushback": None, "verbosity": 7, "style": []}).verbosity == 1.0
    assert Habits.of(None) == Habits()
