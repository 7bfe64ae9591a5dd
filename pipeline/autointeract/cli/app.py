"""The commands and their options. Nothing here does work: each command hands over to `cli.runner` or to a room's
function.

Only typer is imported at the top, so that `--help` answers at once.
"""

from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,  # plain help: rich alone costs as much as the rest of the start
    pretty_exceptions_enable=False,
)
tasks_app = typer.Typer(help="Read source tasks, verify them in the sandbox.")
app.add_typer(tasks_app, name="tasks")


class Resume(StrEnum):
    """What to do with work that is already in the workspace."""

    never = "never"
    auto = "auto"
    require = "require"


class Redact(StrEnum):
    """How much is removed from logs before anything is written."""

    strict = "strict"
    standard = "standard"
    off = "off"


Config = Annotated[
    list[str] | None,
    typer.Option("-c", "--config", help="TOML file or key.sub=value; later ones win, values over files."),
]
Folder = Annotated[str | None, typer.Option("-w", "--workspace", help="Workspace folder.")]
ResumeOption = Annotated[Resume, typer.Option("--resume", help="auto goes on where the settings match.")]
Seed = Annotated[int | None, typer.Option("--seed", help="Seed of the whole run.")]


def run_stages(stages: list[str], config: list[str] | None, resume: Resume = Resume.auto, **options: Any) -> None:
    """Runs stages and exits with their code. Options that are None are left to the config; `__` in names is a dot."""
    from autointeract.cli.runner import run_and_exit

    given = {name.replace("__", "."): value for name, value in options.items() if value is not None}
    run_and_exit(stages, config or [], given, resume.value)


def guarded(work: Callable[[], int | None]) -> None:
    """Runs `work`, prints an AutoInteractError as one line, and exits with its code."""
    from autointeract.cli.runner import exit_with

    exit_with(work)


def _version(wanted: bool) -> None:
    if wanted:
        from autointeract import __version__

        typer.echo(f"autointeract {__version__}")
        raise typer.Exit


@app.callback()
def main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Logs of real users become user models; with verified tasks they become data that an RL trainer can score."""


@app.command()
def run(config: Config = None, workspace: Folder = None, resume: ResumeOption = Resume.auto, seed: Seed = None) -> None:
    """Walk the whole flow, from ingest to report."""
    from autointeract.cli.runner import FLOW

    run_stages(list(FLOW), config, resume, workspace=workspace, seed=seed)


@app.command()
def ingest(
    paths: Annotated[list[str] | None, typer.Argument(help="Files, folders, globs, or hf://dataset.")] = None,
    config: Config = None,
    workspace: Folder = None,
    resume: ResumeOption = Resume.auto,
    redact: Annotated[Redact | None, typer.Option(help="How much is removed before anything is written.")] = None,
    workers: Annotated[int | None, typer.Option(help="Processes that read files.")] = None,
    explain: Annotated[
        Path | None, typer.Option(help="Print, line by line, what is kept of one file, and why.")
    ] = None,
) -> None:
    """Read raw logs: redacted sessions, what a person said."""
    level = redact.value if redact else None
    if explain is None:
        run_stages(
            ["ingest"], config, resume, workspace=workspace, logs__paths=paths or None, logs__redact=level,
            logs__workers=workers,
        )  # fmt: skip
        return

    def work() -> None:
        from autointeract import config as settings
        from autointeract.logs.explain import explain_file

        options = {"logs.redact": level} if level else {}
        for line in explain_file(explain, settings.load(config or [], options).logs):
            typer.echo(line)

    guarded(work)


@app.command()
def export(
    formats: Annotated[
        list[str] | None, typer.Option("--format", help="rl, verifiers, messages, atif, a trainer's name, or all.")
    ] = None,
    config: Config = None,
    workspace: Folder = None,
    resume: ResumeOption = Resume.auto,
    seed: Seed = None,
) -> None:
    """Write the accepted trajectories for trainers."""
    run_stages(["export"], config, resume, workspace=workspace, seed=seed, export__formats=formats or None)


@app.command()
def push(
    repo: Annotated[str | None, typer.Option(help="Dataset repository, owner/name.")] = None,
    allow_simulated: Annotated[
        bool | None, typer.Option("--allow-simulated", help="Also rows made with simulated models.")
    ] = None,
    allow_license_conflicts: Annotated[
        bool | None,
        typer.Option("--allow-license-conflicts", help="Also sources whose licence is unknown or forbids it."),
    ] = None,
    config: Config = None,
    workspace: Folder = None,
) -> None:
    """Push an export to the Hub, private by default."""
    run_stages(
        ["push"], config, Resume.auto, workspace=workspace, push__repo=repo, push__allow_simulated=allow_simulated,
        push__allow_license_conflicts=allow_license_conflicts,
    )  # fmt: skip


def _stage(name: str, text: str) -> None:
    def command(
        config: Config = None, workspace: Folder = None, resume: ResumeOption = Resume.auto, seed: Seed = None
    ) -> None:
        run_stages([name], config, resume, workspace=workspace, seed=seed)

    command.__doc__ = text
    app.command(name)(command)


_stage("label", "Label each human turn: intent, reaction, specificity.")
_stage("profile", "Measure each user, write the population of profiles.")
_stage("learn-prompt", "Learn or score the prompt against real next turns.")


@app.command()
def synthesize(
    scenarios: Annotated[list[str] | None, typer.Option("--scenario", help="Only these; may be repeated.")] = None,
    domains: Annotated[list[str] | None, typer.Option("--domain", help="algorithmic, swe; may be repeated.")] = None,
    rounds: Annotated[int | None, typer.Option(help="Revisions after the first round.")] = None,
    items: Annotated[int | None, typer.Option(help="Conversations to try; default one a task.")] = None,
    target: Annotated[int | None, typer.Option(help="Stop when so many are accepted.")] = None,
    config: Config = None,
    workspace: Folder = None,
    resume: ResumeOption = Resume.auto,
    seed: Seed = None,
) -> None:
    """Make calibrated multi-turn trajectories."""
    run_stages(
        ["synthesize"], config, resume, workspace=workspace, seed=seed, synthesize__scenarios=scenarios or None,
        synthesize__domains=domains or None, synthesize__rounds=rounds, synthesize__items=items,
        synthesize__target=target,
    )  # fmt: skip


_stage("realism", "Compare simulated users with real ones.")
_stage("report", "Draw the HTML report.")


@app.command()
def status(config: Config = None, workspace: Folder = None) -> None:
    """Show what a workspace holds, and who is writing."""

    def work() -> None:
        from autointeract import config as settings
        from autointeract.cli.status import status_lines

        options = {"workspace": workspace} if workspace is not None else {}
        for line in status_lines(settings.load(config or [], options)):
            typer.echo(line)

    guarded(work)


@app.command()
def doctor(config: Config = None) -> None:
    """Check sandboxes and model endpoints.

    Exits with 2 where something that a run needs is missing.
    """

    def work() -> int:
        from autointeract import config as settings
        from autointeract.cli.doctor import doctor_lines

        healthy, lines = doctor_lines(settings.load(config or []))
        for line in lines:
            typer.echo(line)
        return 0 if healthy else 2

    guarded(work)


@tasks_app.callback(invoke_without_command=True)
def tasks(
    context: typer.Context, config: Config = None, workspace: Folder = None, resume: ResumeOption = Resume.auto,
    seed: Seed = None,
) -> None:  # fmt: skip
    """Read source tasks and admit those whose gold solution passes and whose empty state does not."""
    if context.invoked_subcommand is None:
        run_stages(["tasks"], config, resume, workspace=workspace, seed=seed)


@app.command()
def forget(
    user: Annotated[
        str, typer.Argument(help="Pseudonym, or the identity it stands for (home folder, account, e-mail).")
    ],
    config: Config = None,
    workspace: Folder = None,
) -> None:
    """Remove a person from everything a workspace holds."""

    def work() -> None:
        from autointeract import config as settings
        from autointeract.logs.forget import forget as forget_person
        from autointeract.workspace import Workspace

        chosen = settings.load(config or [], {"workspace": workspace} if workspace is not None else {})
        report = forget_person(Workspace(Path(chosen.workspace), chosen.pseudonym_key).require(), user)
        for place, count in report.removed.items():
            typer.echo(f"removed {count:,} from {place}")
        typer.echo(f"run again: {', '.join(report.rebuild) or 'nothing'}")

    guarded(work)
