"""Runs inside SkyRL-gym's own environment: our environment is registered, made from a row, and scores by execution."""

# Runs elsewhere: what it imports is not installed here.
# pyright: reportMissingImports=false

import json
import sys
from pathlib import Path

import pyarrow.parquet as pq
import skyrl_gym
from omegaconf import OmegaConf

WORK = Path(sys.argv[1])
EXPORT = WORK / "ws" / "export" / "rl"


def main() -> None:
    """All of it."""
    skyrl_gym.register(id="autointeract", entry_point="autointeract.training.skyrl_env:AutoInteractEnv")
    scores = []
    for path in sorted(EXPORT.glob("default/train-*.parquet"))[:1]:
        for row in pq.read_table(path).to_pylist():
            # SkyRL hands over every column but these two.
            prompt, name = row.pop("prompt"), row.pop("env_class")
            env = skyrl_gym.make(name, env_config=OmegaConf.create({}), extras=row)
            assert env.init(prompt)[0] == prompt
            plus = json.loads(row["answer"])["verifier"]["assertions"][0].split("== ")[1]
            half = " if x < 2 else None" if len(scores) % 2 else ""
            found = env.step(f"```python\ndef f(x):\n    return x + {plus}{half}\n```")
            assert found["done"] and found["observations"] == [] and found["metadata"]["total"] == 5
            scores.append(found["reward"])
            env.close()
    assert scores == [1.0, 0.4] * (len(scores) // 2), scores
    print(f"- environment: {len(scores)} rows made, stepped and scored by execution")


if __name__ == "__main__":
    main()
