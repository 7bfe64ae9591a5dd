"""Loop: generate, evaluate, revise - one item from its first round to its end, in one or both arms.

The guided arm revises with the controller's guidance; the null arm re-rolls without any, on the same seeds. Both share
round 0. Every attempt is handed to `keep` as soon as it is finished and asked from `seen` before it is made, so that a
killed run goes on where it was. Task, profile, behavior prompt and scenario stay fixed across rounds.

A round that ends in a fault is tried again. After a fault of the infrastructure (`INFRASTRUCTURE`) the very same calls
are made, so that what was paid for is used and the rows come out as if nothing had happened; after any other fault the
calls are new ones, or the same reply would come back. An item that such faults have ended is taken up again by a later
run, which goes on behind the tries that are kept.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from autointeract.errors import ProviderError, SandboxError, SandboxUnavailableError
from autointeract.execution import Execution
from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import Attempt, canonical_json, derive_seed, load_json, rng
from autointeract.records.vocabulary import INFRASTRUCTURE, Arm
from autointeract.synthesis import controller
from autointeract.synthesis.evaluator import Evaluation, Evaluator
from autointeract.synthesis.generator import Cast, Generator, Rollout, purpose
from autointeract.synthesis.guidance import Diagnosis, Guidance, Round
from autointeract.synthesis.scoring import ByExecution, ByJudge
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.swe.judge import RepositoryEvaluator
from autointeract.synthesis.swe.play import RepositoryGenerator
from autointeract.synthesis.swe.workbench import Workbench
from autointeract.synthesis.together import together
from autointeract.synthesis.usage import UsedTokens


class Plays(Protocol):
    """Plays a conversation (`Generator`; repositories have their own)."""

    async def play(self, cast: Cast, round: int, retry: int, guidance: Guidance | None, used: UsedTokens) -> Rollout:
        """One conversation."""
        ...


class Judges(Protocol):
    """Judges a conversation (`Evaluator`)."""

    async def evaluate(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, guidance: Guidance | None, used: UsedTokens
    ) -> Evaluation:
        """All checks."""
        ...

    async def confirm(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens, found: Evaluation
    ) -> None:
        """Fresh samples of both solvers."""
        ...


def attempt_key(item_id: str, arm: str, round: int, retry: int) -> str:
    """Key of an attempt in the journal."""
    return f"{item_id}/{arm}/{round}/{retry}"


def outages(attempts: Sequence[Attempt]) -> int:
    """How often the infrastructure failed the round that it ended; 0 where it ended none (of two arms the lesser)."""
    last = {attempt.arm: attempt for attempt in attempts}  # in the order (arm, round, retry)
    ended = [end for end in last.values() if end.outcome == "fault" and end.fault in INFRASTRUCTURE]
    return min(
        (
            sum((a.arm, a.round) == (end.arm, end.round) and a.fault in INFRASTRUCTURE for a in attempts)
            for end in ended
        ),
        default=0,
    )


class Loop:
    """Runs items.

    Args:
        seen: the finished attempt of a key, or null.
        keep: stores a finished attempt.
        bench: where agents work; needed for repository tasks only.
    """

    def __init__(
        self, models: Models, execution: Execution, settings: SynthesisSettings, seed: int,
        seen: Callable[[str, Cast], Attempt | None], keep: Callable[[str, Cast, Attempt], None],
        bench: Workbench | None = None,
    ):  # fmt: skip
        self.models, self.settings, self.seed = models, settings, seed
        scorer = ByExecution(execution) if settings.ablation.executable_verification else ByJudge(models)
        self._players: dict[str, tuple[Plays, Judges]] = {
            "algorithmic": (Generator(models, scorer, settings, seed), Evaluator(models, scorer, settings))
        }
        if bench is not None:
            self._players["swe"] = (
                RepositoryGenerator(models, bench, settings, seed), RepositoryEvaluator(models, scorer, settings, bench)
            )  # fmt: skip
        self._seen, self._keep = seen, keep

    async def run(self, cast: Cast) -> list[Attempt]:
        """Every attempt of an item, in the order (arm, round, retry).

        Raises:
            BudgetError: from the door; what is finished is kept. SandboxUnavailableError: no verifier can run here.
        """
        first = await self._round(cast, "guided", 0, None)
        if first[-1].outcome in ("accepted", "fault"):
            return first
        arms = [self._arm(cast, "guided", first[-1])]
        if cast.item.null_arm:
            arms.append(self._arm(cast, "null", first[-1]))
        rest = await together(*arms)
        return [*first, *(attempt for arm in rest for attempt in arm)]

    async def _arm(self, cast: Cast, arm: Arm, first: Attempt) -> list[Attempt]:
        done: list[Attempt] = []
        last = first
        rounds: list[Round] = [_as_round(first)]
        for round in range(1, self.settings.rounds + 1):
            tries = await self._round(cast, arm, round, rounds if arm == "guided" else None, last)
            done += tries
            last = tries[-1]
            if last.outcome in ("accepted", "fault"):
                break
            rounds.append(_as_round(last))
        return done

    async def _round(
        self, cast: Cast, arm: Arm, round: int, rounds: list[Round] | None, last: Attempt | None = None
    ) -> list[Attempt]:
        """The tries of one round: one, and more while it ends in a fault.

        Tries that are kept from earlier runs are no reason to give up where the infrastructure failed them; otherwise
        they count.
        """
        tries: list[Attempt] = []
        made = 0  # in this run
        while not tries or (tries[-1].outcome == "fault" and self._again(tries, made)):
            key = attempt_key(cast.item.item_id, arm, round, len(tries))
            attempt = self._seen(key, cast)
            if attempt is None:
                content = sum(earlier.fault not in INFRASTRUCTURE for earlier in tries)
                attempt = await self._attempt(cast, arm, round, len(tries), content, rounds, last)
                self._keep(key, cast, attempt)
                made += 1
            tries.append(attempt)
        return tries

    def _again(self, tries: Sequence[Attempt], made: int) -> bool:
        """Whether one more try follows: of each kind of fault so many, of the infrastructure's so many a run."""
        most = self.settings.fault_retries
        broken = sum(attempt.fault in INFRASTRUCTURE for attempt in tries)
        if tries[-1].fault in INFRASTRUCTURE:
            return made <= most and broken < self.settings.outage_tries
        return len(tries) - broken <= most

    async def _attempt(
        self, cast: Cast, arm: Arm, round: int, number: int, retry: int, rounds: list[Round] | None,
        last: Attempt | None,
    ) -> Attempt:  # fmt: skip
        """One try.

        Args:
            number: of the try, for its row. retry: names its calls.
        """
        used = UsedTokens()
        generator, evaluator = self._players[cast.task.domain]
        rollout, found, guidance = Rollout(), Evaluation(), None
        try:
            if rounds and last is not None:
                call = Call(item=cast.item.item_id, round=round, purpose=purpose("guidance", retry))
                guidance, spent = await controller.revise(
                    self.models, cast.task, cast.profile, cast.item.scenario, rounds, last.conversation, call
                )
                used.add("controller", spent)
            rollout = await generator.play(cast, round, retry, guidance, used)
            if rollout.fault:
                found.broken(rollout.fault, rollout.detail)
            else:
                found = await evaluator.evaluate(cast, rollout, round, retry, guidance, used)
                if found.outcome == "accepted" and self._confirms(cast, arm):
                    await evaluator.confirm(cast, rollout, round, retry, used, found)
        except SandboxUnavailableError:
            raise
        except ProviderError as error:
            found.broken("provider", str(error)[:300])
        except SandboxError as error:
            found.broken("sandbox", str(error)[:300])
        return self._row(cast, arm, round, number, guidance, rollout, found, used)

    def _confirms(self, cast: Cast, arm: Arm) -> bool:
        share = self.settings.confirm_share
        drawn = rng("confirm", self.seed, cast.item.item_id).random() < share
        return arm == "guided" and (self.settings.confirm or drawn)

    def _row(
        self, cast: Cast, arm: Arm, round: int, retry: int, guidance: Guidance | None, rollout: Rollout,
        found: Evaluation, used: UsedTokens,
    ) -> Attempt:  # fmt: skip
        thinking = [
            {"role": "assistant", "message": index, "thinking": text}
            for index, text in sorted(rollout.thinking.items())
        ]
        checks = {**found.checks, "revealed_cases": rollout.revealed} if rollout.revealed else found.checks
        if found.missing:
            checks = {**checks, "missing": found.missing}
        item = cast.item
        return Attempt(
            item_id=item.item_id, arm=arm, round=round, retry=retry, task_id=item.task_id, profile_id=item.profile_id,
            prompt_id=item.prompt_id, domain=cast.task.domain, scenario=item.scenario, outcome=found.outcome,
            fault=found.fault, diagnosis=found.reason,
            guidance_json=canonical_json(guidance.model_dump(mode="json")) if guidance else "{}",
            conversation=rollout.messages, turns=rollout.turns, checks_json=canonical_json(checks),
            responses_json=canonical_json([*found.responses, *thinking]), weak_scores=found.weak,
            strong_scores=found.strong, repo_state=rollout.repo_state, usage_json=canonical_json(used.view()),
            seed=derive_seed("item", self.seed, item.item_id),
        )  # fmt: skip


def _as_round(attempt: Attempt) -> Round:
    checks = load_json(attempt.checks_json, {})
    weak, strong = attempt.weak_scores, attempt.strong_scores
    return Round(
        guidance=Guidance.model_validate(load_json(attempt.guidance_json, {})),
        diagnosis=Diagnosis(
            kind=attempt.outcome, reason=attempt.diagnosis, missing=checks.get("missing", []),
            weak=sum(weak) / len(weak) if weak else None, strong=sum(strong) / len(strong) if strong else None,
        ),
    )  # fmt: skip
