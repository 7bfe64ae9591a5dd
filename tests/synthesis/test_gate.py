"""The last look: each kind of damage to a finished row is found, without the help of the checks made before."""

import json
from typing import Any

import pytest

from autointeract.records import Message, PytestSpec, StdioSpec, dump_spec
from autointeract.records.verifier import Case
from autointeract.synthesis.gate import problems
from autointeract.synthesis.leaks import Secrets
from autointeract.synthesis.settings import SynthesisSettings
from synthesis_world import TASK, assistant, task_of, user
from trajectory_rows import trajectory

WORK = task_of(TASK)
OPENING = user("write `fee(hours, rate)`: hours times rate, never above 90")
CLOSING = user("and below 3 hours it is free. write all of it")


def found(*turns: Message, task=WORK, **changes: Any) -> list[str]:
    fields = {"verifier_json": task.verifier_json, "scenario": "clarify_after_solution", "guidance": "{}", **changes}
    return problems(trajectory(0, prompt=list(turns), **fields), task, SynthesisSettings())


def test_a_good_row_passes():
    assert found(OPENING, assistant("```python\ndef fee(hours, rate):\n    return 0\n```"), CLOSING) == []


@pytest.mark.parametrize(
    ("turns", "problem"),
    [
        ([OPENING, assistant("ok")], "end on a user turn"),
        ([OPENING, CLOSING], "two user turns"),
        ([OPENING, assistant("ok"), user("use capped_total = min(hours * rate, 90) there")], "line of the reference"),
        ([OPENING, assistant("ok"), user("fee(4, 9) == 36")], "more cases"),
        ([OPENING, assistant("<think>hm</think> ok"), CLOSING], "reasoning"),
        ([OPENING, assistant("ok"), user("State the facts only by a worked example, please")], "guidance"),
    ],
)
def test_damage_is_found(turns, problem):
    guidance = json.dumps({"text": "State the facts only by a worked example"})
    assert any(problem in entry for entry in found(*turns, guidance=guidance))


CANARY = "zebra_quartz_91"
PLACES = {
    "reference": {"reference_json": json.dumps({"code": TASK["reference"] + f"# {CANARY}\n"})},
    "private notes": {"reference_json": json.dumps({"code": TASK["reference"], "notes": f"see {CANARY}"})},
    "hidden test": {"verifier_json": task_of(
        {**TASK, "assertions": [*TASK["assertions"], f"assert fee(1, 1) == 0, '{CANARY}'"]}).verifier_json},
    "hidden pytest": {"verifier_json": dump_spec(
        PytestSpec(fail_to_pass=[f"t.py::test_{CANARY}"], pass_to_pass=[], test_patch=f"+    assert {CANARY}\n"))},
    "hidden input": {"verifier_json": dump_spec(
        StdioSpec(language="python", cases=[Case(input=f"1 {CANARY}", output="2")]))},
    "guidance": {},
}  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_a_canary_from_any_private_place_is_found_by_both_looks(place):
    task = WORK.model_copy(update=PLACES[place])
    told = f"Mention {CANARY} early." if place == "guidance" else ""
    turns = [OPENING, assistant("ok"), user(f"mind {CANARY} too, and below 3 hours it is free")]
    assert "a private name is visible" in found(*turns, task=task, guidance=json.dumps({"text": told}))
    assert Secrets(task, told, [], 8).find(turns)
    clean = [OPENING, assistant(f"what of {CANARY}?"), turns[2]]  # the assistant said it first: no secret any more
    assert "a private name is visible" not in found(*clean, task=task, guidance=json.dumps({"text": told}))


def test_another_verifier_and_missing_samples_are_found():
    other = task_of({**TASK, "assertions": TASK["assertions"][1:]})
    row = [OPENING, assistant("ok"), CLOSING]
    assert found(*row, verifier_json=other.verifier_json) == ["the verifier is not the source task's"]
    assert found(*row, weak_scores=[0.0, 0.0]) == ["samples are missing"]


def test_bug_iteration_may_show_its_share_and_no_more():
    one, two = "`fee(4, 9)` should give `36`", "`fee(50, 11)` should give `90`"
    assert found(OPENING, assistant("ok"), user(one), scenario="bug_iteration") == []
    assert found(OPENING, assistant("ok"), user(f"{one}\n{two}"), scenario="bug_iteration") != []


def test_what_the_assistant_wrote_or_the_task_shows_is_no_leak():
    line = "capped_total = min(hours * rate, 90)"
    assert found(OPENING, assistant(f"```python\n{line}\n```"), user(f"why {line} ?")) == []
    assert found(OPENING, assistant("ok"), user("for example fee(3, 5) == 15")) == []


def test_lines_that_a_patch_adds_are_private():
    head = "--- a/f.py\n+++ b/f.py\n@@ -1 +1 @@\n"
    patch = f"{head}-    return max(value, upper_limit)\n+    return min(value, upper_limit)\n"
    task = WORK.model_copy(update={"reference_json": json.dumps({"patch": patch}), "domain": "swe"})
    assert found(OPENING, assistant("ok"), user("it should return min(value, upper_limit)"), task=task) != []
    assert found(OPENING, assistant("ok"), user("it says return max(value, upper_limit)"), task=task) == []
