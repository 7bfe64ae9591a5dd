"""Runs stages: builds the services once, hands them to each stage, prints its report, turns the outcome into an exit
code. Signals and deadlines: `cli.stopping`.
"""

import asyncio
import importlib
import sqlite3
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autointeract import config
from autointeract.cli.failures import explain
from autointeract.cli.outcome import NEEDED, empty_result, unfinished_inputs
from autointeract.cli.progress import Console
from autointeract.cli.seed import with_seed
from autointeract.cli.stopping import deadline, seal, signals
from autointeract.errors import AutoInteractError, SandboxUnavailableError
from autointeract.records import StageReport

if TYPE_CHECKING:
    from autointeract.services import Services
    from autointeract.workspace import Workspace

FLOW: dict[str, tuple[str, str]] = {
    "ingest": ("autointeract.logs.stage", "logs"),
    "label": ("autointeract.users.label_stage", "label"),
    "profile": ("autointeract.users.profile_stage", "profile"),
    "learn-prompt": ("autointeract.users.learn_stage", "learn_prompt"),
    "tasks": ("autointeract.tasks.stage", "tasks"),
    "synthesize": ("autointeract.synthesis.stage", "synthesize"),
    "export": ("autointeract.publish.export_stage", "export"),
    "report": ("autointeract.report.stage", "report"),
}
"""Stage name -> (module with `run`, settings section), in the order of the flow."""
BESIDE: dict[str, tuple[str, str]] = {
    "realism": ("autointeract.users.realism_stage", "realism"),
    "push": ("autointeract.publish.push_stage", "push"),
}
"""Stages that `run` does not walk."""
WITH_SANDBOX = frozenset({"run", "tasks", "synthesize", "calibrate"})
"""Commands that judge code: without a sandbox they say so before anything is spent."""
STARTERS = frozenset({"run", "ingest", "tasks", "calibrate"})
"""Commands that may make a workspace; others would leave an empty one under a mistyped name."""
WITHOUT_MODELS = frozenset({"ingest", "export", "push", "report"})


def run_and_exit(stages: list[str], sources: list[str], options: dict[str, Any], resume: str) -> None:
    """Runs the stages in order and exits the process."""

    def work() -> int:
        settings, line = with_seed(config.load(sources, options), stages)
        if line:
            print(line, flush=True)
        return asyncio.run(run_stages(stages, settings, resume))

    exit_with(work)


def exit_with(work: Callable[[], int | None]) -> None:
    """Runs `work` and exits: 0, its return value, or the code of the error it raised (printed as one line)."""
    try:
        code = work() or 0
    except AutoInteractError as error:
        print(f"autointeract: {error}", file=sys.stderr)
        code = error.exit_code
    except BrokenPipeError:
        sys.stderr.close()
        code = 0
    except (OSError, sqlite3.Error) as error:
        found = explain(error, getattr(error, "workspace", ""))
        if found is None:
            raise
        print(f"autointeract: {found[0]}", file=sys.stderr)
        code = found[1]
    except (KeyboardInterrupt, asyncio.CancelledError):
        print("autointeract: interrupted; the same command goes on from here", file=sys.stderr)
        code = 3
    seal()
    sys.exit(code)


async def run_stages(stages: list[str], settings: config.Settings, resume: str) -> int:
    """Runs stages in one process and one workspace lock; returns the exit code."""

    async def work(workspace: "Workspace", services: "Services", console: Console) -> int:
        code = 0
        for name in stages:
            module, section = FLOW[name] if name in FLOW else BESIDE[name]
            if note := unfinished_inputs(name, workspace):
                console.line(note)
            run = importlib.import_module(module).run
            with deadline(services.models, settings.engine.deadline_s):
                running = run(getattr(settings, section), workspace, services)
                report = await report_of(name, running, workspace, console)
            if not report:
                return 3
            if problem := empty_result(report, workspace):
                code = 2
                print(f"autointeract: {problem}", file=sys.stderr)
                if name in NEEDED:
                    break
        if len(stages) > 1 and not code:
            for line in closing_lines(workspace, services.models.usage_report()):
                console.line(line)
        return code

    return await with_services(stages[0] if len(stages) == 1 else "run", settings, resume, work)


async def with_services(
    name: str,
    settings: config.Settings,
    resume: str,
    work: Callable[["Workspace", "Services", Console], Awaitable[int]],
) -> int:
    """Takes the workspace's lock, builds the services, and gives them to `work`; returns its exit code."""
    from autointeract.engine import Engine
    from autointeract.execution import Execution, doctor
    from autointeract.models import Models, preflight
    from autointeract.records import digest
    from autointeract.services import Services
    from autointeract.workspace import Workspace

    if name not in WITHOUT_MODELS:
        preflight(settings.models)
    workspace = Workspace(Path(settings.workspace), settings.pseudonym_key)
    if name not in STARTERS:
        workspace.require()
    if name in WITH_SANDBOX:
        for finding in await asyncio.to_thread(doctor, settings.execution):
            if finding.required and not finding.ok:
                raise SandboxUnavailableError(f"{finding.name}: {finding.detail}")
    console = Console()
    engine = Engine(settings.engine, console.progress)
    with _named(workspace.root), workspace.lock(name):
        async with (
            Models(
                settings.models, folder=workspace.root, seed=settings.seed, answer_book=workspace.tasks.folder
            ) as models,
            Execution(
                settings.execution, cache_path=workspace.folder("cache") / "verdicts.sqlite",
                blob_path=workspace.folder("blobs"), run_id=digest(str(workspace.root.resolve()), 12),
            ) as execution,
        ):  # fmt: skip
            with signals(engine, models, settings.models.grace_s):
                config_sha = digest(settings.result_view())
                services = Services(models, engine, execution, settings.seed, resume, config_sha)  # type: ignore[arg-type]
                return await work(workspace, services, console)


async def report_of(
    name: str, running: Awaitable[StageReport], workspace: "Workspace", console: Console
) -> StageReport | None:
    """Awaits a stage, keeps and prints its report; null when it stopped early (and says how to go on)."""
    console.begin(name)
    started = time.monotonic()
    report = await running
    report = report.model_copy(update={"seconds": round(time.monotonic() - started, 3)})
    workspace.save_report(report)
    console.end(report)
    if not report.complete:
        console.line(f"{name} stopped early: run the same command again to go on")
        return None
    return report


def closing_lines(workspace: Any, usage: dict[str, Any]) -> list[str]:
    """The last lines of `run`: what it took, in all and for each accepted trajectory, and where the results are."""
    rows = workspace.trajectories.manifest().rows if workspace.trajectories.exists() else 0
    total, saved = usage["total"], usage["saved"]
    lines = [
        f"in all        {total['calls']:,} calls, {total['tokens']:,} tokens, {_money(total['money'])}; "
        f"saved by the cache: {saved['calls']:,} calls (over the workspace's life)"
    ]
    if rows:
        money = None if total["money"] is None else total["money"] / rows
        each = f"{total['calls'] / rows:,.1f} calls, {total['tokens'] / rows:,.0f} tokens, {_money(money)}"
        lines.append(f"per accepted  {each} ({rows:,} accepted)")
    return [
        *lines,
        f"dataset       {workspace.root / 'export'}",
        f"report        {workspace.root / 'reports' / 'index.html'}",
    ]


def _money(value: float | None) -> str:
    return "money unknown (no price set)" if value is None else f"money {value:,.4f}"


@contextmanager
def _named(root: Path) -> Iterator[None]:
    """Lets errors of the machine that name no place (a full disk) say in which workspace they came."""
    try:
        yield
    except (OSError, sqlite3.Error) as error:
        error.workspace = str(root)  # type: ignore[union-attr]
        raise
