"""Runs inside TRL's own environment: every row loads in both configs, and two real GRPO steps move the model."""

# Runs elsewhere: what it imports is not installed here.
# pyright: reportMissingImports=false, reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false

import json
import math
import subprocess
import sys
from pathlib import Path

import tiny_model
import torch
from datasets import load_dataset
from transformers import AutoModelForCausalLM
from trl import GRPOConfig, GRPOTrainer

from autointeract.training.trl_reward import completion_text, execution_reward

WORK = Path(sys.argv[1])
EXPORT = WORK / "ws" / "export" / "rl"
EXPECTED = json.loads((WORK / "expected.json").read_text(encoding="utf-8"))
SEEN: list[list[float | None]] = []


async def reward(completions, answer, **columns):  # type: ignore[no-untyped-def]
    """Execution reward of a stand-in for what a tiny random model cannot write: code that is right, or half right,
    by the parity of its completion. So rewards within a group differ, and a gradient of 0 would be a fault.
    """
    assert set(columns) >= {"data_source", "reward_model", "extra_info", "info", "task"}, sorted(columns)
    texts = []
    for completion, truth in zip(completions, answer, strict=True):
        plus = json.loads(truth)["verifier"]["assertions"][0].split("== ")[1]
        good = sum(completion_text(completion).encode()) % 2
        texts.append(f"```python\ndef f(x):\n    return x + {plus}{'' if good else ' if x < 2 else None'}\n```")
    scores = await execution_reward(completions=texts, answer=answer)
    SEEN.append(scores)
    return scores


def train(data, model: str, steps: int):  # type: ignore[no-untyped-def]
    """GRPO steps on the CPU; gives the trainer."""
    config = GRPOConfig(
        output_dir=str(WORK / "trl-out"), max_steps=steps, per_device_train_batch_size=8, num_generations=8,
        max_completion_length=12, learning_rate=1e-2, temperature=1.0, use_cpu=True, bf16=False, report_to=[],
        gradient_checkpointing=False, logging_steps=1, save_strategy="no", seed=1, disable_tqdm=True,
    )  # fmt: skip
    trainer = GRPOTrainer(model=model, reward_funcs=[reward], args=config, train_dataset=data)
    trainer.train()
    return trainer


def main() -> None:
    """All of it."""
    model = tiny_model.make(WORK / "tiny")
    for config in ("default", "tools"):
        loaded = load_dataset(str(EXPORT), config)
        assert {name: part.num_rows for name, part in loaded.items()} == EXPECTED["rl"][config]
    tools = load_dataset(str(EXPORT), "tools")
    found = {}
    for part in tools.values():
        for row in part:
            found[row["task"]] = row["prompt"][1]["tool_calls"][0]["function"]["arguments"]
    assert found == {f"task-{100 + n}": value for n, value in enumerate(EXPECTED["arguments"])}, found
    print("- datasets: rows in = rows out in both configs; tool arguments come back as they went in")

    before = AutoModelForCausalLM.from_pretrained(model).state_dict()
    trainer = train(load_dataset(str(EXPORT), "default", split="train"), model, 2)
    logs = [entry for entry in trainer.state.log_history if "grad_norm" in entry]
    assert len(logs) == 2, trainer.state.log_history
    assert all(entry["grad_norm"] > 0 and math.isfinite(entry["grad_norm"]) for entry in logs), logs
    moved = max(float((before[name] - value).abs().max()) for name, value in trainer.model.state_dict().items())
    assert moved > 0 and {1.0, 0.4} >= {score for scores in SEEN for score in scores}
    norms = ", ".join(f"{entry['grad_norm']:.3f}" for entry in logs)
    print(f"- GRPO: 2 steps, gradient norms {norms}, largest weight change {moved:.4f}")

    trainer = train(tools["train"], model, 1)
    assert trainer.state.global_step == 1 and torch.isfinite(torch.tensor(trainer.state.log_history[0]["loss"]))
    print("- GRPO: 1 step on prompts with tool calls")

    recipe = Path(__file__).resolve().parents[2] / "docs" / "training" / "train_trl.py"
    small = ["--steps", "1", "--group", "4", "--batch", "4", "--accumulate", "1", "--length", "8", "--cpu"]
    command = [
        sys.executable,
        str(recipe),
        "--data",
        str(EXPORT),
        "--model",
        model,
        "--out",
        str(WORK / "recipe"),
        *small,
    ]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    print(f"- the recipe {recipe.name}: 1 step")


if __name__ == "__main__":
    main()
