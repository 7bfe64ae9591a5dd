"""Learns the behavior prompt with a DSPy optimizer instead of ours; gives the same `Lineage`.

The program proposes; our own rollouts score what it ends with, so both routes are compared on equal terms. DSPy keeps
no journal: a killed search starts again, with what the reply cache still holds.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from autointeract.errors import ConfigError
from autointeract.models import Call
from autointeract.services import Services
from autointeract.users.candidates import Guard, diff, prompt_id
from autointeract.users.gepa_run import Lineage, Node
from autointeract.users.instances import Instance
from autointeract.users.judge import judge
from autointeract.users.rollout import Rollout
from autointeract.users.scores import mean
from autointeract.users.settings import LearnPromptSettings
from autointeract.workspace import StageRun


async def optimise_with_dspy(
    stage: StageRun, services: Services, settings: LearnPromptSettings, seed_text: str, train: list[Instance],
    val: list[Instance], score: Callable[[str, list[Instance]], Awaitable[dict[str, Rollout]]],
) -> Lineage:  # fmt: skip
    """Runs the optimizer named in the settings.

    Raises:
        ConfigError: the extra `dspy` is not installed.
    """
    try:
        from autointeract.users import dspy_program
    except ImportError as error:
        raise ConfigError(
            f"learn_prompt.optimizer = {settings.optimizer!r} needs DSPy: pip install 'autointeract[dspy]'"
        ) from error
    loop = asyncio.get_running_loop()
    found = {item.instance_id: item for item in [*train, *val]}

    def metric(gold: Any, utterance: str) -> tuple[float, str]:
        item = found[gold.instance_id]
        if not utterance.strip():
            return 0.0, "No message was written."
        work = judge(
            services.models, profile=item.profile, prefix=item.prefix, real=item.real, simulated=utterance,
            weights=settings.weights, call=Call(item=item.instance_id, purpose="dspy_judge"),
        )  # fmt: skip
        verdict = asyncio.run_coroutine_threadsafe(work, loop).result()
        return verdict.score or 0.0, verdict.feedback or "Nothing to change."

    program = await asyncio.to_thread(
        dspy_program.optimize, settings.optimizer, seed_text, _rows(train), _rows(val), metric, services.models, loop,
        settings.metric_calls, services.seed,
    )  # fmt: skip
    folder = stage.workspace.folder("reports")
    program.save(str(folder / "behavior_program.json"))
    texts = [seed_text]
    text = program.behavior.strip() + "\n"
    refused = 0
    if text.strip() != seed_text.strip():
        objections = Guard(seed_text, [*train, *val], settings.max_prompt_words).objections(text)
        refused = int(bool(objections))
        texts += [] if objections else [text]
    nodes = []
    for place, candidate in enumerate(texts):
        rolls = await score(candidate, val)
        value = mean([roll.score or 0.0 for roll in rolls.values()]) or 0.0
        nodes.append(
            Node(
                prompt_id=prompt_id(candidate), text=candidate, parent=0 if place else None, val=value,
                changes=diff(seed_text, candidate) if place else [], found_after=settings.metric_calls,
            )
        )  # fmt: skip
    return Lineage(nodes=nodes, rollouts=settings.metric_calls, proposals=len(texts) - 1 + refused, refused=refused,
                   front=[0] * len(nodes))  # fmt: skip


def _rows(instances: list[Instance]) -> list[dict[str, Any]]:
    return [
        {
            "instance_id": item.instance_id, "profile": item.profile or "an ordinary developer",
            "conversation": "\n\n".join(f"{m.role}: {m.content}" for m in item.prefix),
        }
        for item in instances
    ]  # fmt: skip
