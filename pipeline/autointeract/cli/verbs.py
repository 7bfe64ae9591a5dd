"""Commands that are not stages of the flow: judging, sandboxes, the reply cache, tasks, calibration, a local model.

Importing this module adds them to the application; each imports its room when it runs.
"""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from autointeract.cli.app import Config, Folder, Resume, ResumeOption, Seed, app, guarded, run_stages, tasks_app

if TYPE_CHECKING:
    from autointeract.config import Settings

verify_app = typer.Typer(help="Judge a response with a verifier, here or as a service.")
sandbox_app = typer.Typer(help="Sandbox images and what killed runs left.", no_args_is_help=True)
cache_app = typer.Typer(help="The cache of model replies.", no_args_is_help=True)
app.add_typer(verify_app, name="verify")
app.add_typer(sandbox_app, name="sandbox")
app.add_typer(cache_app, name="cache")


def _settings(config: list[str] | None, workspace: str | None = None) -> "Settings":
    from autointeract import config as settings

    return settings.load(config or [], {"workspace": workspace} if workspace is not None else {})


def _echo(lines: Any) -> None:
    for line in lines:
        typer.echo(line)


@verify_app.callback(invoke_without_command=True)
def verify(
    context: typer.Context,
    spec: Annotated[Path | None, typer.Option(help="Verifier spec, JSON.")] = None,
    response: Annotated[Path | None, typer.Option(help="A model's response, or a diff for a pytest spec.")] = None,
    state: Annotated[Path | None, typer.Option(help="Where a patch applies: image and repo_state, JSON.")] = None,
    config: Config = None,
    workspace: Folder = None,
) -> None:
    """Judge one response and print the verdict as one JSON line."""
    if context.invoked_subcommand is not None:
        return

    def work() -> int:
        from autointeract.errors import ConfigError
        from autointeract.execution.commands import verify_files

        if spec is None or response is None:
            raise ConfigError("verify needs --spec FILE and --response FILE (or the verb `serve`)")
        settings = _settings(config, workspace)
        blobs = Path(settings.workspace) / "blobs" if workspace else None
        verdict = asyncio.run(verify_files(spec, response, state, settings.execution, blob_path=blobs))
        typer.echo(verdict.model_dump_json())
        return 1 if verdict.fault else 0

    guarded(work)


@verify_app.command("serve")
def verify_serve(
    host: Annotated[str, typer.Option(help="Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 = any free one.")] = 8700,
    queue: Annotated[int | None, typer.Option(min=1, help="Requests held at once; default eight a lane.")] = None,
    config: Config = None,
    workspace: Folder = None,
) -> None:
    """Judge for other machines over HTTP (see docs/how-to/sandboxes.md)."""

    def work() -> None:
        from autointeract.execution.commands import serve

        settings = _settings(config, workspace)
        blobs = Path(settings.workspace) / "blobs" if workspace else None
        asyncio.run(serve(settings.execution, host=host, port=port, queue=queue, blob_path=blobs, say=typer.echo))

    guarded(work)


@sandbox_app.command("build")
def sandbox_build() -> None:
    """Start an engine where none answers, and build the images."""

    def work() -> None:
        from autointeract.execution.commands import build

        address = build()
        typer.echo(address)
        if address != os.environ.get("DOCKER_HOST"):
            typer.echo(f"to use it: export DOCKER_HOST={address}  (or -c execution.docker_host={address})", err=True)

    guarded(work)


@sandbox_app.command("doctor")
def sandbox_doctor(config: Config = None) -> None:
    """Say what each sandbox backend can do on this machine."""

    def work() -> None:
        from autointeract.execution.commands import doctor_lines

        _echo(doctor_lines(_settings(config).execution))

    guarded(work)


@sandbox_app.command("sweep")
def sandbox_sweep(
    everything: Annotated[bool, typer.Option("--all", help="Also what living runs and task images hold.")] = False,
    config: Config = None,
) -> None:
    """Remove what killed runs left in the Docker engine."""

    def work() -> None:
        from autointeract.execution.commands import sweep

        removed = asyncio.run(sweep(_settings(config).execution, everything=everything))
        _echo([*removed, f"{len(removed)} removed"])

    guarded(work)


def _cache(config: list[str] | None, workspace: str | None) -> Any:
    from autointeract.errors import WorkspaceError
    from autointeract.models.cache import ReplyCache

    settings = _settings(config, workspace)
    path = Path(settings.models.cache.path or Path(settings.workspace) / "cache" / "replies.sqlite")
    if not path.is_file():
        raise WorkspaceError(
            f"no reply cache at {path}: simulated replies are not cached, real ones are from the first on"
        )
    return ReplyCache(path)


@cache_app.command("stats")
def cache_stats(config: Config = None, workspace: Folder = None) -> None:
    """Show replies, tokens and bytes by role and model."""

    def work() -> None:
        cache = _cache(config, workspace)
        _echo("  ".join(f"{name} {value}" for name, value in row.items()) for row in cache.stats())
        cache.close()

    guarded(work)


@cache_app.command("prune")
def cache_prune(
    days: Annotated[float | None, typer.Option(min=0, help="Only replies older than this.")] = None,
    role: Annotated[str | None, typer.Option(help="Only replies of this role.")] = None,
    model: Annotated[str | None, typer.Option(help="Only replies of this model.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Every reply; each would have to be paid again.")] = False,
    config: Config = None,
    workspace: Folder = None,
) -> None:
    """Remove cached replies."""

    def work() -> None:
        from autointeract.errors import ConfigError

        if not everything and (days, role, model) == (None, None, None):
            raise ConfigError("cache prune needs --days, --role or --model, or --all to remove every paid reply")
        cache = _cache(config, workspace)
        removed = cache.prune(older_than=None if days is None else time.time() - days * 86400, role=role, model=model)
        cache.close()
        typer.echo(f"{removed:,} replies removed")

    guarded(work)


@tasks_app.command("build")
def tasks_build(
    config: Config = None, workspace: Folder = None, resume: ResumeOption = Resume.auto, seed: Seed = None
) -> None:
    """Read and verify every candidate, write the dataset."""
    run_stages(["tasks"], config, resume, workspace=workspace, seed=seed)


@tasks_app.command("verify")
def tasks_verify(
    patterns: Annotated[list[str] | None, typer.Argument(help="Task ids, globs allowed; default all.")] = None,
    config: Config = None,
    workspace: Folder = None,
) -> None:
    """Run the stored tasks again: do they still hold?"""

    async def check() -> int:
        from autointeract.execution import Execution
        from autointeract.tasks.commands import verify as verify_tasks
        from autointeract.workspace import Workspace

        settings = _settings(config, workspace)
        space = Workspace(Path(settings.workspace)).require()
        failed = seen = 0
        async with Execution(settings.execution, blob_path=space.folder("blobs")) as execution:
            async for found in verify_tasks(settings.tasks, space, execution, patterns or ()):
                seen += 1
                if not found.holds:
                    failed += 1
                    typer.echo(found.line)
        typer.echo(f"{seen - failed} of {seen} tasks hold")
        return 1 if failed else 0

    guarded(lambda: asyncio.run(check()))


@tasks_app.command("stats")
def tasks_stats(config: Config = None, workspace: Folder = None) -> None:
    """Show sources, sizes, and what was refused by reason."""

    def work() -> None:
        from autointeract.tasks.commands import stats_lines
        from autointeract.workspace import Workspace

        _echo(stats_lines(Workspace(Path(_settings(config, workspace).workspace)).require()))

    guarded(work)


@tasks_app.command("make-swe")
def tasks_make_swe(
    sources: Annotated[list[str], typer.Argument(help="Folders, sdists, or NAME==VERSION from the package index.")],
    out: Annotated[Path, typer.Option(help="JSONL file to write.")],
    count: Annotated[int | None, typer.Option(help="Instances wanted of each package.")] = None,
    config: Config = None,
    seed: Seed = None,
) -> None:
    """Make SWE tasks of Python packages. Needs Docker.

    Function-level bugs, each verified by the package's own pytest suite.
    """

    def work() -> None:
        from autointeract.cli.progress import Console
        from autointeract.tasks.commands import make_swe

        settings = _settings(config)
        maker = settings.tasks.make if count is None else settings.tasks.make.model_copy(update={"count": count})
        console = Console()
        console.begin("make-swe")
        chosen = settings.seed if seed is None else seed
        _echo(asyncio.run(make_swe(sources, out, maker, settings.execution, chosen, console.progress)))

    guarded(work)


@app.command()
def calibrate(
    file: Annotated[Path, typer.Argument(help="Prompts with verifiers: JSONL, Parquet, an export, a folder.")],
    config: Config = None,
    workspace: Folder = None,
    resume: ResumeOption = Resume.auto,
    seed: Seed = None,
) -> None:
    """Measure prompts you already have against the band.

    Weak and strong solver, verdicts, keep or drop; no user is simulated. The smallest way in.
    """

    def work() -> int:
        from autointeract import config as settings
        from autointeract.cli.runner import report_of, with_services
        from autointeract.cli.stopping import deadline
        from autointeract.synthesis import calibrate as calibration

        options = {name: value for name, value in (("workspace", workspace), ("seed", seed)) if value is not None}
        chosen = settings.load(config or [], options)

        async def measure(space: Any, services: Any, console: Any) -> int:
            with deadline(services.models, chosen.engine.deadline_s):
                running: Awaitable[Any] = calibration.run(file, chosen.synthesize.band, space, services)
                return 0 if await report_of("calibrate", running, space, console) else 3

        start: Callable[[], Any] = lambda: with_services("calibrate", chosen, resume.value, measure)  # noqa: E731
        return asyncio.run(start())

    guarded(work)


@app.command("serve-local")
def serve_local(
    model: Annotated[
        Path | None, typer.Option(help="Any GGUF file; default the small one of the extra `local`.")
    ] = None,
    port: Annotated[int, typer.Option(min=1, max=65535, help="Port on 127.0.0.1.")] = 8080,
    threads: Annotated[int, typer.Option(min=1, help="One is best on small machines.")] = 1,
    slots: Annotated[int, typer.Option(min=1, help="Requests served at once.")] = 4,
) -> None:
    """Serve a small real model, to try the plumbing.

    Its answers are worth nothing.
    """

    def work() -> None:
        from autointeract.models.local_server import serve

        serve(model, port=port, threads=threads, slots=slots)

    guarded(work)


_ORDER = (
    "run", "ingest", "label", "profile", "learn-prompt", "realism", "synthesize", "calibrate", "export", "push",
    "report", "status", "doctor", "forget", "serve-local",
)  # fmt: skip
app.registered_commands.sort(
    key=lambda command: _ORDER.index(command.name or getattr(command.callback, "__name__", ""))
)
