"""One rollout of a behavior prompt on one instance: the simulated user speaks, the judge compares."""

from typing import Any

from autointeract.models import Call, Usage
from autointeract.models.door import Models
from autointeract.records import Record, digest
from autointeract.simulator import next_turn
from autointeract.users.instances import Instance
from autointeract.users.judge import Judged, judge

JUDGE_RETRIES = 1
"""A judge that gives no usable verdict is asked once more, with another seed; then the rollout has no score."""


class Rollout(Record):
    """What came of one instance.

    Attributes:
        score: overall in [0, 1]; 0 when the simulator gave no usable turn; null when the judge gave no usable verdict.
        said: the simulated turn ("" if none).
        strategy: its private strategy, or null.
    """

    instance_id: str
    score: float | None
    aspects: dict[str, float] = {}
    feedback: str = ""
    said: str = ""
    strategy: str | None = None
    fault: str | None = None
    usage: Usage = Usage()


async def roll(
    models: Models,
    behavior: str,
    instance: Instance,
    weights: dict[str, float],
    *,
    sample: int = 0,
    with_profile: bool = True,
) -> Rollout:
    """Speaks and judges once.

    The seed of both calls depends on the instance and the sample alone, so that two prompts meet equal luck and their
    difference is a paired one.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    profile = instance.profile if with_profile else None
    settings = instance.settings if with_profile else None
    call = Call(item=instance.instance_id, round=sample, purpose="next_turn")
    reply = await next_turn(
        models,
        behavior=behavior,
        profile=profile,
        settings=settings,
        history=instance.prefix,
        task=None,
        guidance=None,
        plan=None,
        call=call,
    )
    if reply.value is None:
        text = f"No usable message: {reply.fault}. The reply must be the JSON object that the instructions ask for."
        return Rollout(
            instance_id=instance.instance_id,
            score=0.0,
            feedback=text,
            fault=f"simulator:{reply.fault}",
            usage=reply.usage,
        )
    said = reply.value.utterance
    usage = reply.usage
    verdict = Judged(score=None)
    for attempt in range(1 + JUDGE_RETRIES):
        verdict = await judge(
            models, profile=instance.profile, prefix=instance.prefix, real=instance.real, simulated=said,
            weights=weights, call=Call(item=instance.instance_id, round=sample, turn=attempt, purpose="judge_turn"),
        )  # fmt: skip
        usage += verdict.usage
        if verdict.score is not None:
            break
    return Rollout(
        instance_id=instance.instance_id, score=verdict.score, aspects=verdict.aspects, feedback=verdict.feedback,
        said=said, strategy=reply.value.strategy, usage=usage,
        fault=f"judge:{verdict.fault}" if verdict.fault else None,
    )  # fmt: skip


def rollout_digest(behavior: str, instance: Instance, sample: int, with_profile: bool = True) -> str:
    """Digest of all that a rollout is made from, apart from models and settings."""
    data: dict[str, Any] = instance.model_dump(mode="json")
    return digest([behavior, data, sample, with_profile])
