"""verl: the custom reward function.

    reward.custom_reward_function.path=pkg://autointeract.training.verl_reward
    reward.custom_reward_function.name=compute_score        # or compute_score_async

Works in verl's reward workers (a sync function runs in an executor there). `ground_truth` is what verl takes from
`reward_model.ground_truth`.
"""

from typing import Any

from autointeract.training.rewards import OnFault, judge, judge_sync, report, score_of


def compute_score(
    data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any] | None = None,
    on_fault: OnFault = "raise", **_: Any,
) -> dict[str, Any]:  # fmt: skip
    """`{"score": float in [0, 1], ...numbers for the log}`.

    Raises:
        RewardUnknownError: the sandbox failed and `on_fault` (a `reward_kwargs` entry) is no number.
    """
    verdict = judge_sync(ground_truth, solution_str)
    return {"score": score_of(verdict, on_fault), **report(verdict)}


async def compute_score_async(
    data_source: str, solution_str: str, ground_truth: str, extra_info: dict[str, Any] | None = None,
    on_fault: OnFault = "raise", **_: Any,
) -> dict[str, Any]:  # fmt: skip
    """As `compute_score`; keeps all sandbox lanes busy without a thread a response."""
    verdict = await judge(ground_truth, solution_str)
    return {"score": score_of(verdict, on_fault), **report(verdict)}
