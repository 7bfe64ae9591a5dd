"""Planted canaries: whatever is private and shows in a user turn is found; what is public or the assistant's is not."""

import json

import pytest

from autointeract.records import load_json
from autointeract.synthesis.leaks import Secrets
from synthesis_world import TASK, assistant, task_of, user

CANARY = "CANARY-77-orchid"
WORK = task_of({**TASK, "reference": TASK["reference"] + f"# note: {CANARY}_ref1\nhidden_name_9 = '{CANARY}'\n"})


def kinds(*turns, task=WORK, guidance="", allowed=()) -> set[str]:
    return {leak.kind for leak in Secrets(task, guidance, list(allowed), 8).find(list(turns))}


def test_plain_words_and_shown_cases_are_no_leak():
    assert not kinds(user("compute `fee(hours, rate)`: hours times rate, at most 90, free below 3"))
    assert not kinds(user("for example `fee(3, 5)` comes out as `15`"))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("like `if hours < 3: return 0; capped_total = min(hours * rate, 90)`", "reference"),
        ("name it capped_total", "name"),
        (f"it has to print {CANARY} somewhere", "name"),
        ("uses hidden_name_9", "name"),
        ("must pass: assert fee(4, 9) == 36", "test"),
        ("fee( 4,9 ) should give 36", "test"),
    ],
)  # fmt: skip
def test_reference_and_hidden_tests_are_found(text, kind):
    assert kind in kinds(user(text))


def test_a_canary_in_a_hidden_test_is_found():
    task = task_of({**TASK, "assertions": [*TASK["assertions"], f"assert fee(7, 1) == '{CANARY}'"]})
    assert "name" in kinds(user(f"returns {CANARY}"), task=task)


def test_a_canary_in_private_notes_of_the_reference_is_found():
    notes = json.dumps({**load_json(WORK.reference_json), "notes": f"the trick is 'pineapple_{CANARY}'"})
    assert kinds(user(f"think of pineapple_{CANARY}"), task=WORK.model_copy(update={"reference_json": notes}))


def test_guidance_repeated_aloud_is_found():
    guidance = "State the withheld facts only indirectly, by a worked example or in other words."
    assert "guidance" in kinds(user(f"ok: {guidance}"), guidance=guidance)
    assert "guidance" not in kinds(user("state it by a worked example"), guidance=guidance)


def test_allowed_cases_and_the_assistants_own_words_are_no_leak():
    case = "assert fee(4, 9) == 36"
    assert "test" in kinds(user("`fee(4, 9)` should give `36`"))
    assert not kinds(user("`fee(4, 9)` should give `36`"), allowed=[case])
    told = assistant("```python\ncapped_total = min(hours * rate, 90)\nreturn capped_total\n```")
    assert not kinds(user("write it"), told, user("why capped_total = min(hours * rate, 90) and return capped_total ?"))


def test_findings_do_not_repeat_the_secret():
    (leak,) = Secrets(WORK, "", [], 8).find([user("name it capped_total")])
    assert leak.model_dump() == {"kind": "name", "message": 0}
