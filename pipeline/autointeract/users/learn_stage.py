"""Stage `learn-prompt`: scores the seed behavior prompt on real next turns, improves it, and chooses one.

In: datasets `sessions`, `labels`, `splits`. Out: dataset `prompts`: the candidates, exactly one of them with
`optimizer_json.selected = true`. One journal line a rollout. Test users never decide anything: they only show the gain.
"""

import logging
import time
from collections import Counter
from importlib.util import find_spec
from typing import Any

from autointeract import prompts
from autointeract.engine import Stop
from autointeract.errors import ConfigError, StoppedError, WorkspaceError
from autointeract.records import BehaviorPrompt, StageReport, digest
from autointeract.services import Services
from autointeract.simulator import PROMPT as USER_TURN
from autointeract.users import dspy_simulated, judge, reflection, scores, simulated_writer, splits  # noqa: F401
from autointeract.users.candidates import prompt_id
from autointeract.users.cases import QUOTAS, Cases, collect
from autointeract.users.choose import Choice, choose
from autointeract.users.gepa_run import Lineage, cost_ahead, optimise
from autointeract.users.instances import Instance
from autointeract.users.learned import learn_notes, rows_of
from autointeract.users.reliability import judge_reliability
from autointeract.users.rollout import Rollout, roll, rollout_digest
from autointeract.users.settings import LearnPromptSettings
from autointeract.workspace import PlannedItem, StageRun, Workspace

log = logging.getLogger(__name__)
SEED = prompts.load("behavior", ())


async def run(settings: LearnPromptSettings, workspace: Workspace, services: Services) -> StageReport:
    """Scores, optimises if asked, chooses.

    Raises:
        ConfigError: the optimiser needs an extra that is not installed; nothing is touched or spent then.
    """
    started = time.monotonic()
    _require(settings.optimizer)
    scope = _scope(settings, services)
    inputs = {name: getattr(workspace, name).manifest().content_digest for name in ("sessions", "labels")}
    split = {user: row.split for user, row in splits.user_splits(workspace).items()}
    lineage: Lineage | None = None
    choice: Choice | None = None
    checks: dict[str, Any] = {}
    with StageRun.open(workspace, "learn-prompt", scope, services.resume) as stage:
        cases = collect(workspace, split, settings, services.seed)
        rollouts, stop = await score_all(stage, services, settings, SEED.text, cases.instances)
        if stop is None and cases.instances:
            checks = await judge_reliability(stage, services, settings, cases.instances, rollouts)
        if stop is None and settings.optimizer != "none":
            try:
                lineage, choice = await learn(stage, services, settings, cases)
            except StoppedError as error:
                stop = Stop(reason=str(error))
        rows = rows_of(cases, rollouts, lineage, choice, settings)
        workspace.prompts.write(
            [rows], stage="learn-prompt", stage_digest=stage.stage_digest, inputs=inputs, complete=stop is None
        )
    faults = Counter(roll.fault.split(":")[0] for roll in rollouts.values() if roll.fault)
    counts = {
        "instances": len(cases.instances), "rollouts": len(rollouts), "prompts": len(rows),
        "dropped_twins": cases.dropped, **{f"instances_{name}": len(cases.of(name)) for name in QUOTAS},
    }  # fmt: skip
    if lineage is not None:
        faults.update(lineage.faults)
        counts |= {"optimizer_rollouts": lineage.rollouts, "proposals": lineage.proposals, "refused": lineage.refused}
    return StageReport(
        stage="learn-prompt", counts=counts, faults=dict(faults),
        notes=learn_notes(cases, checks, lineage, choice, settings, stop), usage=services.models.usage_report(),
        details=_details(cases, rollouts, checks, services.seed, lineage, choice),
        seconds=time.monotonic() - started, complete=stop is None,
    )  # fmt: skip


async def learn(
    stage: StageRun, services: Services, settings: LearnPromptSettings, cases: Cases
) -> tuple[Lineage | None, Choice | None]:
    """Optimises and chooses; (null, null) where there is nothing to learn from.

    Raises:
        StoppedError: budget, deadline or signal.
    """
    train, val = cases.of("train"), cases.of("val")
    if not train or not val:
        return None, None
    source = digest([item.model_dump(mode="json") for item in cases.instances])
    ahead = cost_ahead(settings, len(val), len(cases.of("test")))
    if stage.journal.has("finished", source):
        log.warning("learn-prompt: finished before, 0 calls ahead")
    else:
        log.warning("learn-prompt: at most %(rollouts_at_most)d rollouts, %(calls_at_most)d calls ahead", ahead)

    async def sample(text: str, instances: list[Instance], number: int) -> dict[str, Rollout]:
        found, stop = await score_all(stage, services, settings, text, instances, number)
        if stop is not None:
            raise StoppedError(stop.reason)
        return found

    async def score(text: str, instances: list[Instance]) -> dict[str, Rollout]:
        return await sample(text, instances, 0)

    if settings.optimizer == "gepa":
        lineage = await optimise(stage, services, settings, SEED.text, train, val, score)
    else:
        from autointeract.users.dspy_run import optimise_with_dspy

        lineage = await optimise_with_dspy(stage, services, settings, SEED.text, train, val, score)
    choice = await choose(lineage, cases, sample, settings.finalists, settings.finalist_samples, services.seed)
    if not stage.journal.has("finished", source):
        stage.journal.put("finished", source, {"selected": prompt_id(choice.selected)})
    return lineage, choice


def _require(optimizer: str) -> None:
    needed = ["dspy", *(["optuna"] if optimizer == "dspy.MIPROv2" else [])] if optimizer.startswith("dspy.") else []
    if any(find_spec(name) is None for name in needed):
        raise ConfigError(f"learn_prompt.optimizer = {optimizer!r} needs DSPy: pip install 'autointeract[dspy]'")


def _scope(settings: LearnPromptSettings, services: Services) -> dict[str, Any]:
    roles = ("simulator", "judge", "writer") if settings.optimizer != "none" else ("simulator", "judge")
    files = (SEED, USER_TURN, judge.PROMPT, *((reflection.PROMPT,) if settings.optimizer != "none" else ()))
    return {
        **settings.result_view(), "seed": services.seed,
        "models": {role: services.models.identity(role) for role in roles},
        "prompts": {item.name: item.digest for item in files},
    }  # fmt: skip


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
    # gepa fills the last minibatch of an epoch up with instances it may hold already: each is run and paid once.
    pairs = list(
        {item.key: (item, inst) for item, inst in zip(plan, instances, strict=True) if item.key in owed}.values()
    )

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


def _details(
    cases: Cases, rollouts: dict[str, Rollout], checks: dict[str, Any], seed: int, lineage: Lineage | None,
    choice: Choice | None,
) -> dict[str, Any]:  # fmt: skip
    by_split = {}
    for name in QUOTAS:
        values: dict[str, list[float]] = {}
        for item in cases.of(name):
            roll = rollouts.get(item.instance_id)
            if roll is not None and roll.score is not None:
                values.setdefault(item.user_id or item.session_id, []).append(roll.score)
        by_split[name] = scores.user_interval(values, seed)
    found: dict[str, Any] = {
        "seed_prompt": by_split, "aspects": scores.aspect_means(list(rollouts.values())), "judge": checks,
        "points": cases.points,
        "strategies": dict(sorted(Counter(r.strategy or "none" for r in rollouts.values()).items())),
    }  # fmt: skip
    if lineage is not None and choice is not None:
        found["lineage"] = [
            {**node.model_dump(exclude={"text"}), "front": lineage.front[place]}
            for place, node in enumerate(lineage.nodes)
        ]
        found["selected"] = prompt_id(choice.selected)
        found["gains"] = {prompt_id(text): gain for text, gain in choice.gains.items()}
        found["fresh_val"] = {prompt_id(text): value for text, value in choice.fresh.items()}
    return found
