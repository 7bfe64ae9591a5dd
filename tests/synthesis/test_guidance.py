"""The controller's rules: each diagnosis moves the levers the way it should."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract.records.vocabulary import Outcome
from autointeract.synthesis.guidance import Diagnosis, Guidance, Round, fallback

FACTS = ["a", "b", "c", "d", "e"]


def after(kind: Outcome, guidance: Guidance | None = None, **fields) -> Guidance:
    return fallback(FACTS, [Round(guidance=guidance or Guidance(), diagnosis=Diagnosis(kind=kind, **fields))], "key")


def test_too_easy_withholds_more_and_more_the_easier_it_was():
    hard, easy = after("too_easy", weak=0.5), after("too_easy", weak=1.0)
    assert 0 < len(hard.withhold) < len(easy.withhold) < len(FACTS)
    again = after("too_easy", easy, weak=1.0)
    assert set(easy.withhold) < set(again.withhold)
    assert "indirectly" in again.text


def test_too_hard_gives_some_back():
    before = Guidance(withhold=["a", "b", "c"], directness=1.0)
    now = after("too_hard", before, strong=0.2)
    assert len(now.withhold) == 2 and set(now.reveal) | set(now.withhold) == {"a", "b", "c"}
    assert after("too_hard").reveal


def test_invalid_reveals_what_was_missing():
    now = after("invalid", Guidance(withhold=["a", "b"]), missing=["b", "z"])
    assert now.reveal == ["b"] and now.withhold == ["a"]


@pytest.mark.parametrize("kind", ["leak", "unrealistic", "incoherent", "inconsistent"])
def test_other_diagnoses_keep_the_levers_and_say_what_was_wrong(kind):
    before = Guidance(withhold=["a"], reveal=["b"], directness=0.5)
    now = after(kind, before)
    assert (now.withhold, now.reveal, now.directness) == (["a"], ["b"], 0.5)
    assert now.text and now.text != after("too_easy").text


@given(
    st.lists(st.tuples(st.sampled_from(["too_easy", "too_hard", "invalid", "leak", "unrealistic"]),
                       st.one_of(st.none(), st.floats(0, 1))), min_size=1, max_size=6)
)  # fmt: skip
def test_guidance_stays_within_the_task(history):
    rounds: list[Round] = []
    guidance = Guidance()
    for kind, weak in history:
        rounds.append(Round(guidance=guidance, diagnosis=Diagnosis(kind=kind, weak=weak, missing=["a", "zz"])))
        guidance = fallback(FACTS, rounds, "key")
        assert not set(guidance.withhold) & set(guidance.reveal)
        assert set(guidance.withhold) | set(guidance.reveal) <= set(FACTS)
        assert guidance.directness is None or 0 <= guidance.directness <= 1
        assert guidance == fallback(FACTS, rounds, "key")


def test_settled_cleans_what_a_model_said():
    messy = Guidance(text="t", withhold=["a", "a", "?", "b"], reveal=["b", "nope"], directness=7.0)
    assert messy.settled(FACTS) == Guidance(text="t", withhold=["a"], reveal=["b"], directness=1.0)
    assert Guidance(directness=math.nan).settled(FACTS).directness is None
