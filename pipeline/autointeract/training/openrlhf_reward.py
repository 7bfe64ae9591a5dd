"""OpenRLHF: `--reward.remote_url <path of this file>`, with `--data.label_key answer`.

`python -c "import autointeract.training.openrlhf_reward as m; print(m.__file__)"` prints the path.
"""

import asyncio
import sys
from collections.abc import Sequence
from typing import Any

from autointeract.training.rewards import judge, report, score_of


def reward_func(queries: Sequence[str], prompts: Sequence[str], labels: Sequence[str], **_: Any) -> dict[str, Any]:
    """`{"rewards", "scores", "extra_logs"}` of a batch, as tensors (OpenRLHF's process has torch; this module does not
    import it).

    Raises:
        RewardUnknownError: the sandbox failed.
    """
    torch = sys.modules["torch"]
    responses = [
        query[len(prompt) :] if query.startswith(prompt) else query
        for query, prompt in zip(queries, prompts, strict=True)
    ]
    verdicts = asyncio.run(_judge_all(labels, responses))
    scores = torch.tensor([score_of(verdict) for verdict in verdicts], dtype=torch.float32)
    logs = [report(verdict) for verdict in verdicts]
    extra = {name: torch.tensor([float(log[name]) for log in logs]) for name in (logs[0] if logs else ())}
    return {"rewards": scores, "scores": scores, "extra_logs": extra}


async def _judge_all(labels: Sequence[str], responses: Sequence[str]) -> list[Any]:
    return await asyncio.gather(*(judge(label, text) for label, text in zip(labels, responses, strict=True)))
