"""What `autointeract tasks build|verify|stats|make-swe` do, free of the command line.

build     read the sources, verify every candidate, write the dataset `tasks` (the stage)
verify    run the stored tasks again, here and now: does gold still score 1.0, and the empty state less?
stats     what is in the dataset, and what was refused, by reason
make-swe  make SWE tasks of Python packages
"""

from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from statistics import median

from autointeract.errors import InputError
from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import Record, SourceTask, StageReport
from autointeract.services import Services
from autointeract.tasks import stage
from autointeract.tasks.admission import Admitted, admit
from autointeract.tasks.candidate import Candidate
from autointeract.tasks.maker.settings import MakerSettings
from autointeract.tasks.settings import TasksSettings
from autointeract.workspace import Workspace


class Check(Record):
    """One stored task run again. `holds` is null when the sandbox failed, and `problem` says what is wrong."""

    task_id: str
    holds: bool | None
    problem: str = ""

    @property
    def line(self) -> str:
        """The check as one line."""
        word = {True: "holds", False: "FAILS", None: "unknown"}[self.holds]
        return f"{self.task_id}: {word}{': ' if self.problem else ''}{self.problem}"


async def build(settings: TasksSettings, workspace: Workspace, services: Services) -> StageReport:
    """The stage: reads, verifies, writes."""
    return await stage.run(settings, workspace, services)


async def verify(
    settings: TasksSettings, workspace: Workspace, execution: Execution, patterns: Sequence[str] = ()
) -> AsyncIterator[Check]:
    """Runs the stored tasks whose id matches (globs; none = all) again and says which still hold, in dataset order.

    Args:
        execution: one without a cache, else it repeats what it knows.

    Raises:
        WorkspaceError: there is no dataset `tasks`. InputError: no task matches.
    """
    from fnmatch import fnmatchcase

    seen = 0
    for row in workspace.tasks.rows():
        if patterns and not any(fnmatchcase(row.task_id, pattern) for pattern in patterns):
            continue
        seen += 1
        yield await _check(row, execution, settings)
    if not seen:
        raise InputError(f"no task in {workspace.root} matches {', '.join(patterns)}")


async def _check(row: SourceTask, execution: Execution, settings: TasksSettings) -> Check:
    candidate = Candidate(
        task_id=row.task_id, domain=row.domain, source=row.source, license=row.license, statement=row.statement,
        interface=row.interface, entry_point=row.entry_point, reference=row.reference, spec=row.verifier,
        image=row.image, repo=row.repo,
    )  # fmt: skip
    found = await admit(candidate, execution, settings)
    if not isinstance(found, Admitted):
        holds = False if hasattr(found, "reason") else None
        return Check(task_id=row.task_id, holds=holds, problem=found.detail)
    if found.candidate.spec != row.verifier:
        return Check(task_id=row.task_id, holds=False, problem="its verified tests are others than those stored")
    return Check(task_id=row.task_id, holds=True)


def stats_lines(workspace: Workspace) -> list[str]:
    """The dataset and the last run's refusals, as lines.

    Raises:
        WorkspaceError: there is no dataset `tasks`.
    """
    sources: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    repos: Counter[str] = Counter()
    facts: list[int] = []
    tests: list[int] = []
    baselines: list[float] = []
    for row in workspace.tasks.rows():
        spec = row.verifier
        sources[row.source] += 1
        kinds[f"{row.domain}/{spec.kind}"] += 1
        if row.repo:
            repos[row.repo] += 1
        facts.append(len(row.facts))
        tests.append(_tests(row))
        if row.baseline_score is not None:
            baselines.append(row.baseline_score)
    lines = [f"tasks: {sum(sources.values())}"]
    lines += _table("source", sources) + _table("kind", kinds) + _table("repository", repos, 10)
    if facts:
        lines.append(f"facts a task: median {median(facts):g}, {min(facts)} to {max(facts)}")
        lines.append(f"tests a task: median {median(tests):g}, {min(tests)} to {max(tests)}")
    if baselines:
        lines.append(f"best constant answer: median {median(baselines):.2f}, at most {max(baselines):.2f}")
    report = workspace.load_report("tasks")
    if report is not None:
        lines += _table("refused", Counter(report.details.get("refused_by_reason", {})))
        skipped = {name[8:]: number for name, number in report.counts.items() if name.startswith("skipped_")}
        lines += _table("not for us", Counter(skipped))
        lines += [f"  {item['name']}: {item['reason']}: {item['detail']}" for item in report.details.get("refused", [])]
    return lines


async def make_swe(
    sources: Sequence[str], out: Path, settings: MakerSettings, execution: ExecutionSettings, seed: int = 0,
    progress: Callable[[int, int], None] | None = None,
) -> list[str]:  # fmt: skip
    """Makes instances of each package and writes them to `out` (JSON lines); gives lines for people.

    Raises:
        InputError, ConfigError, SandboxError: as `maker.make.make`; packages made before are written.
    """
    from autointeract.tasks.maker.make import make, write_rows

    made = []
    lines = []
    for source in sources:
        one = await make(source, settings, execution, seed, progress)
        made.append(one)
        write_rows(made, out)
        tried = ", ".join(f"{number} {what}" for what, number in one.tried.items())
        lines.append(f"{source}: {len(one.rows)} instances of {one.repo} ({one.tests} tests; tried: {tried})")
        lines.append(f"  image {one.image}")
    lines.append(f"written: {out}; verify them with  autointeract tasks build -c 'tasks.sources=[\"{out}\"]'")
    return lines


def _tests(row: SourceTask) -> int:
    spec = row.verifier
    if spec.kind == "assertions":
        return len(spec.assertions)
    if spec.kind == "stdio":
        return len(spec.cases)
    if spec.kind == "pytest":
        return len(spec.fail_to_pass) + len(spec.pass_to_pass)
    return int((_meta(row)).get("cases", 0))


def _meta(row: SourceTask) -> dict:
    import json

    return json.loads(row.verified_json).get("meta", {})


def _table(title: str, counts: Counter[str], most: int | None = None) -> list[str]:
    if not counts:
        return []
    rows = [f"  {number:6d}  {name}" for name, number in counts.most_common(most)]
    more = len(counts) - len(rows)
    return [f"{title}:", *rows, *([f"          and {more} more"] if more else [])]
