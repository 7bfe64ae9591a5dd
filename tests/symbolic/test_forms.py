"""What a user words in a form is read back as that form, and a variant is never taken for the fact."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract.symbolic.forms import by_example, fragments, has_words, paraphrase, read, topic, variant
from synthesis_world import sample_tasks

FACTS = [fact.text for task in sample_tasks() for fact in task.facts]


def share(found: list[bool]) -> float:
    return sum(found) / len(found)


def test_word_for_word_is_direct_wherever_it_stands():
    for fact in FACTS:
        assert read(fact, [f"please do this:\n{fact}\nthanks"]) == "direct"


@pytest.mark.parametrize("seed", range(3))
def test_paraphrase_is_recovered_and_never_direct(seed):
    forms = [read(fact, [paraphrase(fact, Random(seed))]) for fact in FACTS]
    assert "direct" not in forms
    assert share([form == "paraphrase" for form in forms]) > 0.99


def test_example_spread_and_change_are_recovered():
    case = "`f(2)` comes out as `4`"
    assert share([read(fact, [by_example(fact, case)]) in ("example", "paraphrase") for fact in FACTS]) == 1.0
    halves = [(fact, fragments(fact)) for fact in FACTS]
    split = [(fact, pair) for fact, pair in halves if pair]
    assert len(split) > 0.95 * len(FACTS)
    assert share([read(fact, [pair[0], pair[1]]) == "spread" for fact, pair in split]) > 0.97
    assert share([read(fact, [pair[0]]) is None for fact, pair in split]) > 0.97
    assert all(read(fact, ["x", f"changed my mind on one point: {fact}"]) == "superseded" for fact in FACTS)


def test_direct_beats_later_change():
    fact = FACTS[0]
    assert read(fact, [fact, f"new requirement: {fact}"]) == "direct"


def test_variant_is_another_requirement():
    made = [(fact, other) for fact in FACTS if (other := variant(fact, Random(1)))]
    assert len(made) > 0.5 * len(FACTS)
    assert share([read(fact, [other]) is None for fact, other in made]) > 0.97


def test_topic_does_not_give_the_fact_away():
    long = [fact for fact in FACTS if len(fact.split()) > 8]
    assert share([read(fact, [f"about {' '.join(topic(fact))}"]) is None for fact in long]) == 1.0


@given(st.text(), st.lists(st.text(), max_size=3))
def test_any_text_is_read_without_failing(fact, turns):
    assert read(fact, turns) in (None, "direct", "paraphrase", "superseded", "example", "spread")
    assert has_words(f"a {fact} b", fact)


@given(st.text(), st.integers(0, 99))
def test_wording_is_deterministic(fact, seed):
    assert paraphrase(fact, Random(seed)) == paraphrase(fact, Random(seed))
    assert variant(fact, Random(seed)) == variant(fact, Random(seed))


@pytest.mark.parametrize("case", ["f([1, 2]) returns 3", ">>> f(1)\n2", "for f('a') == 'b'", "Input: [1] Output: 2"])
def test_cases_are_kept_whole(case):
    assert fragments(case) is None
    assert "1" in paraphrase(case, Random(1)) or "a" in paraphrase(case, Random(1))
    assert read(case, [paraphrase(case, Random(1))]) is not None
