"""How fast tasks are admitted, and whether memory stays flat.

    python benchmarks/tasks.py [--tasks 200] [--rows 20000]

1. Admission on real sandboxes, one lane and as many as there are cores: tasks a second, and verifications a second (a
   task with a good reference takes five: gold twice, empty twice, the best constant once).
2. Peak memory of the whole stage over growing numbers of tasks, each size in a process of its own. Verdicts are made up
   here (the sandboxes are other processes), everything else is real: reading, spool, journal, Parquet.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autointeract.engine import Engine, EngineSettings
from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import Verdict
from autointeract.tasks import stage
from autointeract.tasks.settings import TasksSettings
from autointeract.workspace import Workspace

ASSERTIONS = 10


def write_tasks(path: Path, count: int) -> None:
    """`count` different small tasks with references."""
    with open(path, "w", encoding="utf-8") as file:
        for number in range(count):
            name = f"shift_{number}"
            row = {
                "task_id": f"bench/{number}",
                "statement": f"Write `{name}(values)`. It adds {number} to every value. Values below zero are dropped. "
                f"The order stays as it is.\n\nExamples:\n{name}([1]) == [{number + 1}]\n",
                "reference": f"def {name}(values):\n    return [v + {number} for v in values if v >= 0]\n",
                "assertions": [
                    f"assert {name}([{k}, -1, {k + 2}]) == [{k + number}, {k + 2 + number}]" for k in range(ASSERTIONS)
                ],
            }
            file.write(json.dumps(row) + "\n")


class MadeUp:
    """Verdicts without sandboxes: the reference (it names `values`) passes, stubs and constants do not."""

    settings = ExecutionSettings()

    async def verify_many(self, requests: list[Any]) -> list[Verdict]:
        await asyncio.sleep(0)
        return [
            Verdict(score=1.0 if "for v in values" in (one[1].text or "") else 0.0, total=ASSERTIONS)
            for one in requests
        ]


async def run(source: Path, folder: Path, execution: Any) -> float:
    """Seconds of one stage run."""
    services: Any = SimpleNamespace(
        models=None, engine=Engine(EngineSettings()), execution=execution, seed=0, resume="auto", config_sha=""
    )
    settings = TasksSettings.model_validate({"sources": [str(source)], "facts": "rules"})
    started = time.monotonic()
    report = await stage.run(settings, Workspace(folder), services)
    seconds = time.monotonic() - started
    assert report.counts["refused"] == 0, report.notes[:3]
    return seconds


async def throughput(count: int) -> None:
    """Prints tasks a second for one lane and for one a core."""
    for lanes in dict.fromkeys((1, os.cpu_count() or 1)):
        with tempfile.TemporaryDirectory() as folder:
            source = Path(folder) / "tasks.jsonl"
            write_tasks(source, count)
            async with Execution(ExecutionSettings(lanes=lanes)) as execution:
                seconds = await run(source, Path(folder) / "ws", execution)
        rate = count / seconds
        print(
            f"admission, {lanes} lane(s): {rate:6.1f} tasks/s, {5 * rate:6.1f} verifications/s of {ASSERTIONS} "
            f"assertions ({count} tasks, {seconds:.1f} s)"
        )


def memory(counts: list[int]) -> None:
    """Prints the peak memory of the stage for each number of tasks."""
    peaks = []
    for count in counts:
        done = subprocess.run(
            [sys.executable, __file__, "--child", str(count)], capture_output=True, text=True, check=True
        )
        peak, seconds = done.stdout.split()[-2:]
        peaks.append(int(peak))
        print(f"memory, {count:6d} tasks: peak {int(peak) / 1024:6.1f} MB, {count / float(seconds):7.0f} tasks/s")
    grown = (peaks[-1] - peaks[0]) * 1024 / max(counts[-1] - counts[0], 1)
    print(f"growth: {grown:.0f} bytes a task between {counts[0]} and {counts[-1]} tasks")


def child(count: int) -> None:
    """One size in this process; prints peak KB and seconds."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "tasks.jsonl"
        write_tasks(source, count)
        seconds = asyncio.run(run(source, Path(folder) / "ws", MadeUp()))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, seconds)


def main() -> None:
    """Runs both parts."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tasks", type=int, default=200, help="tasks admitted on real sandboxes")
    parser.add_argument("--rows", type=int, default=20_000, help="largest number of tasks of the memory part")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.child:
        return child(given.child)
    if given.tasks:
        asyncio.run(throughput(given.tasks))
    if given.rows:
        memory([given.rows // 10, given.rows // 2, given.rows])


if __name__ == "__main__":
    main()
