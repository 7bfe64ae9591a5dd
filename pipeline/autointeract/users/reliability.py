"""How far the judge itself can be trusted: repeated verdicts, the real turn against itself, another user's real turn.

A good judge repeats itself, scores the real turn high and another user's turn low; the difference is its `gap`.
"""

from typing import Any

from autointeract.models import Call
from autointeract.records import digest, rng
from autointeract.services import Services
from autointeract.users.instances import Instance
from autointeract.users.judge import Judged, judge
from autointeract.users.rollout import Rollout
from autointeract.users.scores import mean
from autointeract.users.settings import LearnPromptSettings
from autointeract.workspace import PlannedItem, StageRun


async def judge_reliability(
    stage: StageRun, services: Services, settings: LearnPromptSettings, instances: list[Instance],
    rollouts: dict[str, Rollout],
) -> dict[str, Any]:  # fmt: skip
    """`{"real_itself", "other_user", "gap", "repeat_sd", "instances"}`; means in [0, 1], null where nothing was scored.

    Verdicts are journalled: a stage that is run again asks for none of them twice.

    Raises:
        ProviderError: from the door. A spent budget ends the checks early and is said in "stopped".
    """
    picked = rng("judge_checks", services.seed).sample(instances, min(settings.judge_checks, len(instances)))
    picked.sort(key=lambda item: item.instance_id)
    jobs: list[tuple[str, Instance, str, int]] = []
    for item in picked:
        jobs.append(("itself", item, item.real, 0))
        strangers = [o for o in instances if (o.user_id or o.session_id) != (item.user_id or item.session_id)]
        if strangers:
            other = rng("stranger", services.seed, item.instance_id).choice(strangers)
            jobs.append(("stranger", item, other.real, 0))
        said = rollouts.get(item.instance_id)
        if said is not None and said.said:
            jobs += [("repeat", item, said.said, k) for k in range(settings.judge_repeats)]
    found: dict[tuple[str, str], list[float]] = {}

    plan = [
        PlannedItem(
            key=f"judge_check:{kind}:{item.instance_id}:{k}",
            input_digest=digest([item.profile, [m.model_dump(mode="json") for m in item.prefix], item.real, text]),
        )
        for kind, item, text, k in jobs
    ]
    owed = {item.key for item in stage.owed(plan)}
    pairs = [(item, job) for item, job in zip(plan, jobs, strict=True) if item.key in owed]

    async def work(pair: tuple[PlannedItem, tuple[str, Instance, str, int]]) -> Judged:
        kind, item, text, k = pair[1]
        call = Call(item=item.instance_id, round=k, purpose=f"judge_check_{kind}")
        return await judge(
            services.models, profile=item.profile, prefix=item.prefix, real=item.real, simulated=text,
            weights=settings.weights, call=call,
        )  # fmt: skip

    def done(pair: tuple[PlannedItem, tuple[str, Instance, str, int]], value: Judged) -> None:
        stage.journal.put(pair[0].key, pair[0].input_digest, {"score": value.score})

    stop = await services.engine.map(pairs, work, done, total=len(pairs))
    for planned, (kind, item, _, _) in zip(plan, jobs, strict=True):
        if stage.journal.has(planned.key, planned.input_digest):
            score = stage.journal.get(planned.key)["score"]
            if score is not None:
                found.setdefault((kind, item.instance_id), []).append(score)

    def values(kind: str) -> list[float]:
        return [score for key in sorted(found) if key[0] == kind for score in found[key]]

    itself, stranger = mean(values("itself")), mean(values("stranger"))
    spreads = [_spread(found[key]) for key in sorted(found) if key[0] == "repeat" and len(found[key]) > 1]
    return {
        "real_itself": itself, "other_user": stranger, "instances": len(picked),
        "gap": round(itself - stranger, 6) if itself is not None and stranger is not None else None,
        "repeat_sd": mean(spreads), "stopped": stop.reason if stop else None,
    }  # fmt: skip


def sentence(checks: dict[str, Any]) -> str | None:
    """What was found, for the console and the report; null where nothing was checked."""
    if checks.get("real_itself") is None:
        return None
    other, repeat = checks["other_user"], checks["repeat_sd"]
    text = f"the judge gives the real turn itself {checks['real_itself']:.2f}"
    text += f", another user's real turn {other:.2f}" if other is not None else ", and there was no other user's turn"
    text += f"; its repeated verdicts spread by {repeat:.3f}" if repeat is not None else ""
    return f"{text} ({checks['instances']} instances)"


def _spread(values: list[float]) -> float:
    middle = sum(values) / len(values)
    return (sum((value - middle) ** 2 for value in values) / (len(values) - 1)) ** 0.5
