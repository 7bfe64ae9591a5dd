"""The evaluator's parts that differ for repositories: solvers are agents in fresh containers, an answer is a patch."""

from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import State, Submission
from autointeract.synthesis import difficulty
from autointeract.synthesis.evaluator import Evaluation, Evaluator
from autointeract.synthesis.generator import Cast, Rollout
from autointeract.synthesis.scoring import Scorer
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.swe import agent
from autointeract.synthesis.swe.play import hidden_files, spec_of
from autointeract.synthesis.swe.workbench import Workbench
from autointeract.synthesis.usage import UsedTokens


class RepositoryEvaluator(Evaluator):
    """Judges conversations on repository tasks."""

    def __init__(self, models: Models, scorer: Scorer, settings: SynthesisSettings, bench: Workbench):
        super().__init__(models, scorer, settings)
        self.bench = bench

    async def _already_solved(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation
    ) -> None:
        if len(rollout.turns) < 2:
            return  # nobody has worked yet
        call = Call(item=cast.item.item_id, round=round, purpose="solved")
        verdict = await self.scorer.score(cast.task, Submission(patch=""), _state(cast, rollout), call, used)
        if verdict.score is None:
            return found.broken(verdict.fault or "verifier", verdict.status)
        found.checks["solved"] = {"passed": verdict.score < 1.0, "best": verdict.score}
        if verdict.score >= 1.0:
            found.reject("too_easy", "the assistant's edits already fix every test")

    def draw(
        self, solver: difficulty.Solver, cast: Cast, rollout: Rollout, call: Call, used: UsedTokens
    ) -> difficulty.Draw:
        """An agent's run from the stored state, in a fresh container; its changes are the answer."""
        task, state = cast.task, _state(cast, rollout)

        async def draw(number: int) -> difficulty.Answer:
            own = call.model_copy(update={"turn": number * agent.TURN_STRIDE})
            session = await self.bench.open(state.image, state.repo_state, hidden_files(task), spec_of(task).memory_mb)
            try:
                run = await agent.work(self.models, solver, rollout.messages, session, own, self.settings.swe, used)
                patch = await session.patch()
            finally:
                await session.close()
            submission = Submission(patch=patch)
            verdict = await self.scorer.score(task, submission, state, own, used)
            thinking = "\n\n".join(run.thinking) or None
            return difficulty.Answer(
                submission=submission, verdict=verdict, text=run.text, thinking=thinking, fault=run.fault
            )

        return draw


def _state(cast: Cast, rollout: Rollout) -> State:
    assert cast.task.image is not None
    return State(image=cast.task.image, repo_state=rollout.repo_state or "")
