"""Difficulty: both solvers answer, the verifier scores, the band decides.

A solver stops sampling as soon as a rejection is certain whatever the rest would score; what is accepted always holds
all samples of both. Samples are drawn in batches as large as a rejection needs at least, so that early stopping costs
no more waiting than it must. A response that was refused, cut off or is empty is scored as it stands; it is no fault.
"""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Literal

from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import Message, Record, Submission, Verdict
from autointeract.synthesis.settings import BandSettings
from autointeract.synthesis.together import together
from autointeract.synthesis.usage import UsedTokens

Solver = Literal["weak", "strong"]


class Answer(Record):
    """One sample of a solver, scored.

    Attributes:
        submission: what was judged.
        text: what the model said (a program, or an agent's last words).
        thinking, fault: of the reply.
    """

    submission: Submission
    verdict: Verdict
    text: str = ""
    thinking: str | None = None
    fault: str | None = None

    def response(self, role: str, number: int) -> dict[str, Any]:
        """The entry for `responses_json`: everything needed to score it again, nothing that depends on the clock."""
        shown = self.verdict.model_dump(mode="json", exclude={"seconds", "details"})
        units = [str(unit.get("status", "")) for unit in self.verdict.details]
        patch = {} if self.submission.patch is None else {"patch": self.submission.patch}
        return {
            "role": role, "sample": number, "text": self.text, **patch, "thinking": self.thinking, "fault": self.fault,
            "verdict": {**shown, "units": units},
        }  # fmt: skip


Judge = Callable[[Submission, Call], Coroutine[Any, Any, Verdict]]
"""Scores a submission; the call names it."""
Draw = Callable[[int], Coroutine[Any, Any, Answer]]
"""Draws and scores the sample of a number."""


class SolverScores(Record):
    """What one solver did.

    Attributes:
        scores: one a sample, in [0, 1].
        responses: `Answer.response` of each.
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
    solver: Solver, draw: Draw, band: BandSettings, *, label: str | None = None, stop: bool = True
) -> SolverScores:
    """The solver's samples on one conversation.

    Args:
        label: role in the responses (default: the solver).
        stop: false draws all samples whatever they score.

    Raises:
        Whatever `draw` raises: ProviderError, BudgetError, SandboxUnavailableError.
    """
    scores: list[float] = []
    responses: list[dict[str, Any]] = []
    while len(scores) < band.samples and not (stop and band.early_stop and fails(solver, scores, band)):
        size = next_batch(solver, scores, band) if stop else band.samples - len(scores)
        numbers = range(len(scores), len(scores) + size)
        answers = await together(*(draw(number) for number in numbers))
        for number, answer in zip(numbers, answers, strict=True):
            verdict = answer.verdict
            responses.append(answer.response(label or solver, number))
            if verdict.score is None:
                detail = str(verdict.details[0].get("message", "")) if verdict.details else verdict.status
                return SolverScores(
                    scores=scores, responses=responses, fault=verdict.fault or "verifier", detail=detail
                )
            scores.append(verdict.score)
    return SolverScores(scores=scores, responses=responses)


def programs(
    models: Models, solver: Solver, prompt: Sequence[Message], judge: Judge,
    call: Call, used: UsedTokens,
) -> Draw:  # fmt: skip
    """Draws answers that are one reply to the conversation; the sample's number is the call's turn."""

    async def draw(number: int) -> Answer:
        own = call.model_copy(update={"turn": number})
        reply = used.count(solver, (await models.complete(solver, list(prompt), call=own))[0])
        submission = Submission(text=reply.text)
        verdict = await judge(submission, own)
        return Answer(
            submission=submission, verdict=verdict, text=reply.text, thinking=reply.thinking, fault=reply.fault
        )

    return draw
