"""Sampling and scenarios: seeded, balanced, stable when inputs grow; every fact due once and before the end."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract.records.vocabulary import ALGORITHMIC_SCENARIOS
from autointeract.synthesis.guidance import Guidance
from autointeract.synthesis.sampling import plan_items
from autointeract.synthesis.scenarios import eligible, single_turn, turn_plans
from autointeract.synthesis.settings import SynthesisSettings
from synthesis_world import TASK, profiles, sample_tasks, task_of

FACTS = ["f1", "f2", "f3", "f4", "f5"]


@given(
    st.sampled_from(ALGORITHMIC_SCENARIOS), st.integers(0, 10**6), st.sets(st.sampled_from(FACTS)),
    st.sets(st.sampled_from(FACTS)), st.integers(1, 5), st.floats(0, 1),
)  # fmt: skip
def test_every_fact_is_due_once_and_the_last_turn_ends_it(scenario, seed, withhold, reveal, count, share):
    guidance = Guidance(withhold=sorted(withhold), reveal=sorted(reveal)).settled(FACTS[:count])
    settings = {"reveal": {"first_turn": share}, "requirement_change": share}
    plans = turn_plans(scenario, FACTS[:count], guidance, settings, 0.5, Random(seed))
    due = [name for plan in plans for name in plan.due]
    assert sorted(due) == FACTS[:count]
    assert [plan.last for plan in plans] == [False] * (len(plans) - 1) + [True]
    assert (plans[0].due or count == 1) and plans[0].move in ("open_design", "open_build")
    for number, plan in enumerate(plans):
        assert set(plan.later) == {name for after in plans[number + 1 :] for name in after.due}
        assert set(plan.vary) <= set(plan.later)
    endings = {"change": "change", "bug": "report", "clarify": "add"}
    assert plans[-1].move == endings[scenario.split("_")[0]]


def test_withheld_facts_come_late_and_revealed_ones_early():
    guidance = Guidance(withhold=["f3", "f5"], reveal=["f2"])
    for seed in range(20):
        plans = turn_plans("clarify_in_design", FACTS, guidance, {}, 0.0, Random(seed))
        assert "f2" in plans[0].due and not {"f3", "f5"} & set(plans[0].due)


@pytest.mark.parametrize("scenario", ["change_in_design", "change_after_solution"])
def test_a_change_comes_in_both_kinds_and_ends_at_the_true_requirement(scenario):
    """Stated otherwise first and then put right, or held back and then brought in as new."""
    kinds: Counter[bool] = Counter()
    for seed in range(60):
        opening, *_, change = turn_plans(scenario, FACTS, Guidance(), {}, 0.0, Random(seed))
        assert change.due and set(opening.vary) <= set(change.due) and not change.vary
        kinds[bool(opening.vary)] += 1
    assert min(kinds[True], kinds[False]) > 15


def test_few_cases_are_not_eligible_for_bug_iteration():
    few = task_of({**TASK, "assertions": TASK["assertions"][:4]})
    assert "bug_iteration" not in eligible(few, ALGORITHMIC_SCENARIOS)
    assert eligible(task_of(TASK), ALGORITHMIC_SCENARIOS) == list(ALGORITHMIC_SCENARIOS)
    assert eligible(task_of(TASK), ["open"]) == []


def test_single_turn_states_everything_at_once():
    (plan,) = single_turn(FACTS)
    assert plan.last and plan.due == FACTS


def test_plan_is_balanced_without_replacement_and_in_order():
    settings = SynthesisSettings(draws=4)
    items = plan_items(sample_tasks(), profiles(4), "p", settings, 1)
    assert len(items) == 240 and len({item.item_id for item in items}) == 240
    assert [item.draw for item in items] == sorted(item.draw for item in items)
    for task_id in {item.task_id for item in items}:
        mine = [item for item in items if item.task_id == task_id]
        assert len({item.profile_id for item in mine}) == 4 and len({item.scenario for item in mine}) == 4
    counts = Counter(item.scenario for item in items)
    assert max(counts.values()) - min(counts.values()) < 25


def test_new_tasks_and_other_order_cost_only_themselves():
    settings = SynthesisSettings(draws=2)
    tasks, users = sample_tasks(20), profiles(4)
    before = {item.item_id for item in plan_items(tasks[:15], users, "p", settings, 1)}
    after = {item.item_id for item in plan_items(tasks[::-1], users[::-1], "p", settings, 1)}
    assert before < after


def test_weights_and_niches_decide_who_is_drawn():
    users = profiles(3)
    heavy = [user.model_copy(update={"weight": weight}) for user, weight in zip(users, (0.9, 0.05, 0.05), strict=True)]
    items = plan_items(sample_tasks(), heavy, "p", SynthesisSettings(), 1)
    assert Counter(item.profile_id for item in items)[users[0].profile_id] > 40
    flat = plan_items(sample_tasks(), heavy, "p", SynthesisSettings(pairing="niches"), 1)
    share = Counter(item.profile_id for item in flat)
    assert share[users[1].profile_id] > share[users[0].profile_id]  # alone in its niche


@pytest.mark.parametrize("field", ["null_share", "full_share"])
def test_shares_are_shares(field):
    items = plan_items(sample_tasks(), profiles(4), "p", SynthesisSettings.model_validate({"draws": 4, field: 0.25}), 1)
    marked = sum(item.null_arm if field == "null_share" else item.full for item in items)
    assert 35 < marked < 85
