"""What every format says about a row besides its conversation: the ground truth, and where the row comes from."""

import json
import math
from typing import Any

from autointeract.publish.messages import RefusedError, check
from autointeract.records import Trajectory, canonical_json, is_simulated


def ground_truth(row: Trajectory) -> str:
    """JSON text `{"version": 1, "verifier": {...}, "state": {"image", "repo_state"} | null}`: all that
    `autointeract.training.rewards` needs to score a response.
    """
    state = {"image": row.image, "repo_state": row.repo_state or ""} if row.image else None
    return canonical_json({"version": 1, "verifier": json.loads(row.verifier_json), "state": state})


def origin(row: Trajectory) -> dict[str, Any]:
    """JSON data on where the row comes from; nothing private of the simulated user or the reference."""
    return {
        "trajectory_id": row.trajectory_id, "task_id": row.source_task_id, "source": row.source,
        "license": row.license, "domain": row.domain, "scenario": row.scenario, "round": row.round,
        "profile_id": row.profile_id, "niche": row.niche, "prompt_id": row.prompt_id, "weak_score": row.weak_score,
        "strong_score": row.strong_score, "simulated": is_simulated(row.models_json), "image": row.image,
    }  # fmt: skip


def check_row(row: Trajectory) -> None:
    """Refuses a row that cannot be written and read back equal.

    Raises:
        RefusedError: see `messages.check`; or a score is not in [0, 1], or the verifier is no JSON.
    """
    check(row.prompt)
    for score in (row.weak_score, row.strong_score, *row.weak_scores, *row.strong_scores):
        if not (math.isfinite(score) and 0 <= score <= 1):
            raise RefusedError(f"score {score} is not in [0, 1]")
    try:
        ground_truth(row).encode()
    except (ValueError, UnicodeEncodeError) as error:
        raise RefusedError(f"verifier_json: {error}") from error
