"""Runs inside each trainer's environment: its loader finds exactly the rows that the export's manifest names."""

# Runs elsewhere: what it imports is not installed here.
# pyright: reportMissingImports=false, reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false

import json
import sys
from collections import Counter
from pathlib import Path

LOADER, EXPORT, WORK = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def expected(form: str) -> Counter[tuple[str, str]]:
    """Rows by (config, split), as the manifest has them."""
    counts: Counter[tuple[str, str]] = Counter()
    for info in json.loads((EXPORT / "manifest.json").read_text(encoding="utf-8"))["formats"][form]:
        counts[info["config"], info["split"]] += info["rows"]
    return counts


def by_datasets() -> Counter[tuple[str, str]]:
    """TRL reads through `datasets`."""
    from datasets import load_dataset

    found: Counter[tuple[str, str]] = Counter()
    for config in {config for config, _ in expected("rl")}:
        for split, part in load_dataset(str(EXPORT / "rl"), config, cache_dir=str(WORK / "rows-cache")).items():
            found[config, split] += part.num_rows
    return found


def by_verl() -> Counter[tuple[str, str]]:
    """verl's own dataset, with its length filter on."""
    import tiny_model
    from omegaconf import OmegaConf
    from transformers import AutoTokenizer
    from verl.utils.dataset.rl_dataset import RLHFDataset

    tokenizer = AutoTokenizer.from_pretrained(tiny_model.make(WORK / "tiny-rows"))
    config = OmegaConf.create(
        {
            "prompt_key": "prompt", "max_prompt_length": 10**6, "filter_overlong_prompts": True,
            "filter_overlong_prompts_workers": 1, "cache_dir": str(WORK / "rows-cache"),
        }
    )  # fmt: skip
    return Counter(
        {
            (name, split): len(
                RLHFDataset(
                    [str(path) for path in sorted((EXPORT / "rl").glob(f"{name}/{split}-*"))], tokenizer, config
                )
            )
            for name, split in expected("rl")
        }
    )


def by_verifiers() -> Counter[tuple[str, str]]:
    """The taskset."""
    from autointeract_env import AutoInteractTaskset
    from autointeract_env.taskset import AutoInteractConfig

    splits = [split for _, split in expected("verifiers")]
    return Counter(
        {
            ("default", s): len(list(AutoInteractTaskset(AutoInteractConfig(path=EXPORT / "verifiers", split=s))))
            for s in splits
        }
    )


def main() -> None:
    """Compares."""
    form, load = {"trl": ("rl", by_datasets), "verl": ("rl", by_verl), "verifiers": ("verifiers", by_verifiers)}[LOADER]
    found = load()
    assert found == expected(form), (found, expected(form))
    parts = ", ".join(f"{config}/{split} {rows}" for (config, split), rows in sorted(found.items()))
    print(f"- the export given: {sum(found.values())} rows in = rows out ({parts})")


if __name__ == "__main__":
    main()
