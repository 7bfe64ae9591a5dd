"""Run by hand inside an environment with prime-rl's configuration package (Python 3.12; it is on no registry):

    git clone https://github.com/PrimeIntellect-ai/prime-rl
    python3.12 -m venv venv && venv/bin/pip install prime-rl/packages/prime-rl-configs docker pyarrow numpy
    PYTHONPATH=pipeline:environments/autointeract venv/bin/python tests/conformance/check_prime_rl.py

Validates docs/training/prime-rl.toml with the classes that prime-rl itself reads it with, our taskset's options
too.
"""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false

import tomllib
from pathlib import Path

from prime_rl.configs.rl import RLConfig


def main() -> None:
    """Validates, and checks the figures of the paper."""
    path = Path(__file__).resolve().parents[2] / "docs" / "training" / "prime-rl.toml"
    config = RLConfig.model_validate(tomllib.loads(path.read_text(encoding="utf-8")))
    source = config.orchestrator.train.source[0]
    assert (config.orchestrator.batch_size, source.group_size, config.max_steps) == (256, 8, 500)
    assert config.trainer.model.seq_len == config.orchestrator.seq_len == 81920
    optim = config.trainer.optim
    assert (optim.lr, optim.weight_decay, optim.max_norm) == (1e-6, 0.01, 1.0)
    assert type(source.env.taskset).__name__ == "AutoInteractConfig" and source.env.taskset.split == "train"
    print(f"- prime-rl reads {path.name}: taskset {source.env.taskset.id}")


if __name__ == "__main__":
    main()
