"""The stage `tasks`: reads the sources, verifies every candidate by running it, writes the dataset `tasks`.

One journal line a candidate: `{"task": ROW}` or `{"refused": REFUSAL}`. A candidate that the sandbox could not judge
has no line and is owed again by the next run. Refusals are named in the report, with the reason.
"""

import time
from functools import partial
from pathlib import Path
from typing import Any

from autointeract.errors import ConfigError, InputError, ProviderError, SandboxError
from autointeract.records import SourceTask, StageReport, digest
from autointeract.services import Services
from autointeract.tasks import archives
from autointeract.tasks.admission import Admitted, Unknown, admit
from autointeract.tasks.candidate import Refusal
from autointeract.tasks.factfinder import FactFinder
from autointeract.tasks.pool import ordered, passes
from autointeract.tasks.readers import read_source
from autointeract.tasks.settings import TasksSettings
from autointeract.tasks.spool import Entry, Spool
from autointeract.tasks.stats import summarize
from autointeract.workspace import PlannedItem, StageRun, Workspace


async def run(settings: TasksSettings, workspace: Workspace, services: Services) -> StageReport:
    """Reads and verifies (see the module's docstring).

    Raises:
        ConfigError: no source is configured.
        InputError: a source cannot be opened.
        SandboxError: nothing at all could be judged.
    """
    if not settings.sources:
        raise ConfigError("tasks.sources is empty: name a file, e.g. -c 'tasks.sources=[\"my_tasks.jsonl\"]'")
    started = time.monotonic()
    finder = FactFinder(settings, services)
    result_view = {
        **settings.result_view(), **finder.identity(), "execution": services.execution.settings.result_view(),
        "seed": services.seed,
    }  # fmt: skip
    with (
        StageRun.open(workspace, "tasks", result_view, services.resume) as stage,
        Spool(workspace.folder("cache")) as spool,
    ):
        for source in settings.sources:
            spool.add(
                passes(item, settings.pool) if not isinstance(item, Refusal) else item
                for item in read_source(source, settings)
            )
        entries = {entry.task_id: entry for entry in ordered(spool.entries, settings.pool, services.seed)}
        plan = [PlannedItem(key=entry.task_id, input_digest=entry.digest) for entry in entries.values()]
        work = _Work(spool, entries, settings, services, finder, stage)
        stop = None
        if work.wanted(plan):
            owed = stage.owed(plan)
            stop = await services.engine.map(owed, work.verify, partial(work.done, plan), total=len(owed))
        kept = work.prefix(plan)
        manifest = stage.compact(
            kept, workspace.tasks, _rows, inputs={"sources": _inputs(kept)}, complete=stop is None,
            notes={"refused": sum(1 for _, value in stage.finished(kept) if "refused" in value)},
        )  # fmt: skip
        refused = [Refusal.model_validate(value["refused"]) for _, value in stage.finished(kept) if "refused" in value]
        report = summarize(
            spool.refusals + refused, spool.unlisted, spool.sources, manifest.rows, work.unknown, settings,
        )  # fmt: skip
    if work.unknown and not manifest.rows and len(work.unknown) >= len(plan):
        name, first = next(iter(work.unknown.items()))
        wrong = {"provider": ProviderError, "verifier": InputError}.get(first.boundary, SandboxError)
        raise wrong(f"no task could be judged: {first.boundary}: {first.detail} (first: {name})")
    notes = [*report.notes, *([f"stopped early: {stop.reason}; run again to go on"] if stop else [])]
    return report.model_copy(
        update={
            "notes": notes, "complete": stop is None, "seconds": time.monotonic() - started,
            "usage": services.models.usage_report() if finder.model else {},
        }
    )  # fmt: skip


class _Work:
    """What the engine runs on one candidate, and when enough are admitted."""

    def __init__(
        self, spool: Spool, entries: dict[str, Entry], settings: TasksSettings, services: Services, finder: FactFinder,
        stage: StageRun,
    ):  # fmt: skip
        self.spool, self.entries, self.settings, self.services = spool, entries, settings, services
        self.finder, self.stage = finder, stage
        self.blobs = stage.workspace.folder("blobs")
        self.unknown: dict[str, Unknown] = {}

    async def verify(self, item: PlannedItem) -> dict[str, Any] | Unknown:
        candidate = self.spool.read(self.entries[item.key])
        if candidate.archive:
            archives.store(Path(candidate.archive), candidate.spec, self.blobs)
        try:
            found = await admit(candidate, self.services.execution, self.settings)
        except InputError as error:  # nobody can judge it as things are (a missing testlib.h): decided another time
            return Unknown(boundary="verifier", detail=str(error))
        if isinstance(found, Admitted):
            try:
                facts, origin = await self.finder.facts(found)
            except ProviderError as error:
                return Unknown(boundary="provider", detail=str(error)[:200])
            return {"task": found.row(facts, origin).model_dump(mode="json")}
        return found if isinstance(found, Unknown) else {"refused": found.model_dump(mode="json")}

    def done(self, plan: list[PlannedItem], item: PlannedItem, found: dict[str, Any] | Unknown) -> bool:
        if isinstance(found, Unknown):
            self.unknown[item.key] = found
            return False
        self.stage.journal.put(item.key, item.input_digest, found)
        return not self.wanted(plan)

    def wanted(self, plan: list[PlannedItem]) -> bool:
        """Whether more tasks must be verified: the pool is unlimited or its prefix holds too few."""
        limit = self.settings.pool.limit
        return limit is None or len(self.prefix(plan)) == len(plan)

    def prefix(self, plan: list[PlannedItem]) -> list[PlannedItem]:
        """The shortest prefix of the plan, all of it decided, that holds `limit` admitted tasks; else the plan."""
        limit = self.settings.pool.limit
        if limit is None:
            return plan
        admitted = 0
        for number, item in enumerate(plan, 1):
            if not self.stage.journal.has(item.key, item.input_digest):
                if item.key in self.unknown:
                    continue
                return plan
            admitted += "task" in self.stage.journal.get(item.key)
            if admitted == limit:
                return plan[:number]
        return plan


def _rows(value: dict[str, Any]) -> list[SourceTask]:
    return [SourceTask.model_validate(value["task"])] if "task" in value else []


def _inputs(plan: list[PlannedItem]) -> str:
    return digest([[item.key, item.input_digest] for item in plan])
