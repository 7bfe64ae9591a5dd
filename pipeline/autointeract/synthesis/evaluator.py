"""Evaluator: cheapest checks first, then judges, then the weak solver, then the strong one; a typed diagnosis results.

The first check that fails decides the outcome and ends the evaluation, unless the item gets the full diagnosis: then
every check is made, and the outcome is still that of the first one that failed. A check that could not be made is a
fault of whoever should have made it; it never rejects and never accepts.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from autointeract.models import Call, Reply
from autointeract.models.door import Models
from autointeract.records import Submission, Verdict
from autointeract.records.vocabulary import Boundary, Outcome
from autointeract.synthesis import difficulty, judges
from autointeract.synthesis.generator import Cast, Rollout, purpose
from autointeract.synthesis.guidance import Guidance
from autointeract.synthesis.leaks import Secrets
from autointeract.synthesis.scoring import Scorer
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.shape import form_problem, interface_problem
from autointeract.synthesis.usage import UsedTokens


@dataclass
class Evaluation:
    """What was found.

    Attributes:
        outcome: "accepted", or the kind of the first check that failed, or "fault".
        checks: `{name: {"passed": bool, ...}}` in the order in which they were made.
        missing: facts that could not be recovered.
        fault: who could not do its part; or who caused a low score.
    """

    outcome: Outcome = "accepted"
    reason: str = ""
    checks: dict[str, Any] = field(default_factory=dict)
    responses: list[dict[str, Any]] = field(default_factory=list)
    weak: list[float] = field(default_factory=list)
    strong: list[float] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    fault: Boundary | None = None

    def reject(self, kind: Outcome, reason: str) -> None:
        """Notes a failed check; the first one decides."""
        if self.outcome == "accepted":
            self.outcome, self.reason = kind, reason

    def broken(self, boundary: str, reason: str) -> None:
        """Notes that a check could not be made."""
        self.outcome, self.fault, self.reason = "fault", boundary, reason  # type: ignore[assignment]


class Evaluator:
    """Judges one conversation on a task."""

    def __init__(self, models: Models, scorer: Scorer, settings: SynthesisSettings):
        self.models, self.scorer, self.settings = models, scorer, settings

    async def evaluate(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, guidance: Guidance | None, used: UsedTokens
    ) -> Evaluation:
        """Every check that is needed.

        Raises:
            ProviderError, BudgetError: from the door. SandboxUnavailableError: no verifier can run here.
        """
        found = Evaluation()
        if rollout.solved:
            found.checks["solved"] = {"passed": False, "reason": rollout.detail}
            found.reject("too_easy", rollout.detail)
            return found
        steps: list[Callable[[], Awaitable[None]]] = [
            lambda: self._cheap(cast, rollout, guidance, found),
            lambda: self._already_solved(cast, rollout, round, retry, used, found),
            lambda: self._validity(cast, rollout, round, retry, used, found),
            lambda: self._judges(cast, rollout, round, retry, used, found),
            lambda: self._solvers(cast, rollout, round, retry, used, found),
        ]
        for step in steps:
            await step()
            if found.outcome == "fault" or (found.outcome != "accepted" and not cast.item.full):
                break
        return found

    async def _cheap(self, cast: Cast, rollout: Rollout, guidance: Guidance | None, found: Evaluation) -> None:
        form = form_problem(rollout.messages)
        found.checks["form"] = {"passed": form is None, "reason": form or ""}
        if form:
            found.reject("invalid", form)
        interface = interface_problem(cast.task, rollout.messages)
        found.checks["interface"] = {"passed": interface is None, "reason": interface or ""}
        if interface:
            found.reject("invalid", interface)
        secrets = Secrets(
            cast.task, guidance.text if guidance else "", rollout.revealed, self.settings.checks.leak_ngram
        )
        leaks = secrets.find(rollout.messages)
        found.checks["leak"] = {"passed": not leaks, "found": [leak.model_dump() for leak in leaks]}
        if leaks:
            kinds = ", ".join(sorted({leak.kind for leak in leaks}))
            found.reject("leak", f"private text visible in user turns: {kinds}")

    async def _already_solved(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation
    ) -> None:
        """An answer that is already in the conversation could just be copied."""
        answers = [m.content for m in rollout.messages if m.role == "assistant" and "```" in m.content]
        best = 0.0
        for number, answer in enumerate(answers):
            call = _call(cast, round, retry, "solved").model_copy(update={"turn": number})
            verdict = await self.scorer.score(cast.task, Submission(text=answer), None, call, used)
            if verdict.score is None:
                found.broken(verdict.fault or "verifier", verdict.status)
                return
            best = max(best, verdict.score)
        found.checks["solved"] = {"passed": best < 1.0, "best": best}
        if best >= 1.0:
            found.reject("too_easy", "an earlier answer of the assistant already passes every case")

    async def _validity(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation
    ) -> None:
        call = _call(cast, round, retry, "validity")
        reply = await judges.validity(self.models, cast.task, rollout.revealed, rollout.messages, call)
        used.count("judge", reply)
        if (verdict := reply.value) is None:
            return found.broken("evaluator", f"validity: {reply.fault}")
        passed = verdict.determined and not verdict.missing and not verdict.contradicted
        found.missing = [*verdict.missing, *verdict.contradicted]
        found.checks["validity"] = {"passed": passed and not verdict.leaks, **verdict.model_dump(mode="json")}
        if verdict.leaks:
            found.reject("leak", verdict.reason or "a judge found private text")
        elif not passed:
            found.reject("invalid", verdict.reason or "the user's turns do not determine the task")

    async def _judges(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation
    ) -> None:
        limits = self.settings.checks
        scenario, messages = cast.item.scenario, rollout.messages

        async def ask(name: str) -> Reply[Any]:
            call = _call(cast, round, retry, name)
            if name == "realism":
                return await judges.realism(self.models, scenario, messages, call)
            if name == "coherence":
                return await judges.coherence(self.models, scenario, messages, call)
            assert cast.profile is not None
            return await judges.consistency(self.models, cast.profile, cast.habits, messages, call)

        wanted: list[tuple[str, Outcome, float]] = [
            ("realism", "unrealistic", limits.min_realism), ("coherence", "incoherent", limits.min_coherence),
        ]  # fmt: skip
        if cast.profile is not None:
            wanted.append(("consistency", "inconsistent", limits.min_consistency))
        for name, kind, least in wanted:
            reply = await ask(name)
            used.count("judge", reply)
            if reply.value is None:
                return found.broken("evaluator", f"{name}: {reply.fault}")
            passed = reply.value.score >= least
            found.checks[name] = {"passed": passed, "score": reply.value.score, "reason": reply.value.reason}
            if not passed:
                found.reject(kind, reply.value.reason or f"{name} {reply.value.score:.2f} is below {least:.2f}")
                if not cast.item.full:
                    return None
        return None

    async def _solvers(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation
    ) -> None:
        band = self.settings.band
        weak = await self._sample("weak", cast, rollout, round, retry, used, found, "weak")
        found.weak = weak.scores
        if found.outcome == "fault":
            return
        easy = difficulty.fails("weak", weak.scores, band)
        found.checks["weak"] = {"passed": not easy, "mean": weak.mean, "samples": len(weak.scores)}
        if easy:
            found.reject("too_easy", f"the weak solver scores {weak.mean:.2f} on {len(weak.scores)} samples")
            if not cast.item.full:
                return
        strong = await self._sample("strong", cast, rollout, round, retry, used, found, "strong")
        found.strong = strong.scores
        if found.outcome == "fault":
            return
        hard = difficulty.fails("strong", strong.scores, band)
        found.checks["strong"] = {"passed": not hard, "mean": strong.mean, "samples": len(strong.scores)}
        if hard:
            found.reject("too_hard", f"the strong solver scores {strong.mean:.2f} on {len(strong.scores)} samples")
            await self._cause(cast, rollout, round, retry, used, found, strong.responses)

    def draw(
        self, solver: difficulty.Solver, cast: Cast, rollout: Rollout, call: Call, used: UsedTokens
    ) -> difficulty.Draw:
        """How a solver answers this conversation."""

        async def judge(submission: Submission, own: Call) -> Verdict:
            return await self.scorer.score(cast.task, submission, None, own, used)

        return difficulty.programs(self.models, solver, rollout.messages, judge, call, used)

    async def _cause(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation,
        responses: list[dict[str, Any]],
    ) -> None:  # fmt: skip
        """Names the simulator where its turns, and not the solver, made the strong solver fail."""
        call = _call(cast, round, retry, "cause")
        reply = await judges.cause(self.models, cast.task, rollout.messages, responses, call)
        used.count("judge", reply)
        if reply.value is None:
            return  # the outcome stands without a cause
        found.checks["strong"] |= {"cause": reply.value.cause, "why": reply.value.reason}
        if reply.value.cause == "simulator":
            found.fault = "simulator"
            found.missing = found.missing or reply.value.facts

    async def confirm(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation
    ) -> None:
        """Fresh samples of both solvers on an accepted conversation; with `confirm` they must lie in the band too."""
        band = self.settings.band
        weak = await self._sample("weak", cast, rollout, round, retry, used, found, "confirm_weak")
        strong = await self._sample("strong", cast, rollout, round, retry, used, found, "confirm_strong")
        if found.outcome == "fault":
            return
        held = not difficulty.fails("weak", weak.scores, band) and not difficulty.fails("strong", strong.scores, band)
        found.checks["confirmation"] = {"passed": held, "weak_scores": weak.scores, "strong_scores": strong.scores}
        if self.settings.confirm and not held:
            easy = difficulty.fails("weak", weak.scores, band)
            found.reject("too_easy" if easy else "too_hard", "fresh samples of the solvers leave the band")

    async def _sample(
        self, solver: difficulty.Solver, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens,
        found: Evaluation, label: str,
    ) -> difficulty.SolverScores:  # fmt: skip
        call = _call(cast, round, retry, label)
        full = cast.item.full or label != solver
        draw = self.draw(solver, cast, rollout, call, used)
        scores = await difficulty.sample(solver, draw, self.settings.band, label=label, stop=not full)
        found.responses += scores.responses
        if scores.fault:
            found.broken(scores.fault, f"{label}: {scores.detail}")
        return scores


def _call(cast: Cast, round: int, retry: int, name: str) -> Call:
    return Call(item=cast.item.item_id, round=round, purpose=purpose(name, retry))
