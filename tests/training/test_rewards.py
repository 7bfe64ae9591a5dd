"""Rewards: the paper's semantics, one way to read a response, and never a 0 for a fault of the machinery."""

import asyncio
import json
import subprocess
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trajectory_rows import trajectory

from autointeract.errors import InputError
from autointeract.publish.row_info import ground_truth
from autointeract.records import PytestSpec, State, Submission, Verdict, dump_spec
from autointeract.training import rewards
from autointeract.training.response import extract_patch, submission_of
from autointeract.training.rewards import RewardUnknownError, judge, parse_truth, report, score_of
from autointeract.training.trl_reward import completion_text, execution_reward

TRUTH = ground_truth(trajectory(3))
GOOD = "<think>def f(x): return 0</think>Sure:\n```python\ndef f(x):\n    return x + 3\n```"
HALF = "```python\ndef f(x):\n    return x + 3 if x < 2 else None\n```"
DIFF = "diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-x = 1\n+x = 2\n"


def sandbox(outcomes: list[float | None]) -> tuple[Any, list[Submission]]:
    """A verifier that gives these scores in turn, and what it was asked."""
    asked: list[Submission] = []

    async def verify(spec: Any, submission: Submission, state: State | None = None) -> Verdict:
        asked.append(submission)
        score = outcomes[min(len(asked), len(outcomes)) - 1]
        return Verdict(score=score, passed=0, total=5, fault=None if score is not None else "sandbox")

    return verify, asked


@pytest.mark.parametrize(("response", "score"), [(GOOD, 1.0), (HALF, 0.4), ("no code here", 0.0), ("", 0.0)])
def test_the_score_is_the_share_of_assertions_that_pass(response: str, score: float) -> None:
    from autointeract.training.verl_reward import compute_score

    found = compute_score("sample", response, TRUTH, {"index": 0})
    assert found["score"] == score
    assert found["total"] == 5 and found["passed"] == round(5 * score)


async def test_every_adapter_gives_the_same_score(monkeypatch: pytest.MonkeyPatch) -> None:
    from autointeract.training import slime_reward
    from autointeract.training.verl_reward import compute_score_async

    messages = [[{"role": "assistant", "content": text}] for text in (GOOD, HALF, "")]
    logged: dict[str, float] = {}
    assert await execution_reward(completions=messages, answer=[TRUTH] * 3, log_metric=logged.__setitem__) == [
        1.0,
        0.4,
        0.0,
    ]
    assert logged["execution/unknown"] == 0 and round(logged["execution/no_code"], 3) == 0.333
    assert (await compute_score_async("sample", HALF, TRUTH))["score"] == 0.4
    assert await slime_reward.reward(None, SimpleNamespace(label=TRUTH, response=HALF)) == 0.4


def test_openrlhf_gets_tensors_of_the_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    from autointeract.training.openrlhf_reward import reward_func

    monkeypatch.setitem(sys.modules, "torch", SimpleNamespace(tensor=lambda data, dtype=None: data, float32="f"))  # type: ignore[arg-type]
    found = reward_func(["Q: " + GOOD, "Q: " + HALF], ["Q: ", "Q: "], [TRUTH, TRUTH])
    assert found["rewards"] == [1.0, 0.4] == found["scores"]
    assert found["extra_logs"]["passed"] == [5.0, 2.0]


async def test_a_dead_sandbox_is_tried_again_and_then_unknown_never_zero() -> None:
    verifier, asked = sandbox([None, None, 0.6])
    assert (await judge(TRUTH, GOOD, verifier=verifier)).score == 0.6 and len(asked) == 3
    verifier, asked = sandbox([None])
    verdict = await judge(TRUTH, GOOD, verifier=verifier)
    assert verdict.score is None and len(asked) == rewards.ATTEMPTS
    with pytest.raises(RewardUnknownError, match="no verdict after 3 tries"):
        score_of(verdict)
    assert score_of(verdict, "none") is None and score_of(verdict, 0.5) == 0.5
    assert report(verdict)["unknown"] == 1.0


async def test_trl_gets_none_for_an_unknown_score(monkeypatch: pytest.MonkeyPatch) -> None:
    verifier, _ = sandbox([None])
    monkeypatch.setattr(rewards, "verify", verifier)
    assert await execution_reward(completions=["x"], answer=[TRUTH]) == [None]


async def test_a_repository_task_is_judged_by_its_patch_in_its_state() -> None:
    spec = PytestSpec(fail_to_pass=["t::a"], pass_to_pass=[])
    row = trajectory(1, verifier_json=dump_spec(spec), image="img", repo_state="before", domain="swe", scenario="open")
    parsed, state = parse_truth(ground_truth(row))
    assert parsed == spec and state == State(image="img", repo_state="before")
    verifier, asked = sandbox([1.0])
    await judge(ground_truth(row), f"<think>```diff\nno\n```</think>Done.\n```diff\n{DIFF}```\nBye", verifier=verifier)
    assert asked == [Submission(patch=DIFF)]


@pytest.mark.parametrize(
    ("text", "patch"),
    [
        (f"```diff\n{DIFF}```", DIFF),
        (f"```diff\nnonsense\n```\n```\n{DIFF}```\n```python\nx\n```", DIFF),
        (DIFF, DIFF),
        (f"```patch\n{DIFF[:-1]}", DIFF),
        ("--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-a\n+b", "--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-a\n+b\n"),
        ("no patch", None), ("", None), (f"<think>```diff\n{DIFF}```", None), ("a --- b\n+++ c", None),
    ],
)  # fmt: skip
def test_the_patch_is_the_last_diff_outside_thinking(text: str, patch: str | None) -> None:
    assert extract_patch(text) == patch
    assert submission_of(PytestSpec(fail_to_pass=[], pass_to_pass=[]), text).patch == (patch or "")


@given(st.text(max_size=300))
def test_no_response_breaks_the_parser(text: str) -> None:
    found = extract_patch(text)
    assert found is None or found.endswith("\n")


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", "3", '{"version": 1}', '{"version": 9, "verifier": {}}', None]
)
def test_a_wrong_ground_truth_is_named(text: Any) -> None:
    with pytest.raises(InputError, match="ground truth"):
        parse_truth(text)


def test_a_wrong_verifier_is_named() -> None:
    with pytest.raises(InputError, match="verifier_json"):
        parse_truth(json.dumps({"version": 1, "verifier": {"kind": "magic"}}))


def test_the_last_assistant_turn_of_a_completion_counts() -> None:
    turns = [
        {"role": "assistant", "content": "a"},
        {"role": "tool", "content": "t"},
        {"role": "assistant", "content": "b"},
    ]
    assert completion_text(turns) == "b" and completion_text("s") == "s" and completion_text([]) == ""


def test_imports_stay_light(root: Any) -> None:
    heavy = ["litellm", "dspy", "datasets", "torch", "pandas", "sklearn", "typer", "rich", "jinja2", "httpx", "docker"]
    code = (
        "import sys; import autointeract.training.verl_reward, autointeract.training.trl_reward, "
        "autointeract.training.slime_reward, autointeract.training.openrlhf_reward; "
        f"print([m for m in {heavy!r} if m in sys.modules])"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"


def test_many_at_once_from_plain_threads() -> None:
    from concurrent.futures import ThreadPoolExecutor

    from autointeract.training.verl_reward import compute_score

    with ThreadPoolExecutor(8) as pool:
        scores = list(pool.map(lambda text: compute_score("s", text, TRUTH)["score"], [GOOD, HALF] * 6))
    assert scores == [1.0, 0.4] * 6
    assert asyncio.run(rewards.reward(TRUTH, GOOD)) == 1.0
