"""Difficulty: both solvers answer, the verifier scores, the band decides.

A solver stops sampling as soon as a rejection is certain whatever the rest would score; what is accepted always holds
all samples of both. Samples are drawn in batches as large as a rejection needs at least, so that early stopping costs
no more waiting than it must. A response that was refused, cut off or is empty is scored as it stands; it is no fault.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

from autointeract.models import Call, Reply
from autointeract.models.door import Models
from autointeract.records import Message, Record, Verdict
from autointeract.synthesis.settings import BandSettings
from autointeract.synthesis.usage import UsedTokens

Solver = Literal["weak", "strong"]
Judge = Callable[[str, int], Awaitable[Verdict]]
"""Scores one response (its text) of one sample (its number)."""


class SolverScores(Record):
    """What one solver did.

    Attributes:
        scores: one a sample, in [0, 1].
        responses: `{"role", "sample", "text", "thinking", "fault", "verdict"}` of each.
        fault: the boundary that made a score unknown; then nothing is known about the band.
    """

    scores: list[float] = []
    responses: list[dict[str, Any]] = []
    fault: str | None = None
    detail: str = ""

    @property
    def mean(self) -> float:
        """The mean score (0.0 of nothing)."""
        return sum(self.scores) / len(self.scores) if self.scores else 0.0


def fails(solver: Solver, scores: Sequence[float], band: BandSettings) -> bool:
    """Whether a rejection is certain, whatever the samples not yet drawn score."""
    left = band.samples - len(scores)
    if solver == "weak":
        return sum(scores) > band.weak_max * band.samples + 1e-9
    return sum(scores) + left < band.strong_min * band.samples - 1e-9


def next_batch(solver: Solver, scores: Sequence[float], band: BandSettings) -> int:
    """How many samples to draw now: the fewest after which a rejection could be certain (all that are left, without
    early stopping).
    """
    left = band.samples - len(scores)
    if not band.early_stop:
        return left
    extreme = 1.0 if solver == "weak" else 0.0
    for size in range(1, left):
        if fails(solver, [*scores, *[extreme] * size], band):
            return size
    return left


async def sample(
    models: Models, solver: Solver, prompt: Sequence[Message], judge: Judge, band: BandSettings, call: Call,
    used: UsedTokens, *, label: str | None = None, stop: bool = True,
) -> SolverScores:  # fmt: skip
    """The solver's samples on one prompt.

    Args:
        call: names the request; the sample's number is its turn.
        label: role in the responses (default: the solver).
        stop: false draws all samples whatever they score.

    Raises:
        ProviderError, BudgetError: from the door. SandboxUnavailableError: no verifier can run here.
    """
    scores: list[float] = []
    responses: list[dict[str, Any]] = []
    while len(scores) < band.samples and not (stop and band.early_stop and fails(solver, scores, band)):
        size = next_batch(solver, scores, band) if stop else band.samples - len(scores)
        numbers = range(len(scores), len(scores) + size)
        drawn = await asyncio.gather(*(_one(models, solver, prompt, judge, call, number) for number in numbers))
        for number, (reply, verdict) in zip(numbers, drawn, strict=True):
            used.count(solver, reply)
            responses.append(_response(label or solver, number, reply, verdict))
            if verdict.score is None:
                detail = str(verdict.details[0].get("message", "")) if verdict.details else verdict.status
                return SolverScores(
                    scores=scores, responses=responses, fault=verdict.fault or "verifier", detail=detail
                )
            scores.append(verdict.score)
    return SolverScores(scores=scores, responses=responses)


async def _one(
    models: Models, solver: Solver, prompt: Sequence[Message], judge: Judge, call: Call, number: int
) -> tuple[Reply, Verdict]:
    own = call.model_copy(update={"turn": number})
    reply = (await models.complete(solver, list(prompt), call=own))[0]
    return reply, await judge(reply.text, number)


def _response(role: str, number: int, reply: Reply, verdict: Verdict) -> dict[str, Any]:
    shown = verdict.model_dump(mode="json", exclude={"seconds", "details"})
    return {
        "role": role, "sample": number, "text": reply.text, "thinking": reply.thinking, "fault": reply.fault,
        "verdict": {**shown, "units": [str(unit.get("status", "")) for unit in verdict.details]},
    }  # fmt: skip
