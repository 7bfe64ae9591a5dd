"""Stage `learn-prompt`: scores the seed behavior prompt on real next turns, improves it, and chooses one.

In: datasets `sessions`, `labels`, `splits`. Out: dataset `prompts`: the candidates, exactly one of them with
`optimizer_json.selected = true`. One journal line a rollout. Test users never decide anything: they only show the gain.
"""

import time
from collections import Counter
from typing import Any

from autointeract import prompts
from autointeract.errors import WorkspaceError
from autointeract.models import Usage
from autointeract.records import BehaviorPrompt, StageReport, canonical_json, digest
from autointeract.services import Services
from autointeract.simulator import PROMPT as USER_TURN
from autointeract.users import judge, scores, splits
from autointeract.users.cases import Cases, collect
from autointeract.users.instances import Instance
from autointeract.users.reliability import judge_reliability
from autointeract.users.rollout import Rollout, roll, rollout_digest
from autointeract.users.settings import LearnPromptSettings
from autointeract.workspace import PlannedItem, StageRun, Workspace

SEED = prompts.load("behavior", ())


async def run(settings: LearnPromptSettings, workspace: Workspace, services: Services) -> StageReport:
    """Scores, optimises if asked, chooses."""
    started = time.monotonic()
    scope: dict[str, Any] = {
        **settings.result_view(),
        "seed": services.seed,
        "models": {role: services.models.identity(role) for role in ("simulator", "judge")},
        "prompts": {item.name: item.digest for item in (SEED, USER_TURN, judge.PROMPT)},
    }
    inputs = {name: getattr(workspace, name).manifest().content_digest for name in ("sessions", "labels")}
    split = {user: row.split for user, row in splits.user_splits(workspace).items()}
    with StageRun.open(workspace, "learn-prompt", scope, services.resume) as stage:
        cases = collect(workspace, split, settings, services.seed)
        rollouts, stop = await score_all(stage, services, settings, SEED.text, cases.instances)
        checks: dict[str, Any] = {}
        if stop is None and cases.instances:
            checks = await judge_reliability(services, settings, cases.instances, rollouts)
        rows = [_row(SEED.text, cases.instances, rollouts)]
        workspace.prompts.write(
            [rows], stage="learn-prompt", stage_digest=stage.stage_digest, inputs=inputs, complete=stop is None
        )
    faults = Counter(roll.fault.split(":")[0] for roll in rollouts.values() if roll.fault)
    return StageReport(
        stage="learn-prompt",
        counts={
            "instances": len(cases.instances),
            "rollouts": len(rollouts),
            "prompts": len(rows),
            "dropped_twins": cases.dropped,
            **{f"instances_{name}": len(cases.of(name)) for name in ("train", "val", "test")},
        },
        faults=dict(faults),
        notes=_notes(cases, checks, stop),
        usage=services.models.usage_report(),
        details=_details(cases, rollouts, checks, services.seed),
        seconds=time.monotonic() - started,
        complete=stop is None,
    )


async def score_all(
    stage: StageRun,
    services: Services,
    settings: LearnPromptSettings,
    text: str,
    instances: list[Instance],
    sample: int = 0,
) -> tuple[dict[str, Rollout], Any]:
    """Rollouts of one prompt on all instances, journalled; those journalled before are not run again."""
    name = digest(text, 16)
    plan = [
        PlannedItem(key=f"{name}:{item.instance_id}:{sample}", input_digest=rollout_digest(text, item, sample))
        for item in instances
    ]
    owed = {item.key for item in stage.owed(plan)}
    pairs = [(item, instance) for item, instance in zip(plan, instances, strict=True) if item.key in owed]

    async def work(pair: tuple[PlannedItem, Instance]) -> Rollout:
        return await roll(services.models, text, pair[1], settings.weights, sample=sample)

    def done(pair: tuple[PlannedItem, Instance], value: Rollout) -> None:
        stage.journal.put(pair[0].key, pair[0].input_digest, value.model_dump(mode="json"))

    stop = await services.engine.map(pairs, work, done, total=len(pairs))
    found = (Rollout.model_validate(value) for _, value in stage.finished(plan))
    return {item.instance_id: item for item in found}, stop


def selected_prompt(workspace: Workspace) -> BehaviorPrompt:
    """The behavior prompt to use.

    Raises:
        WorkspaceError: none is selected.
    """
    for row in workspace.prompts.rows():
        if '"selected":true' in row.optimizer_json:
            return row
    raise WorkspaceError("no behavior prompt is selected in dataset 'prompts': run learn-prompt")


def _row(text: str, instances: list[Instance], rollouts: dict[str, Rollout]) -> BehaviorPrompt:
    found = scores.split_scores(instances, rollouts)
    info = {
        "optimizer": "none",
        "selected": True,
        "aspects": scores.aspect_means(list(rollouts.values())),
        "instances": {name: sum(item.split == name for item in instances) for name in ("train", "val", "test")},
        "usage": sum((item.usage for item in rollouts.values()), Usage()).model_dump(),
    }
    return BehaviorPrompt(
        prompt_id=prompt_id(text),
        text=text,
        train_score=found["train"],
        val_score=found["val"],
        test_score=found["test"],
        optimizer_json=canonical_json(info),
    )


def prompt_id(text: str) -> str:
    """sha256 of the text (hex)."""
    import hashlib

    return hashlib.sha256(text.encode()).hexdigest()


def _notes(cases: Cases, checks: dict[str, Any], stop: Any) -> list[str]:
    notes = []
    if not cases.instances:
        notes.append("no real turn reacts to an agent here: the behavior prompt cannot be scored and is used as it is")
    for name in ("val", "test"):
        users = {item.user_id for item in cases.of(name)}
        if cases.instances and len(users) < 5:
            notes.append(
                f"{name} instances come from {len(users)} user{'' if len(users) == 1 else 's'}: the score says "
                f"nothing about "
                "people in general"
            )
    if cases.alone:
        notes.append(
            f"{cases.alone} of {len(cases.instances)} instances carry no profile: their user has no other session"
        )
    if cases.dropped:
        notes.append(f"{cases.dropped} instances dropped: their real turn recurs almost word for word in another split")
    gap = checks.get("gap")
    if gap is not None and gap < 0.2:
        notes.append(
            f"the judge separates the real turn from another user's by only {gap:.2f}: its scores are not to be "
            f"relied on"
        )
    if stop is not None:
        notes.append(f"stopped early: {stop.reason}")
    return notes


def _details(cases: Cases, rollouts: dict[str, Rollout], checks: dict[str, Any], seed: int) -> dict[str, Any]:
    by_split = {}
    for name in ("train", "val", "test"):
        values: dict[str, list[float]] = {}
        for item in cases.of(name):
            roll = rollouts.get(item.instance_id)
            if roll is not None and roll.score is not None:
                values.setdefault(item.user_id or item.session_id, []).append(roll.score)
        by_split[name] = scores.user_interval(values, seed)
    return {
        "seed_prompt": by_split,
        "aspects": scores.aspect_means(list(rollouts.values())),
        "judge": checks,
        "points": cases.points,
        "strategies": dict(sorted(Counter(r.strategy or "none" for r in rollouts.values()).items())),
    }
