"""TRL: a reward function for `GRPOTrainer(reward_funcs=[execution_reward])`.

The dataset's columns arrive as lists, one entry a completion; only `answer` is used. An unknown score is None, which
TRL leaves out of the reward (and its group's advantage) instead of counting it as a failure.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from autointeract.training.rewards import judge, report, score_of


async def execution_reward(
    completions: Sequence[Any], answer: Sequence[str], log_metric: Callable[[str, float], None] | None = None, **_: Any
) -> list[float | None]:
    """Scores in [0, 1], in the order of `completions`; all are judged at the same time."""
    texts = [completion_text(completion) for completion in completions]
    verdicts = await asyncio.gather(*(judge(truth, text) for truth, text in zip(answer, texts, strict=True)))
    if log_metric and verdicts:
        for name in ("trusted", "no_code", "timeout", "tampered", "unknown"):
            log_metric(f"execution/{name}", sum(report(verdict)[name] for verdict in verdicts) / len(verdicts))
    return [score_of(verdict, "none") for verdict in verdicts]


def completion_text(completion: Any) -> str:
    """The text of one completion: a string, or messages of which the last assistant turn counts."""
    if isinstance(completion, str):
        return completion
    for message in reversed(completion):
        if message.get("role") == "assistant":
            return message.get("content") or ""
    return ""
