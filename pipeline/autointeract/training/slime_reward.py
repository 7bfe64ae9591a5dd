"""slime: `--custom-rm-path autointeract.training.slime_reward.reward`, with `--label-key answer`."""

from typing import Any

from autointeract.training import rewards


async def reward(args: Any, sample: Any, **_: Any) -> float:
    """The score of one sample in [0, 1].

    Raises:
        RewardUnknownError: the sandbox failed.
    """
    score = await rewards.reward(sample.label, sample.response)
    assert score is not None
    return score
