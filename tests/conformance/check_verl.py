"""Runs inside verl's own environment: RLHFDataset keeps every row, the reward manager scores by our function, and an
estimator registered from outside is found.
"""

# Runs elsewhere: what it imports is not installed here.
# pyright: reportMissingImports=false, reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportOptionalIterable=false

import asyncio
import json
import sys
from pathlib import Path

import numpy as np
import tiny_model
import torch
from omegaconf import OmegaConf
from tensordict import TensorDict
from torch.utils.data import DataLoader
from transformers import AutoTokenizer
from verl import DataProto
from verl.trainer.ppo.core_algos import get_adv_estimator_fn, register_adv_est
from verl.trainer.ppo.reward import load_reward_manager
from verl.utils.dataset.rl_dataset import RLHFDataset, collate_fn

WORK = Path(sys.argv[1])
EXPORT = WORK / "ws" / "export" / "rl"
EXPECTED = json.loads((WORK / "expected.json").read_text(encoding="utf-8"))


def check_dataset(tokenizer) -> DataProto:  # type: ignore[no-untyped-def]
    """Rows in = rows out with the length filter on, which counts a row that a template rejects as too long."""
    config = OmegaConf.create(
        {
            "prompt_key": "prompt", "max_prompt_length": 4096, "filter_overlong_prompts": True, "truncation": "error",
            "filter_overlong_prompts_workers": 1, "cache_dir": str(WORK / "verl-cache"), "return_raw_chat": True,
        }
    )  # fmt: skip
    batch = None
    for name, splits in EXPECTED["rl"].items():
        for split, rows in splits.items():
            files = [str(path) for path in sorted(EXPORT.glob(f"{name}/{split}-*.parquet"))]
            data = RLHFDataset(files, tokenizer, config)
            assert len(data) == rows, f"verl kept {len(data)} of {rows} rows of {name}/{split}"
            assert len({data[number]["index"] for number in range(len(data))}) == rows
            if (name, split) == ("default", "train"):
                batch = next(iter(DataLoader(data, batch_size=6, collate_fn=collate_fn)))
            if name == "tools":
                call = data[0]["raw_prompt"][1]["tool_calls"][0]["function"]
                assert isinstance(call["arguments"], dict) and data[0]["agent_name"] == "single_turn_agent"
    print(f"- RLHFDataset: rows in = rows out with the length filter on: {json.dumps(EXPECTED['rl'])}")
    assert batch is not None
    return DataProto.from_single_dict(batch)


def check_reward(tokenizer, batch: DataProto) -> None:  # type: ignore[no-untyped-def]
    """The reward manager, sync and async, gives the scores of known responses."""
    texts, wanted = [], []
    for number, model in enumerate(batch.non_tensor_batch["reward_model"]):
        plus = json.loads(model["ground_truth"])["verifier"]["assertions"][0].split("== ")[1]
        body = [f"return x + {plus}", f"return x + {plus} if x < 2 else None", ""][number % 3]
        texts.append(f"```python\ndef f(x):\n    {body}\n```" if body else "I do not know.")
        wanted.append([1.0, 0.4, 0.0][number % 3])
    responses = tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
    batch = DataProto(
        batch=TensorDict(
            {"responses": responses["input_ids"], "attention_mask": responses["attention_mask"]}, batch_size=len(texts)
        ),
        non_tensor_batch=batch.non_tensor_batch,
    )
    for name in ("compute_score", "compute_score_async"):
        reward = {
            "custom_reward_function": {"path": "pkg://autointeract.training.verl_reward", "name": name},
            "reward_manager": {"source": "register", "name": "naive"},
        }

        async def score(reward=reward) -> list[dict]:  # type: ignore[no-untyped-def,type-arg]
            manager = load_reward_manager(OmegaConf.create({"reward": reward}), tokenizer)
            return await asyncio.gather(*(manager.run_single(batch[n : n + 1]) for n in range(len(texts))))

        found = asyncio.run(score())
        assert [entry["reward_score"] for entry in found] == wanted, found
        keys = {tuple(sorted(entry["reward_extra_info"])) for entry in found}
        assert len(keys) == 1 and "passed" in next(iter(keys)), keys
    print(f"- reward manager: {len(texts)} responses scored by execution, sync and async: {wanted}")


def check_estimator() -> None:
    """An estimator that a package registers is found by name and called with verl's tensors."""

    @register_adv_est("autointeract_check")
    def estimate(token_level_rewards, response_mask, index=None, config=None, **_):  # type: ignore[no-untyped-def]
        outcome = token_level_rewards.sum(-1)
        groups = {name: outcome[index == name].mean() for name in set(index)}
        advantage = outcome - torch.stack([groups[name] for name in index])
        return advantage[:, None] * response_mask, token_level_rewards

    rewards = torch.tensor([[0.0, 1.0], [0.0, 0.0]])
    found, _ = get_adv_estimator_fn("autointeract_check")(
        token_level_rewards=rewards, response_mask=torch.ones(2, 2), index=np.array(["a", "a"]), config={}
    )
    assert found.tolist() == [[0.5, 0.5], [-0.5, -0.5]]
    print("- advantage estimator: registered from outside, found, called")


def check_recipe() -> None:
    """verl's own configuration takes every setting of docs/training/verl.sh, as it is written there."""
    import verl
    from hydra import compose, initialize_config_dir

    recipe = Path(__file__).resolve().parents[2] / "docs" / "training" / "verl.sh"
    lines = recipe.read_text(encoding="utf-8").splitlines()
    settings = [line.strip().removesuffix("\\").strip() for line in lines if line.startswith("  ") and "=" in line]
    settings = [setting for setting in settings if "$" not in setting]
    with initialize_config_dir(str(Path(verl.__file__).parent / "trainer" / "config"), version_base=None):
        config = compose("ppo_trainer", overrides=settings)
    assert (config.data.train_batch_size, config.actor_rollout_ref.rollout.n) == (32, 8)
    assert config.actor_rollout_ref.actor.optim.lr == 1e-6 and config.trainer.total_training_steps == 500
    assert config.reward.custom_reward_function.path == "pkg://autointeract.training.verl_reward"
    print(f"- the recipe {recipe.name}: {len(settings)} settings accepted by verl's configuration")


def main() -> None:
    """All of it."""
    tokenizer = AutoTokenizer.from_pretrained(tiny_model.make(WORK / "tiny-verl"))
    batch = check_dataset(tokenizer)
    check_reward(tokenizer, batch)
    check_estimator()
    check_recipe()


if __name__ == "__main__":
    main()
