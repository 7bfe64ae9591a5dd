"""SkyRL: one-turn environment over an export's rows (`env_class` = "autointeract").

    import skyrl_gym
    skyrl_gym.register(id="autointeract", entry_point="autointeract.training.skyrl_env:AutoInteractEnv")

SkyRL hands every column but `prompt` and `env_class` to the environment as `extras`.
"""

from typing import Any

from skyrl_gym.envs.base_text_env import (  # type: ignore[import-not-found]  # pyright: ignore[reportMissingImports]
    BaseTextEnv,
    BaseTextEnvStepOutput,
)

from autointeract.training.rewards import judge_sync, report, score_of


class AutoInteractEnv(BaseTextEnv):
    """The conversation is already in the prompt; the model's next turn ends the episode and is scored by execution."""

    def __init__(self, env_config: Any, extras: dict[str, Any]):
        super().__init__()
        self.ground_truth: str = extras["answer"]

    def step(self, action: str) -> BaseTextEnvStepOutput:
        """Scores the turn.

        Raises:
            RewardUnknownError: the sandbox failed.
        """
        verdict = judge_sync(self.ground_truth, action)
        return BaseTextEnvStepOutput(observations=[], reward=score_of(verdict), done=True, metadata=report(verdict))
