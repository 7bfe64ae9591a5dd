"""GEPA over behavior prompts (L. Agrawal et al. 2025, arXiv:2507.19457), through `gepa.optimize` and our own door.

`gepa` runs in a thread; its adapter hands every evaluation back to the one event loop, where rollouts run concurrently
and are journalled. Reflections are journalled too. A killed run is therefore resumed by running it again: what is in
the journal costs nothing, and the same draws give the same lineage, byte for byte. (gepa's own state file is not used:
it does not hold the state of its random generator, re-evaluates the seed on every resume, and is a pickle.)

A reflection that fails is retried with the objections, and a text that was proposed before is objected to; what stays
unusable is journalled with its boundary. Three failures in a row end the run with the last error, because gepa itself
would go on spending its budget on a parent that never changes; run again, it asks anew from there.
"""

import asyncio
import random
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from autointeract.errors import AutoInteractError, ProviderError, StoppedError
from autointeract.models import Call
from autointeract.records import Record, derive_seed, digest
from autointeract.services import Services
from autointeract.users.candidates import Guard, diff, prompt_id
from autointeract.users.instances import Instance
from autointeract.users.reflection import example, reflect
from autointeract.users.rollout import Rollout
from autointeract.users.settings import LearnPromptSettings
from autointeract.workspace import StageRun

COMPONENT = "behavior"
FAILURES = 3
"""Reflections that may fail in a row."""
TRIES = 3
"""Requests for one reflection."""
Score = Callable[[str, list[Instance]], Awaitable[dict[str, Rollout]]]


class Node(Record):
    """One accepted candidate of a lineage.

    Attributes:
        parent: place of its parent in the lineage; null for the seed.
        val: mean validation score.
        changes: its changed lines against the parent.
        found_after: rollouts spent when it was accepted.
    """

    prompt_id: str
    text: str
    parent: int | None
    val: float
    changes: list[str]
    found_after: int


class Lineage(Record):
    """What a run found.

    Attributes:
        nodes: accepted candidates in order, the seed first.
        rollouts: evaluations that gepa counted.
        proposals, refused: reflections asked for, and those that the guard turned down for good.
        front: instances on which each candidate is among the best.
        faults: reflections that gave no usable text, by boundary.
    """

    nodes: list[Node]
    rollouts: int
    proposals: int
    refused: int
    front: list[int]
    faults: dict[str, int] = {}


class _Margin:
    """Accepts a proposal whose minibatch mean rises by at least the margin."""

    def __init__(self, margin: float):
        self.margin = margin

    def should_accept(self, proposal: Any, state: Any) -> bool:
        before, after = proposal.subsample_scores_before or [], proposal.subsample_scores_after or []
        gain = (sum(after) - sum(before)) / max(len(after), 1)
        return gain > 0 and gain >= self.margin


class _Adapter:
    """What gepa asks of its user: scores with feedback, and records to reflect on."""

    propose_new_texts = None  # gepa swallows the AttributeError of an adapter without it

    def __init__(self, loop: asyncio.AbstractEventLoop, score: Score):
        self._loop, self._score = loop, score
        self.error: BaseException | None = None

    def batch_evaluate(self, items: list[tuple[dict[str, str], list[Instance]]]) -> list[Any]:
        from gepa.core.adapter import EvaluationBatch

        async def all_of() -> list[dict[str, Rollout]]:
            return [await self._score(candidate[COMPONENT], batch) for candidate, batch in items]

        try:
            found = asyncio.run_coroutine_threadsafe(all_of(), self._loop).result()
        except BaseException as error:
            self.error = error
            raise
        batches = []
        for (_, batch), rolls in zip(items, found, strict=True):
            rows = [rolls[item.instance_id] for item in batch]
            batches.append(
                EvaluationBatch(
                    outputs=[row.said for row in rows], scores=[row.score or 0.0 for row in rows],
                    trajectories=[example(item, row) for item, row in zip(batch, rows, strict=True)],
                )
            )  # fmt: skip
        return batches

    def evaluate(self, batch: list[Instance], candidate: dict[str, str], capture_traces: bool = False) -> Any:
        return self.batch_evaluate([(candidate, batch)])[0]

    def make_reflective_dataset(self, candidate: Any, eval_batch: Any, components: Sequence[str]) -> dict[str, Any]:
        return {name: list(eval_batch.trajectories) for name in components}


class _Proposer:
    """Rewrites through the writer role, with guard, journal and a latch on failures."""

    def __init__(self, loop: asyncio.AbstractEventLoop, stage: StageRun, services: Services, guard: Guard, words: int):
        self._loop, self._stage, self._services, self._guard, self._words = loop, stage, services, guard, words
        self.asked = self.refused = self.failures = 0
        self.faults: Counter[str] = Counter()
        self._seen: set[str] = set()
        self.error: BaseException | None = None

    def __call__(self, candidate: dict[str, str], reflective_dataset: Any, components_to_update: Any) -> dict[str, str]:
        number, self.asked = self.asked, self.asked + 1
        try:
            work = self._propose(number, candidate[COMPONENT], list(reflective_dataset[COMPONENT]))
            text = asyncio.run_coroutine_threadsafe(work, self._loop).result()
            self.failures = 0
            return {COMPONENT: text}
        except BaseException as error:
            self.error, self.failures = error, self.failures + 1
            raise

    def stop(self, gepa_state: Any) -> bool:
        """Whether gepa should stop: failures in a row, or an error that no retry cures."""
        return self.failures >= FAILURES or isinstance(self.error, StoppedError)

    async def _propose(self, number: int, current: str, examples: list[dict[str, Any]]) -> str:
        key, source = f"reflect:{number:05d}", digest([current, examples])
        old = self._stage.journal.get(key) if self._stage.journal.has(key, source) else None
        if old is None or old.get("last"):  # what ended the run is asked for anew
            found = await self._ask(number, current, examples, (old or {}).get("asked", 0))
            found["last"] = found["text"] is None and self.failures + 1 >= FAILURES
            self._stage.journal.put(key, source, found)
        else:
            found = old
        self.refused += found["refused"]
        if found["text"] is None:
            self.faults[found["fault"].split(":")[0]] += 1
            raise ProviderError(f"the writer gave no usable rewrite of the behavior prompt: {found['fault']}")
        self._seen.add(found["text"])
        return found["text"]

    async def _ask(self, number: int, current: str, examples: list[dict[str, Any]], asked: int) -> dict[str, Any]:
        """One rewrite in at most three requests, numbered from `asked` on: `{"text", "refused", "asked", "fault"}`.

        `text` is null where the last reply was unusable (`fault` says at which boundary), and the parent's where the
        guard refused every rewrite or each was proposed before: an unchanged text is scored from the journal.
        """
        objections: list[str] = []
        fault: str | None = None
        for attempt in range(asked, asked + TRIES):
            call = Call(item=f"reflect:{number}", round=attempt, purpose="reflect_prompt")
            reply = await reflect(self._services.models, current, examples, objections, self._words, call)
            fault = f"writer:{reply.fault}" if reply.value is None else None
            if reply.value is None:
                continue
            text = reply.value.text.strip() + "\n"
            objections = self._guard.objections(text)
            if text in self._seen and text != current:
                objections.append("was proposed before; change something else")
            if not objections:
                return {"text": text, "refused": 0, "asked": attempt + 1, "fault": None}
        return {"text": None if fault else current, "refused": int(not fault), "asked": asked + TRIES, "fault": fault}


async def optimise(
    stage: StageRun, services: Services, settings: LearnPromptSettings, seed_text: str, train: list[Instance],
    val: list[Instance], score: Score,
) -> Lineage:  # fmt: skip
    """Runs GEPA to its budget.

    Args:
        score: rollouts of one text on some instances, journalled, by instance id.

    Raises:
        StoppedError: budget, deadline or signal; run again to go on.
        ProviderError: the reflection model failed again and again.
    """
    from gepa.api import optimize
    from gepa.strategies.batch_sampler import EpochShuffledBatchSampler
    from gepa.strategies.candidate_selector import ParetoCandidateSelector
    from gepa.utils import NoImprovementStopper, ScoreThresholdStopper

    loop = asyncio.get_running_loop()
    adapter: Any = _Adapter(loop, score)
    proposer = _Proposer(
        loop, stage, services, Guard(seed_text, [*train, *val], settings.max_prompt_words), settings.max_prompt_words
    )
    random_state = random.Random(derive_seed("gepa", services.seed))
    sampler: Any = EpochShuffledBatchSampler(minibatch_size=min(settings.minibatch, len(train)), rng=random_state)

    def blocking() -> Any:
        return optimize(
            seed_candidate={COMPONENT: seed_text}, trainset=list(train), valset=list(val), adapter=adapter,
            custom_candidate_proposer=proposer, candidate_selection_strategy=ParetoCandidateSelector(rng=random_state),
            batch_sampler=sampler, max_metric_calls=settings.metric_calls, seed=services.seed, track_best_outputs=False,
            raise_on_exception=True, acceptance_criterion=_Margin(settings.accept_margin), logger=_Silent(),
            stop_callbacks=[proposer.stop, NoImprovementStopper(settings.patience), ScoreThresholdStopper(1.0)],
        )  # fmt: skip

    try:
        result = await asyncio.to_thread(blocking)
    except Exception as error:
        if isinstance(adapter.error, AutoInteractError):
            raise adapter.error from error
        raise
    if isinstance(proposer.error, StoppedError) or proposer.failures >= FAILURES:
        assert proposer.error is not None
        raise proposer.error
    return _lineage(result, proposer)


def cost_ahead(settings: LearnPromptSettings, val: int, test: int) -> dict[str, int]:
    """What a run may take, said before it starts, in rollouts: a simulated turn and a verdict each.

    The finalists and the seed are scored again after the search (see `choose`). Retries of unusable replies and the
    scoring of the seed prompt, which comes before, are not in it.
    """
    over = settings.metric_calls + 2 * settings.minibatch + val  # budgets are checked between iterations only
    over += (settings.finalists + 1) * (val * settings.finalist_samples + test * (settings.finalist_samples + 1))
    rewrites = max((settings.metric_calls - val) // (2 * settings.minibatch), 0)
    return {"rollouts_at_most": over, "calls_at_most": 2 * over + rewrites, "iterations_at_most": rewrites}


def _lineage(result: Any, proposer: _Proposer) -> Lineage:
    texts = [candidate[COMPONENT] for candidate in result.candidates]
    parents = [next((p for p in row if p is not None), None) for row in result.parents]
    nodes = [
        Node(
            prompt_id=prompt_id(text), text=text, parent=parent, val=round(float(score), 6),
            changes=diff(texts[parent], text) if parent is not None else [], found_after=int(found),
        )
        for text, parent, score, found in zip(
            texts, parents, result.val_aggregate_scores, result.discovery_eval_counts, strict=True
        )
    ]  # fmt: skip
    front = [0] * len(nodes)
    for best in result.per_val_instance_best_candidates.values():
        for place in best:
            front[place] += 1
    return Lineage(
        nodes=nodes, rollouts=int(result.total_metric_calls or 0), proposals=proposer.asked, refused=proposer.refused,
        front=front, faults=dict(sorted(proposer.faults.items())),
    )  # fmt: skip


class _Silent:
    """gepa's log holds prompts and feedback made from private logs: it goes nowhere."""

    def log(self, message: str) -> None:
        pass
