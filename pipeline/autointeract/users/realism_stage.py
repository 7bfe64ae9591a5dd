"""Stage `realism`: how like held-out real users are the simulated ones - next turns, whole sessions, other simulators.

In: datasets `sessions`, `labels`, `splits`, and `prompts` where a prompt was learned; JSONL files named in `compare`.
Out: no dataset; the report's `details` hold everything, and one journal line a simulated turn or session. Held-out
users are the test users (and people without identity); nothing about them was used to choose a prompt.
"""

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autointeract import prompts
from autointeract.errors import ConfigError
from autointeract.models.simulated import solvers  # noqa: F401 - registers responders
from autointeract.records import Session, StageReport, canonical_json, derive_seed, digest, is_simulated, rng
from autointeract.services import Services
from autointeract.simulator import PROMPT as USER_TURN
from autointeract.users import session_measures, splits
from autointeract.users.cases import Cases, collect, session_profiles
from autointeract.users.comparison import MIN_GROUPS, compare
from autointeract.users.corpus import Item, by_group, of_session
from autointeract.users.dialogues import read_dialogues
from autointeract.users.instances import Instance, group_of
from autointeract.users.learn_stage import selected_prompt
from autointeract.users.play import Arm, Spoken, converse, real_item, session_items, speak, spoken_item
from autointeract.users.realism_notes import notes_of
from autointeract.users.realism_table import summary
from autointeract.users.reliability import sentence
from autointeract.users.settings import LearnPromptSettings, RealismSettings
from autointeract.users.turn_measures import MEASURES, termination
from autointeract.workspace import PlannedItem, StageRun, Workspace

BY_LEVEL = ("length_w1", "surface", "reaction", "pushback_calibration")
"""Measures that are also shown for users of one level of an axis."""


async def run(settings: RealismSettings, workspace: Workspace, services: Services) -> StageReport:
    """Simulates, measures, compares.

    Raises:
        InputError: a file of dialogues cannot be read.
    """
    started = time.monotonic()
    outside = {path: read_dialogues(Path(path)) for path in settings.compare}
    arms, same = arms_of(settings, workspace)
    # What an arm says is in its items' digests: a newly learned prompt is played anew, the seed is not.
    scope = {
        **settings.result_view(), "seed": services.seed,
        "models": {role: services.models.identity(role) for role in ("simulator", "assistant")},
        "prompts": {USER_TURN.name: USER_TURN.digest},
    }  # fmt: skip
    split = {user: row.split for user, row in splits.user_splits(workspace).items()}
    with StageRun.open(workspace, "realism", scope, services.resume) as stage:
        cases = collect(workspace, split, LearnPromptSettings(), services.seed, only="test", count=settings.instances)
        chosen = _sessions(workspace, split, settings, services.seed)
        profiles = session_profiles(workspace, split, {row.session_id for row in chosen}, services.seed)
        turns, stop = await _turns(stage, services, arms, cases.instances)
        talks: dict[str, dict[str, Any]] = {}
        if stop is None:
            talks, stop = await _talks(stage, services, arms, chosen, profiles, settings)
    real = [real_item(instance) for instance in cases.instances]
    faults: Counter[str] = Counter()
    details: dict[str, Any] = {"next_turns": {}, "sessions": {}, "outside": {}, "arms": [arm.name for arm in arms]}
    if same:
        details["same_as_seed"] = same
    if stop is None:
        seed = derive_seed("realism", services.seed)
        for arm in arms:
            details["next_turns"][arm.name] = _next_turns(arm, cases, turns[arm.name], real, settings, seed, faults)
            if chosen:
                details["sessions"][arm.name] = _whole(arm, chosen, talks[arm.name], settings, seed, faults)
        everyone = [row for session in _held_out(workspace, split) for row in of_session(session)]
        for path, items in outside.items():
            details["outside"][path] = compare(everyone, items, settings, seed)
        details |= summary(details)
    return StageReport(
        stage="realism",
        counts={
            "instances": len(cases.instances), "sessions": len(chosen), "arms": len(arms), "outside": len(outside),
            "held_out_users": len({row.group for row in real}),
        },
        faults=dict(sorted(faults.items())),
        notes=[*notes_of(details, cases, chosen, settings, stop), *_beside(workspace, services, stop)],
        usage=services.models.usage_report(), details=details,
        seconds=time.monotonic() - started, complete=stop is None,
    )  # fmt: skip


def arms_of(settings: RealismSettings, workspace: Workspace) -> tuple[list[Arm], str]:
    """The simulators to compare, and why there is no "selected" one beside the seed ("" where there is).

    Raises:
        ConfigError: an arm of an unknown name.
    """
    seed = prompts.load("behavior", ()).text
    rows = list(workspace.prompts.rows()) if workspace.prompts.exists() else []
    learned = selected_prompt(workspace).text if rows else seed
    known = {
        "seed": Arm(name="seed", behavior=seed, with_profile=True),
        "selected": Arm(name="selected", behavior=learned, with_profile=True),
        "no_profile": Arm(name="no_profile", behavior=learned, with_profile=False),
    }
    for name in settings.arms:
        if name not in known:
            raise ConfigError(f"realism.arms: {name!r} is no simulator; known are {', '.join(known)}")
    names = list(dict.fromkeys(settings.arms))
    if learned != seed or "selected" not in names or "seed" not in names:
        return [known[name] for name in names], ""
    if len(rows) > 1:
        why = f"learn-prompt tried {len(rows) - 1} candidates on fresh samples and kept the seed"
    elif not rows or '"optimizer":"none"' in rows[0].optimizer_json:
        why = "no prompt was learned yet (learn-prompt -c learn_prompt.optimizer=gepa)"
    else:
        why = "learn-prompt accepted no candidate"
    return [known[name] for name in names if name != "selected"], why


def _beside(workspace: Workspace, services: Services, stop: Any) -> list[str]:
    """How far the judge that chose the prompt could be trusted, and whether any model was real."""
    learned = workspace.load_report("learn-prompt")
    said = sentence(learned.details.get("judge") or {}) if learned else None
    notes = [f"the prompt was scored by a judge, this table by none: {said}"] if said else []
    played = [r for r in ("simulator", "assistant") if is_simulated(canonical_json(services.models.identity(r)))]
    if played and stop is None:
        notes.append(
            f"SIMULATED {' and '.join(played)}: this shows that the instrument works; nothing is said about any model"
        )
    return notes


def _held_out(workspace: Workspace, split: dict[str, str]) -> list[Session]:
    return [row for row in workspace.sessions.rows() if group_of(split, row.user_id) == "test"]


def _sessions(workspace: Workspace, split: dict[str, str], settings: RealismSettings, seed: int) -> list[Session]:
    rows = [row for row in _held_out(workspace, split) if len(of_session(row)) > 1]
    picked = rng("realism_sessions", seed).sample(rows, min(settings.sessions, len(rows)))
    return sorted(picked, key=lambda row: row.session_id)


async def _turns(
    stage: StageRun, services: Services, arms: Sequence[Arm], instances: Sequence[Instance]
) -> tuple[dict[str, dict[str, Spoken]], Any]:
    jobs = {
        f"turn:{arm.name}:{item.instance_id}": (arm, item, digest([arm.model_dump(), item.model_dump(mode="json")]))
        for arm in arms
        for item in instances
    }
    stop = await _run(stage, services, jobs, lambda arm, item: speak(services.models, arm, item))
    found: dict[str, dict[str, Spoken]] = {arm.name: {} for arm in arms}
    if stop is None:
        for key, (arm, item, _) in jobs.items():
            found[arm.name][item.instance_id] = Spoken.model_validate(stage.journal.get(key))
    return found, stop


async def _talks(
    stage: StageRun, services: Services, arms: Sequence[Arm], sessions: Sequence[Session], profiles: dict[str, Any],
    settings: RealismSettings,
) -> tuple[dict[str, dict[str, Any]], Any]:  # fmt: skip
    openings = {row.session_id: of_session(row)[0].text for row in sessions}
    jobs = {
        f"session:{arm.name}:{row.session_id}": (
            arm, row,
            digest([arm.model_dump(), openings[row.session_id], profiles.get(row.session_id), settings.max_turns]),
        )
        for arm in arms
        for row in sessions
    }  # fmt: skip

    async def talk(arm: Arm, row: Session) -> dict[str, Any]:
        name = row.session_id
        return await converse(services.models, arm, name, openings[name], profiles.get(name), settings.max_turns)

    stop = await _run(stage, services, jobs, talk)
    found: dict[str, dict[str, Any]] = {arm.name: {} for arm in arms}
    if stop is None:
        for key, (arm, row, _) in jobs.items():
            found[arm.name][row.session_id] = stage.journal.get(key)
    return found, stop


async def _run(stage: StageRun, services: Services, jobs: dict[str, tuple[Any, Any, str]], work: Any) -> Any:
    plan = [PlannedItem(key=key, input_digest=job[2]) for key, job in jobs.items()]
    owed = stage.owed(plan)

    async def one(item: PlannedItem) -> Any:
        arm, what, _ = jobs[item.key]
        return await work(arm, what)

    def done(item: PlannedItem, value: Any) -> None:
        data = value if isinstance(value, dict) else value.model_dump(mode="json")
        stage.journal.put(item.key, item.input_digest, data)

    return await services.engine.map(owed, one, done, total=len(owed))


def _next_turns(
    arm: Arm, cases: Cases, spoken: dict[str, Spoken], real: list[Item], settings: RealismSettings, seed: int,
    faults: Counter[str],
) -> dict[str, Any]:  # fmt: skip
    pairs = [
        (item, row, spoken_item(item, spoken[item.instance_id]))
        for item, row in zip(cases.instances, real, strict=True)
    ]
    faults["simulator"] += sum(other is None for _, _, other in pairs)
    both = [(item, row, other) for item, row, other in pairs if other is not None]
    ours, theirs = [row for _, row, _ in both], [other for _, _, other in both]
    found = compare(ours, theirs, settings, seed)
    found["termination"] = termination(
        [spoken[item.instance_id].closes for item, _, _ in both], [i.last for i, _, _ in both]
    )
    found["by_level"] = _by_level([item for item, _, _ in both], ours, theirs)
    return found


def _by_level(instances: Sequence[Instance], ours: Sequence[Item], theirs: Sequence[Item]) -> dict[str, Any]:
    """A few measures among the instances whose profile says one level of one axis."""
    found: dict[str, Any] = {}
    places: dict[str, list[int]] = {}
    for place, item in enumerate(instances):
        for axis in ("pushback", "verbosity", "vagueness", "expertise", "requirement_change"):
            if item.settings and axis not in item.settings.get("unknown", []):
                third = min(int(item.settings[axis] * 3), 2)
                places.setdefault(f"{axis}:{('low', 'mid', 'high')[third]}", []).append(place)
    for name in sorted(places):
        mine, others = [ours[k] for k in places[name]], [theirs[k] for k in places[name]]
        if len(by_group(mine)) >= MIN_GROUPS:
            values = {key: round(MEASURES[key](mine, others), 6) for key in BY_LEVEL}
            found[name] = {"users": len(by_group(mine)), "turns": len(mine), **values}
    return found


def _whole(
    arm: Arm,
    sessions: Sequence[Session],
    talks: dict[str, Any],
    settings: RealismSettings,
    seed: int,
    faults: Counter[str],
) -> dict[str, Any]:
    ours: list[Item] = []
    theirs: list[Item] = []
    for row in sessions:
        group = row.user_id or row.session_id
        ours += [item for item in of_session(row) if 0 < item.number < settings.max_turns]
        theirs += session_items(group, row.session_id, talks[row.session_id])
        fault = talks[row.session_id]["fault"]
        if fault:
            faults[fault.split(":")[0]] += 1
    found = compare(ours, theirs, settings, seed)
    found["sessions"] = session_measures.compare_sessions(sessions, talks, settings.max_turns, seed, settings)
    return found
