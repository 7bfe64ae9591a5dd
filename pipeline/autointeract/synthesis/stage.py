"""The stage `synthesize`: plans the items, runs the loop on what is owed, writes attempts and trajectories.

One journal line a finished attempt, and one an item when it has ended; both under the digest of what the item is made
from, so that new tasks or profiles cost only themselves. An item that a fault of the infrastructure has ended is owed
again in the next run; its attempts stay in the journal.
"""

import time
from collections.abc import Iterator
from typing import Any

from autointeract import __version__, prompts
from autointeract.engine.local import DEFAULT_CONCURRENCY
from autointeract.errors import InputError
from autointeract.models.simulated import solvers  # noqa: F401 - registers responders
from autointeract.records import (
    Attempt,
    BehaviorPrompt,
    Profile,
    SourceTask,
    StageReport,
    Trajectory,
    canonical_json,
    digest,
    load_json,
)  # fmt: skip
from autointeract.services import Services
from autointeract.simulator import PROMPT as USER_PROMPT
from autointeract.synthesis import controller, guidance, judge_rules, judges, scoring  # noqa: F401 - judge_rules registers responders
from autointeract.synthesis.figures import Figures
from autointeract.synthesis.gate import problems
from autointeract.synthesis.generator import Cast
from autointeract.synthesis.loop import Loop, outages
from autointeract.synthesis.sampling import Item, plan_items
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.summary import notes_of
from autointeract.synthesis.swe import play, tools
from autointeract.synthesis.swe.workbench import DockerWorkbench, Workbench, need_docker
from autointeract.workspace import PlannedItem, StageRun, Workspace

ROLES: tuple[str, ...] = ("simulator", "judge", "controller", "assistant", "weak", "strong")
ITEMS_A_CALL = 8
"""Items in flight for each call that an endpoint takes at once (ours; measured with benchmarks/synthesis.py busy)."""
BEHAVIOR = prompts.load("behavior", (), None)


class Inputs:
    """What items are made of, read once."""

    def __init__(self, workspace: Workspace, settings: SynthesisSettings, seed: int):
        self.tasks = {task.task_id: task for task in workspace.tasks.rows()}
        users = settings.ablation.user_models
        self.profiles = {row.profile_id: row for row in workspace.profiles.rows()} if users else {}
        if not self.tasks:
            raise InputError(f"no task in {workspace.tasks.folder}: run `autointeract tasks build` on a source first")
        if users and not self.profiles:
            raise InputError(f"no profile in {workspace.profiles.folder}: run `autointeract profile` first")
        self.behavior = selected_prompt(workspace) if users else BEHAVIOR.text
        self.prompt_id = digest(self.behavior)
        self.items = plan_items(list(self.tasks.values()), list(self.profiles.values()), self.prompt_id, settings, seed)
        if not self.items:
            raise InputError("no task fits: synthesize.domains and synthesize.scenarios leave nothing to do")
        self._digests: dict[str, str] = {}

    def cast(self, item: Item) -> Cast:
        """Who plays in an item."""
        return Cast(item, self.tasks[item.task_id], self.profiles.get(item.profile_id), self.behavior)

    def digest_of(self, item: Item) -> str:
        """Digest of everything the item is made from."""
        task, profile = self.tasks[item.task_id], self.profiles.get(item.profile_id)
        parts = [self._row_digest(task.task_id, task), self._row_digest(item.profile_id, profile), item.prompt_id]
        return digest([*parts, item.null_arm, item.full])

    def _row_digest(self, name: str, row: SourceTask | Profile | None) -> str:
        if row is None:
            return ""
        if name not in self._digests:
            self._digests[name] = digest(row.model_dump(mode="json"))
        return self._digests[name]


def selected_prompt(workspace: Workspace) -> str:
    """The behavior prompt marked as selected; the seed prompt where none was learned."""
    if not workspace.prompts.exists():
        return BEHAVIOR.text
    rows: list[BehaviorPrompt] = list(workspace.prompts.rows())
    return next((row.text for row in rows if load_json(row.optimizer_json, {}).get("selected")), BEHAVIOR.text)


async def run(settings: SynthesisSettings, workspace: Workspace, services: Services) -> StageReport:
    """Runs the stage.

    Raises:
        InputError: no tasks or no profiles. ResumeError: the workspace holds work made with other settings.
    """
    started = time.monotonic()
    inputs = Inputs(workspace, settings, services.seed)
    used_prompts = [
        USER_PROMPT, controller.PROMPT, judges.VALIDITY, judges.REALISM, judges.COHERENCE, judges.CONSISTENCY,
        scoring.ANSWER, scoring.CAUSE, guidance.TEXT, play.SYSTEM, tools.BASH, tools.EDIT,
    ]  # fmt: skip
    view = {
        **settings.result_view(), "seed": services.seed, "schema": [Attempt.SCHEMA_VERSION, Trajectory.SCHEMA_VERSION],
        "models": {role: services.models.identity(role) for role in ROLES},
        "prompts": {prompt.name: prompt.digest for prompt in used_prompts},
    }  # fmt: skip
    with StageRun.open(workspace, "synthesize", view, services.resume) as stage:
        bench = open_bench(settings, services, inputs)
        work = _Work(settings, services, inputs, stage, bench)
        try:
            owed = work.owed()
            stop = await services.engine.map(
                owed, work.run, work.done, total=len(owed), wanted=in_flight(settings, services)
            )
        finally:
            if bench is not None:
                await bench.close()
        plan, complete = work.to_write(stop is None)
        figures, dropped = work.write(workspace, plan, complete)
        usage = services.models.usage_report()
        return StageReport(
            stage="synthesize", complete=complete, seconds=time.monotonic() - started, usage=usage,
            counts={
                "items": len(plan), "attempts": workspace.attempts.manifest().rows,
                "accepted": workspace.trajectories.manifest().rows, **_counts(figures),
            },
            faults=dict(sorted(figures.faults.items())), details=figures.details(usage, services.models.describe()),
            notes=notes_of(figures, usage, services.models.describe(), dropped, stop.reason if stop else None),
        )  # fmt: skip


def in_flight(settings: SynthesisSettings, services: Services) -> int:
    """Items in flight that keep the endpoints full: an item waits for one or two calls at a time, and the more there
    are, the shorter is the end of a run, when only the longest conversations are left. No more than a target needs.
    """
    most = max(DEFAULT_CONCURRENCY, ITEMS_A_CALL * services.models.most_in_flight(ROLES))
    return most if settings.target is None else min(most, max(DEFAULT_CONCURRENCY, 4 * settings.target))


def open_bench(settings: SynthesisSettings, services: Services, inputs: Inputs) -> DockerWorkbench | None:
    """Where agents work, if any task of the plan needs it.

    Raises:
        SandboxUnavailableError: a task needs it, and the settings rule Docker out.
    """
    if not any(inputs.tasks[item.task_id].domain == "swe" for item in inputs.items):
        return None
    execution = services.execution
    need_docker(execution.settings)
    return DockerWorkbench(execution.settings, execution.run_id, settings.swe.sessions)


class _Work:
    """One run: what is owed, what was done, what is written."""

    def __init__(
        self, settings: SynthesisSettings, services: Services, inputs: Inputs, stage: StageRun,
        bench: Workbench | None = None,
    ):  # fmt: skip
        self.settings, self.services, self.inputs, self.stage = settings, services, inputs, stage
        self.plan = [PlannedItem(key=item.item_id, input_digest=inputs.digest_of(item)) for item in inputs.items]
        self._items = {item.item_id: item for item in inputs.items}
        self._digest = {item.key: item.input_digest for item in self.plan}
        self._loop = Loop(services.models, services.execution, settings, services.seed, self._seen, self._keep, bench)
        self._accepted: dict[str, bool] = {}
        self._broken: list[PlannedItem] = []
        for item, value in stage.finished(self.plan):
            if 0 < value.get("outages", 0) < settings.outage_tries:
                self._broken.append(item)
            else:
                self._accepted[item.key] = value["accepted"]
        self._front, self._front_accepted = 0, 0

    def owed(self) -> list[PlannedItem]:
        """What is left to do; nothing when the target is reached already."""
        if self._target_reached():
            return []
        left = {item.key for item in [*self.stage.owed(self.plan), *self._broken]}
        return [item for item in self.plan if item.key in left]

    async def run(self, planned: PlannedItem) -> dict[str, Any]:
        """One item."""
        attempts = await self._loop.run(self.inputs.cast(self._items[planned.key]))
        return {
            "attempts": [_key(attempt) for attempt in attempts],
            "accepted": any(attempt.outcome == "accepted" and attempt.arm == "guided" for attempt in attempts),
            "outages": outages(attempts),
        }

    def done(self, planned: PlannedItem, value: dict[str, Any]) -> bool:
        """Keeps a finished item; true when the target is reached."""
        self.stage.journal.put(planned.key, planned.input_digest, value)
        self._accepted[planned.key] = value["accepted"]
        return self._target_reached()

    def to_write(self, complete: bool) -> tuple[list[PlannedItem], bool]:
        """The part of the plan to write: with a reached target its shortest prefix that holds enough."""
        if self._target_reached():
            return self.plan[: self._front], True
        return self.plan, complete

    def write(self, workspace: Workspace, plan: list[PlannedItem], complete: bool) -> tuple[Figures, list[str]]:
        """Writes both datasets; gives the figures and the ids of accepted rows that the last look held back."""
        figures, dropped = Figures(self.settings), []

        def attempts(value: dict[str, Any]) -> Iterator[Attempt]:
            rows = [Attempt.model_validate(self.stage.journal.get(key)) for key in value["attempts"]]
            figures.add(self._items[rows[0].item_id], rows)
            broken = value.get("outages", 0)
            figures.unfinished += 0 < broken < self.settings.outage_tries
            figures.given_up += broken >= self.settings.outage_tries
            yield from rows

        def trajectories(value: dict[str, Any]) -> Iterator[Trajectory]:
            if not value["accepted"]:
                return
            for key in value["attempts"]:
                row = Attempt.model_validate(self.stage.journal.get(key))
                if row.outcome == "accepted" and row.arm == "guided":
                    made = self._trajectory(row)
                    if problems(made, self.inputs.tasks[row.task_id], self.settings):
                        dropped.append(row.item_id)
                    else:
                        yield made

        inputs = {"tasks": _inputs(workspace.tasks)}
        if self.inputs.profiles:
            inputs["profiles"] = _inputs(workspace.profiles)
        self.stage.compact(plan, workspace.attempts, attempts, inputs=inputs, complete=complete)
        self.stage.compact(plan, workspace.trajectories, trajectories, inputs=inputs, complete=complete)
        return figures, dropped

    def _trajectory(self, row: Attempt) -> Trajectory:
        task, profile = self.inputs.tasks[row.task_id], self.inputs.profiles.get(row.profile_id)
        return Trajectory(
            trajectory_id=Trajectory.make_id(row.conversation, task.verifier_json, row.repo_state), domain=row.domain,
            scenario=row.scenario, round=row.round, prompt=row.conversation, turns=row.turns,
            verifier_json=task.verifier_json, image=task.image if task.domain == "swe" else None,
            repo_state=row.repo_state, source_task_id=task.task_id, source=task.source, license=task.license,
            profile_id=row.profile_id, niche=profile.niche if profile else "", prompt_id=row.prompt_id,
            weak_scores=row.weak_scores, strong_scores=row.strong_scores,
            weak_score=sum(row.weak_scores) / len(row.weak_scores),
            strong_score=sum(row.strong_scores) / len(row.strong_scores), checks_json=row.checks_json,
            guidance=row.guidance_json, models_json=canonical_json(self.services.models.describe()),
            usage_json=row.usage_json, seed=row.seed, config_sha=self.services.config_sha,
            software=f"autointeract {__version__}",
        )  # fmt: skip

    def _target_reached(self) -> bool:
        target = self.settings.target
        if target is None:
            return False
        while self._front < len(self.plan) and self._front_accepted < target:
            accepted = self._accepted.get(self.plan[self._front].key)
            if accepted is None:
                return False
            self._front, self._front_accepted = self._front + 1, self._front_accepted + accepted
        return self._front_accepted >= target

    def _seen(self, key: str, cast: Cast) -> Attempt | None:
        if not self.stage.journal.has(key, self._digest[cast.item.item_id]):
            return None
        return Attempt.model_validate(self.stage.journal.get(key))

    def _keep(self, key: str, cast: Cast, attempt: Attempt) -> None:
        self.stage.journal.put(key, self._digest[cast.item.item_id], attempt.model_dump(mode="json"))


def _key(attempt: Attempt) -> str:
    return f"{attempt.item_id}/{attempt.arm}/{attempt.round}/{attempt.retry}"


def _inputs(dataset: Any) -> str:
    return digest([part.sha256 for part in dataset.manifest().parts])


def _counts(figures: Figures) -> dict[str, int]:
    return {f"ended {name}": count for name, count in sorted(figures.outcomes.items())}
