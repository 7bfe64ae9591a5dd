"""Package -> verified-to-flip instances in the SWE-smith shape.

The suite is run twice on the clean tree: only tests that pass both times count. Then each candidate bug is run, in a
seeded order, until enough of them flip some tests and leave others passing. Rows still go through admission like any
others: the verifier, not this module, decides what becomes a task.
"""

import asyncio
import shlex
import tempfile
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autointeract.errors import InputError
from autointeract.execution import ExecutionSettings
from autointeract.records import Record
from autointeract.tasks.maker.bugs import Bug, find_bugs
from autointeract.tasks.maker.image import build
from autointeract.tasks.maker.settings import MakerSettings
from autointeract.tasks.maker.sources import Package, open_package
from autointeract.tasks.maker.statement import issue_text
from autointeract.tasks.maker.suite import USAGE_ERROR, Suite, SuiteRun
from autointeract.workspace.files import write_text

TEST_CMD = ("python", "-m", "pytest")


class Made(Record):
    """What making gave: rows in the SWE-smith shape, and counts of what was tried and why it was dropped."""

    repo: str
    image: str
    rows: list[dict[str, Any]]
    tests: int
    tried: dict[str, int]


async def make(
    source: str, settings: MakerSettings, execution: ExecutionSettings, seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> Made:  # fmt: skip
    """Instances of the package at `source` (a folder, an sdist, `pypi:NAME==VERSION`).

    Raises:
        InputError: no package, no test that passes, or no function to break.
        SandboxUnavailableError: no Docker engine or no base image.
    """
    with tempfile.TemporaryDirectory(prefix="autointeract-make-") as folder:
        work = Path(folder)
        package = await asyncio.to_thread(open_package, source, work)
        image = await asyncio.to_thread(
            build, package, work, execution, base=settings.base, python=settings.python,
            extra_requires=settings.requires,
        )  # fmt: skip
        options = list(settings.pytest_args)
        suite = Suite(
            image, execution, f"make-{uuid.uuid4().hex[:8]}", args=[*options, *settings.paths],
            time_limit_s=settings.time_limit_s, memory_mb=settings.memory_mb,
        )  # fmt: skip
        if (await asyncio.to_thread(suite.run)).problem == USAGE_ERROR:
            options += ["-o", "addopts="]  # its own options ask for plugins that are not there
            suite.args = [*options, *settings.paths]
        stable = await _stable(package, suite, settings)
        rows: list[dict[str, Any]] = []
        tried: Counter[str] = Counter()
        bugs = find_bugs(package.root, seed, settings.per_function, settings.strategies)
        most = settings.count * settings.tries
        while len(rows) < settings.count and tried.total() < most:
            batch = [bug for _, bug in zip(range(min(settings.jobs, most - tried.total())), bugs, strict=False)]
            if not batch:
                break
            runs = await asyncio.gather(*(asyncio.to_thread(suite.run, bug.patch) for bug in batch))
            for bug, run in zip(batch, runs, strict=True):  # in the seeded order, whoever finished first
                if len(rows) >= settings.count:
                    break
                verdict = _judge(run, stable, settings)
                tried[verdict] += 1
                if verdict == "kept":
                    rows.append(_row(package, image, bug, run, stable, shlex.join([*TEST_CMD, *options])))
                if progress:
                    progress(len(rows), settings.count)
        if not tried:
            raise InputError(f"{source}: no function in which a bug can be made")
    return Made(repo=package.repo_key, image=image, rows=rows, tests=len(stable), tried=dict(sorted(tried.items())))


def write_rows(made: list[Made], path: Path) -> None:
    """Writes all rows as JSON lines."""
    import json

    write_text(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for one in made for row in one.rows))


async def _stable(package: Package, suite: Suite, settings: MakerSettings) -> list[str]:
    first, second = await asyncio.gather(asyncio.to_thread(suite.run), asyncio.to_thread(suite.run))
    for run in (first, second):
        if run.problem:
            raise InputError(f"{package.repo_key}: its suite cannot be run on the clean tree: {run.problem}")
    stable = [test for test, outcome in first.tests.items() if outcome == second.tests.get(test) == "passed"]
    if len(stable) < settings.min_tests:
        outcomes = dict(Counter(first.tests.values()))
        raise InputError(
            f"{package.repo_key}: {len(stable)} tests pass twice, at least {settings.min_tests} are needed "
            f"(outcomes: {outcomes}); name missing requirements or test paths"
        )
    return stable


def _judge(run: SuiteRun, stable: list[str], settings: MakerSettings) -> str:
    if run.problem:
        return run.problem if run.problem in ("timeout", "crash") else "does not apply"
    if any(test not in run.tests for test in stable):
        return "breaks collection"
    flipped = sum(run.tests[test] != "passed" for test in stable)
    if not flipped:
        return "not noticed by the suite"
    if flipped > settings.max_flipped_share * len(stable) or flipped == len(stable):
        return "breaks too much"
    return "kept"


def _row(
    package: Package, image: str, bug: Bug, run: SuiteRun, stable: list[str], test_cmd: str
) -> dict[str, Any]:  # fmt: skip
    flipped = [test for test in stable if run.tests[test] != "passed"]
    return {
        "instance_id": f"{package.repo_key}.{bug.strategy}__{bug.key}", "repo": package.repo_key, "patch": bug.patch,
        "FAIL_TO_PASS": flipped, "PASS_TO_PASS": [test for test in stable if run.tests[test] == "passed"],
        "image_name": image, "problem_statement": issue_text(bug, run, flipped), "license": package.license,
        "test_cmd": test_cmd, "source": "autointeract-maker",
    }  # fmt: skip
