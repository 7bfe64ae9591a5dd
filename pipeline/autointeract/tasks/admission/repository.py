"""Admission of a repository's task: gold and the buggy state are run, and what they show replaces the listed tests.

Published lists hold tests that never appear in a gold run, pass with the bug, or flip by chance. The verified lists
hold only what every run agrees on: FAIL_TO_PASS fails in each buggy run and passes in each gold run, PASS_TO_PASS
passes in all of them. With these lists gold gives 1.0 and the bug 0.0; where a list changed that is run once more.
"""

from collections.abc import Awaitable, Callable

from autointeract.records import PytestSpec, State, Submission, Verdict
from autointeract.tasks.admission.found import Admitted, Unknown, unknown
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers.context import one_line
from autointeract.tasks.settings import TasksSettings

Judge = Callable[[PytestSpec, list[Submission]], Awaitable[list[Verdict]]]


def state_of(candidate: Candidate) -> State | None:
    """The state a solver begins with: the image's clean tree and, where the patch makes the bug, that patch on it."""
    if candidate.image is None:
        return None
    return State(image=candidate.image, repo_state=(candidate.reference or {}).get("start_patch", ""))


async def admit_repository(
    candidate: Candidate, interface: str, spec: PytestSpec, judge: Judge, settings: TasksSettings
) -> Admitted | Refusal | Unknown:  # fmt: skip
    """Runs the candidate and decides.

    Args:
        judge: verifies submissions against a spec in the candidate's state.
    """
    patch = (candidate.reference or {})["patch"]
    scoring_limit = spec.time_limit_s
    # The sandbox's own clock decides what is slow (a verdict's wall time also holds the wait for a lane), and it is
    # stricter here than when answers are scored.
    spec = spec.model_copy(update={"time_limit_s": min(scoring_limit, settings.max_suite_s)})
    # A trailing newline changes no patch, but no cache takes the second run for the first.
    golds = await judge(spec, [Submission(patch=patch + "\n" * run) for run in range(settings.runs)])
    problem = unknown(golds) or _gold_problem(candidate, golds, settings)
    if problem:
        return problem
    bugs = await judge(spec, [Submission(patch="\n" * run) for run in range(settings.runs)])
    if problem := unknown(bugs):
        return problem
    verified = _verified(spec, golds, bugs)
    if problem := _lists_problem(candidate, spec, verified, golds, bugs):
        return problem
    gold_scores, bug_scores = [one.score for one in golds], [one.score for one in bugs]
    if verified != spec:
        last = await judge(verified, [Submission(patch=patch), Submission(patch="")])
        if problem := unknown(last):
            return problem
        gold_scores, bug_scores = [last[0].score], [last[1].score]
    if any(score != 1.0 for score in gold_scores) or any(score != 0.0 for score in bug_scores):
        return candidate.refuse("flaky", f"with its verified tests: gold {gold_scores}, buggy state {bug_scores}")
    found = {
        "gold": gold_scores, "empty": bug_scores, "total": len(verified.fail_to_pass), "trusted": True,
        "fail_to_pass": [len(spec.fail_to_pass), len(verified.fail_to_pass)],
        "pass_to_pass": [len(spec.pass_to_pass), len(verified.pass_to_pass)],
    }  # fmt: skip
    stored = verified.model_copy(update={"time_limit_s": scoring_limit})
    changed = candidate.model_copy(update={"spec": stored})
    return Admitted(candidate=changed, interface=interface, baseline=0.0, verified=found)


def _gold_problem(candidate: Candidate, golds: list[Verdict], settings: TasksSettings) -> Refusal | None:
    for verdict in golds:
        said = next((str(unit["message"]) for unit in verdict.details if unit.get("message")), "")
        if verdict.status == "timeout":
            return candidate.refuse(
                "slow", f"its tests take more than {settings.max_suite_s:g} s with gold (max_suite_s)"
            )
        if verdict.status == "tampered":
            return candidate.refuse("tampered", "running gold sets off the tamper guards")
        if verdict.status == "patch_refused":
            return candidate.refuse("bad_patch", one_line(said, 200))
        if verdict.status == "collection_error":
            return candidate.refuse("broken", f"its tests cannot be run with gold: {one_line(said, 160)}")
    return None


def _passing(verdict: Verdict) -> set[str]:
    return {str(unit["id"]) for unit in verdict.details if unit.get("status") == "passed" and "id" in unit}


def _verified(spec: PytestSpec, golds: list[Verdict], bugs: list[Verdict]) -> PytestSpec:
    good = set.intersection(*map(_passing, golds))
    bad_ever, bad_always = set.union(*map(_passing, bugs)), set.intersection(*map(_passing, bugs))
    listed = list(dict.fromkeys([*spec.fail_to_pass, *spec.pass_to_pass]))
    return spec.model_copy(
        update={
            "fail_to_pass": [test for test in listed if test in good and test not in bad_ever],
            "pass_to_pass": [test for test in listed if test in good and test in bad_always],
        }
    )


def _lists_problem(
    candidate: Candidate, spec: PytestSpec, verified: PytestSpec, golds: list[Verdict], bugs: list[Verdict]
) -> Refusal | None:  # fmt: skip
    wanted = set(spec.fail_to_pass)
    if not verified.fail_to_pass:
        ever = wanted & set.union(*map(_passing, golds))
        if not ever:
            return candidate.refuse("broken", f"none of its {len(wanted)} FAIL_TO_PASS tests passes with gold")
        if ever <= set.intersection(*map(_passing, bugs)):
            return candidate.refuse("trivial", "every FAIL_TO_PASS test passes in the buggy state")
        return candidate.refuse("flaky", "its FAIL_TO_PASS tests flip between equal runs")
    if not verified.pass_to_pass:
        return candidate.refuse("no_tests", "no test passes both with the bug and with gold: regressions go unseen")
    return None
