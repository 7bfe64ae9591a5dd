"""The reward of a response: one scoring core that every adapter calls.

`ground_truth` is the JSON text in an export's `answer` (equal to `reward_model.ground_truth`):
`{"version": 1, "verifier": {...}, "state": {"image", "repo_state"} | null}`.
"""

import json
from collections.abc import Awaitable, Callable
from typing import Any, Literal

from autointeract.errors import InputError, SandboxError
from autointeract.execution import verify, verify_sync
from autointeract.records import State, Submission, Verdict, VerifierSpec, parse_spec
from autointeract.training.response import submission_of

OnFault = Literal["raise", "none"] | float
"""What becomes of a response that could not be judged: raise `RewardUnknownError` (the default), give None, or give a
number. No number is right: it teaches the model about our machines."""
ATTEMPTS = 3
"""Tries before a response counts as not judged."""
Verifier = Callable[[VerifierSpec, Submission, State | None], Awaitable[Verdict]]


class RewardUnknownError(SandboxError):
    """The sandbox failed, so nothing is known about this response. It is not a wrong answer."""


def parse_truth(ground_truth: str) -> tuple[VerifierSpec, State | None]:
    """The verifier and the state in a row's ground truth.

    Raises:
        InputError: the text is no ground truth of this or an earlier version.
    """
    try:
        data = json.loads(ground_truth)
        version, verifier, state = data["version"], data["verifier"], data.get("state")
    except (TypeError, ValueError, KeyError, AttributeError) as error:
        raise InputError(f"ground truth: not the JSON text that `autointeract export` writes ({error})") from error
    if version != 1:
        raise InputError(f"ground truth: version {version!r} is not known here; install a newer autointeract")
    return parse_spec(json.dumps(verifier)), State.model_validate(state) if state else None


async def judge(ground_truth: str, response: str, *, verifier: Verifier | None = None) -> Verdict:
    """The verdict on a response; `score` is null only when `ATTEMPTS` tries failed for reasons of the sandbox.

    Args:
        response: what the model wrote, thinking included.
        verifier: what judges; default: the process-wide `execution.verify`.

    Raises:
        InputError: the ground truth cannot be read.
        SandboxUnavailableError: nothing can run here; the message says how to get a sandbox.
    """
    spec, state = parse_truth(ground_truth)
    submission = submission_of(spec, response)
    verdict = Verdict(score=None, status="fault", fault="sandbox")
    for _ in range(ATTEMPTS):
        verdict = await (verifier or verify)(spec, submission, state)
        if verdict.score is not None:
            break
    return verdict


def judge_sync(ground_truth: str, response: str) -> Verdict:
    """As `judge`, for code without an event loop; any thread may call it."""
    spec, state = parse_truth(ground_truth)
    submission = submission_of(spec, response)
    verdict = Verdict(score=None, status="fault", fault="sandbox")
    for _ in range(ATTEMPTS):
        verdict = verify_sync(spec, submission, state)
        if verdict.score is not None:
            break
    return verdict


def score_of(verdict: Verdict, on_fault: OnFault = "raise") -> float | None:
    """The score in [0, 1]; for an unknown one what `on_fault` says.

    Raises:
        RewardUnknownError: the score is unknown and `on_fault` is "raise".
    """
    if verdict.score is not None:
        return float(verdict.score)
    if on_fault == "raise":
        first = verdict.details[0].get("message", "") if verdict.details else ""
        raise RewardUnknownError(
            f"no verdict after {ATTEMPTS} tries ({verdict.fault or verdict.status}): {first}; "
            "see `autointeract doctor`, or pass on_fault"
        )
    return None if on_fault == "none" else float(on_fault)


async def reward(ground_truth: str, response: str, *, on_fault: OnFault = "raise") -> float | None:
    """The reward of one response."""
    return score_of(await judge(ground_truth, response), on_fault)


def report(verdict: Verdict) -> dict[str, Any]:
    """Plain numbers for a trainer's log; the same keys for every response, as loggers that stack them need."""
    return {
        "passed": verdict.passed,
        "total": verdict.total,
        "trusted": float(verdict.trusted),
        "no_code": float(verdict.status in ("no_code", "no_entry_point")),
        "timeout": float(verdict.status == "timeout"),
        "tampered": float(verdict.status == "tampered"),
        "unknown": float(verdict.score is None),
    }
