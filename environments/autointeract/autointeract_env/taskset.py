"""Taskset: one task a line of an export's `verifiers` folder; the reward is autointeract's own scoring core."""

import json
from collections.abc import Iterator
from pathlib import Path

import verifiers.v1 as vf

from autointeract.training.rewards import judge, report, score_of


class AutoInteractData(vf.TaskData):
    """One conversation.

    Attributes:
        ground_truth: JSON text with the verifier; the model never sees it.
        info: JSON text on where the row comes from (scores, niche, scenario, licence).
    """

    ground_truth: str
    info: str = "{}"


class AutoInteractTask(vf.Task[AutoInteractData]):
    """Scores the model's turn by execution."""

    @property
    def key(self) -> str:
        """The trajectory's id, which does not change when an export does."""
        return self.data.id or self.hash

    @vf.reward
    async def execution(self, trace: vf.Trace) -> float:
        """Score in [0, 1]; a fault of the sandbox is raised and makes the rollout an error, never a 0."""
        verdict = await judge(self.data.ground_truth, trace.last_reply)
        trace.record_metrics({name: float(value) for name, value in report(verdict).items()})
        score = score_of(verdict)
        assert score is not None
        return score


class AutoInteractConfig(vf.TasksetConfig):
    """Which rows to load (`env.taskset.*`)."""

    path: Path = Path("export/verifiers")
    """The `verifiers` folder of an export, or one .jsonl file."""
    split: str = "train"
    """Which split of the folder; ignored for a file."""
    domains: list[str] = []
    """Only these domains; empty = all."""


class AutoInteractTaskset(vf.Taskset[AutoInteractTask, AutoInteractConfig]):
    """Streams tasks; holds one line at a time."""

    def load(self) -> Iterator[AutoInteractTask]:
        """Yields one task a row, in the order of the export."""
        for file in self._files():
            with open(file, "rb") as lines:
                for line in lines:
                    row = json.loads(line)
                    if self.config.domains and json.loads(row["info"])["domain"] not in self.config.domains:
                        continue
                    yield AutoInteractTask(AutoInteractData(**row), self.config.task)

    def _files(self) -> list[Path]:
        path = self.config.path
        if path.is_file():
            return [path]
        files = sorted(path.glob(f"default/{self.config.split}-*.jsonl"))
        if not files:
            splits = sorted({file.name.partition("-")[0] for file in path.glob("default/*.jsonl")})
            there = f"splits there: {', '.join(splits)}" if splits else "it holds no export"
            raise FileNotFoundError(
                f"no {self.config.split!r} split under {path} ({there}); write one with "
                "`autointeract export -c 'export.formats=[\"verifiers\"]'` and set env.taskset.path"
            )
        return files
