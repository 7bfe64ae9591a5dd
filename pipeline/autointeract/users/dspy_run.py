"""Learns the behavior prompt with a DSPy optimizer instead of ours; gives the same `Lineage`.

The program proposes; our own rollouts score what it ends with, so both routes are compared on equal terms. Every
completion and every verdict is journalled under its content: a killed search runs again over the journal and pays only
for what is missing, and a finished one costs nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any

from autointeract.errors import ConfigError
from autointeract.models import Call
from autointeract.records import Message, digest
from autointeract.records.vocabulary import ModelRole
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
    once = _Once(stage)
    asked: set[str] = set()  # DSPy's GEPA scores a rollout once more when it reflects on it: that is no rollout
    guard = cache(Guard(seed_text, [*train, *val], settings.max_prompt_words).objections)

    async def ask(role: ModelRole, name: str, rows: list[Message], number: int) -> list[str]:
        async def work() -> list[str]:
            replies = await services.models.complete(role, rows, n=number, call=Call(item=name, purpose="dspy"))
            return [reply.text for reply in replies]

        return await once(f"dspy:{role}:{name}", work)

    def metric(gold: Any, utterance: str) -> tuple[float, str]:
        item = found[gold.instance_id]
        if not utterance.strip():
            return 0.0, "No message was written."

        async def work() -> list[Any]:
            verdict = await judge(
                services.models, profile=item.profile, prefix=item.prefix, real=item.real, simulated=utterance,
                weights=settings.weights, call=Call(item=item.instance_id, purpose="dspy_judge"),
            )  # fmt: skip
            return [verdict.score, verdict.feedback]

        name = digest([item.model_dump(mode="json"), utterance], 24)
        asked.add(name)
        score, feedback = asyncio.run_coroutine_threadsafe(once(f"dspy_judge:{name}", work), loop).result()
        return score or 0.0, feedback or "Nothing to change."

    try:
        program = await asyncio.to_thread(
            dspy_program.optimize, settings.optimizer, seed_text, _rows(train), _rows(val), metric, ask, loop,
            settings.metric_calls, services.seed, guard,
        )  # fmt: skip
    except Exception as error:
        if once.error is not None:
            raise once.error from error
        raise
    if once.error is not None:  # DSPy counts failures as zeros and goes on: what it ends with is worth nothing then
        raise once.error
    folder = stage.workspace.folder("reports")
    program.save(str(folder / "behavior_program.json"))
    texts = [seed_text]
    text = program.behavior.strip() + "\n"
    refused = 0
    if text.strip() != seed_text.strip():
        objections = guard(text)
        refused = int(bool(objections))
        texts += [] if objections else [text]
    nodes = []
    for place, candidate in enumerate(texts):
        rolls = await score(candidate, val)
        value = mean([roll.score or 0.0 for roll in rolls.values()]) or 0.0
        nodes.append(
            Node(
                prompt_id=prompt_id(candidate), text=candidate, parent=0 if place else None, val=value,
                changes=diff(seed_text, candidate) if place else [], found_after=len(asked) * place,
            )
        )  # fmt: skip
    return Lineage(nodes=nodes, rollouts=len(asked), proposals=len(texts) - 1 + refused, refused=refused,
                   front=[0] * len(nodes))  # fmt: skip


class _Once:
    """Does each named piece of work once, over all threads and all runs of the stage; keeps the error that ends all."""

    def __init__(self, stage: StageRun):
        self._journal, self._running = stage.journal, {}
        self.error: BaseException | None = None

    async def __call__(self, key: str, work: Callable[[], Awaitable[Any]]) -> Any:
        if self.error is not None:
            raise self.error
        if self._journal.has(key, key):
            return self._journal.get(key)["value"]
        if key not in self._running:
            self._running[key] = asyncio.ensure_future(self._do(key, work))
        return await self._running[key]

    async def _do(self, key: str, work: Callable[[], Awaitable[Any]]) -> Any:
        try:
            value = await work()
        except BaseException as error:
            self.error = self.error or error
            raise
        self._journal.put(key, key, {"value": value})
        return value


def _rows(instances: list[Instance]) -> list[dict[str, Any]]:
    return [
        {
            "instance_id": item.instance_id, "profile": item.profile or "an ordinary developer",
            "conversation": "\n\n".join(f"{m.role}: {m.content}" for m in item.prefix),
        }
        for item in instances
    ]  # fmt: skip
