"""Verified test lists: what scripted verdicts of gold and buggy runs make of the listed ones."""

import pytest
from tests.tasks.task_rows import BUG, smith

from autointeract.records import PytestSpec, Submission, Verdict
from autointeract.tasks.admission.found import Admitted, Unknown
from autointeract.tasks.admission.repository import admit_repository, state_of
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers import READERS
from autointeract.tasks.readers.context import ReadContext
from autointeract.tasks.settings import SourceSettings, TasksSettings

SETTINGS = TasksSettings()


def candidate(**changes) -> Candidate:
    context = ReadContext(where="x:1", source=SourceSettings(path="x"), label="x", settings=SETTINGS)
    found = context.guarded(READERS["swe_smith"], smith(**changes))
    assert isinstance(found, Candidate)
    return found


class Runs:
    """A judge: which tests pass in the n-th gold run and in the n-th buggy run (the last one again and again)."""

    def __init__(self, gold: list[str], bug: list[str], **verdict):
        self.gold, self.bug, self.more = gold, bug, verdict
        self.seen: list[tuple[PytestSpec, Submission]] = []
        self.counts = {"gold": 0, "bug": 0}

    async def __call__(self, spec: PytestSpec, submissions: list[Submission]) -> list[Verdict]:
        return [self.one(spec, submission) for submission in submissions]

    def one(self, spec: PytestSpec, submission: Submission) -> Verdict:
        self.seen.append((spec, submission))
        kind = "gold" if (submission.patch or "").strip() else "bug"
        runs = getattr(self, kind)
        passing = runs[min(self.counts[kind], len(runs) - 1)]
        self.counts[kind] += 1
        details = [
            {"id": t, "status": "passed" if t in passing else "failed"} for t in spec.fail_to_pass + spec.pass_to_pass
        ]
        fixed = sum(test in passing for test in spec.fail_to_pass)
        regressed = any(test not in passing for test in spec.pass_to_pass)
        score = 0.0 if regressed else fixed / len(spec.fail_to_pass)
        return Verdict(**{"score": score, "details": details, "total": len(spec.fail_to_pass), **self.more})


async def decide(runs: Runs, fail=("a", "b"), keep=("c", "d")) -> Admitted | Refusal | Unknown:
    one = candidate(FAIL_TO_PASS=list(fail), PASS_TO_PASS=list(keep))
    assert isinstance(one.spec, PytestSpec)
    return await admit_repository(one, "interface", one.spec, runs, SETTINGS)


async def test_a_sound_task_is_run_twice_each_and_keeps_its_lists():
    runs = Runs(gold=["abcd"], bug=["cd"])
    found = await decide(runs)
    assert (
        isinstance(found, Admitted) and found.verified["gold"] == [1.0, 1.0] and found.verified["empty"] == [0.0, 0.0]
    )
    patches = [submission.patch for _, submission in runs.seen]
    assert len(set(patches)) == len(patches) == 4  # no run can be answered from a cache


async def test_lists_are_reduced_to_what_every_run_shows_and_run_once_more():
    runs = Runs(gold=["abcdx", "abcd", "abcd"], bug=["bcd", "bcd", "bcd"])
    found = await decide(runs, fail=("a", "b", "never"), keep=("c", "d", "x"))
    assert isinstance(found, Admitted) and isinstance(found.candidate.spec, PytestSpec)
    assert found.candidate.spec.fail_to_pass == ["a"]  # b passes with the bug, "never" does not appear
    assert found.candidate.spec.pass_to_pass == ["b", "c", "d"]  # x flips
    assert found.verified["fail_to_pass"] == [3, 1] and len(runs.seen) == 6


@pytest.mark.parametrize(
    ("gold", "bug", "reason"),
    [
        (["cd"], ["cd"], "broken"),
        (["abcd"], ["abcd"], "trivial"),
        (["abcd", "cd"], ["cd"], "flaky"),
        (["ab"], ["cd"], "no_tests"),
        (["abcd", "abcd"], ["cd", "abcd"], "flaky"),
    ],
)
async def test_refusals(gold, bug, reason):
    found = await decide(Runs(gold=gold, bug=bug))
    assert isinstance(found, Refusal) and found.reason == reason


async def test_a_task_that_flips_in_the_last_run_is_flaky():
    found = await decide(Runs(gold=["abcd", "abcd", "cd"], bug=["bcd"]))
    assert isinstance(found, Refusal) and found.reason == "flaky"


@pytest.mark.parametrize(
    ("status", "reason"),
    [("timeout", "slow"), ("tampered", "tampered"), ("patch_refused", "bad_patch"), ("collection_error", "broken")],
)
async def test_runs_that_stop(status, reason):
    found = await decide(Runs(gold=[""], bug=[""], status=status, score=0.0))
    assert isinstance(found, Refusal) and found.reason == reason


async def test_the_limit_is_stricter_while_admitting_and_waiting_for_a_lane_is_no_slowness():
    runs = Runs(gold=["abcd"], bug=["cd"], seconds=900.0)
    found = await decide(runs)
    assert isinstance(found, Admitted) and isinstance(found.candidate.spec, PytestSpec)
    assert {spec.time_limit_s for spec, _ in runs.seen} == {SETTINGS.max_suite_s}
    assert found.candidate.spec.time_limit_s == SETTINGS.suite_time_limit_s


async def test_faults_decide_nothing():
    found = await decide(Runs(gold=["abcd"], bug=["cd"], score=None, fault="sandbox"))
    assert isinstance(found, Unknown) and found.boundary == "sandbox"


def test_the_bug_is_part_of_the_state_and_not_of_the_submission():
    state = state_of(candidate())
    assert state is not None and state.repo_state == BUG
    fixed = state_of(candidate(patch=None, fix_patch=BUG))
    assert fixed is not None and fixed.repo_state == ""
