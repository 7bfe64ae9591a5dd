"""Generator: plays one conversation, user and assistant in turn, along the plan of its scenario; ends on a user turn.

The user is `simulator`; the assistant sees only what is visible. A turn that cannot be used ends the round with a fault
that names who failed; nothing is repaired silently.
"""

from dataclasses import dataclass, field
from typing import Any

from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import (
    AssertionsSpec,
    Message,
    Profile,
    SourceTask,
    Submission,
    UserTurn,
    clean_text,
    load_json,
    rng,
)
from autointeract.records.vocabulary import Boundary
from autointeract.simulator import next_turn
from autointeract.synthesis.cases import case_texts, parse_assertion
from autointeract.synthesis.guidance import Guidance
from autointeract.synthesis.sampling import Item
from autointeract.synthesis.scenarios import STRATEGY_OF_MOVE, TurnPlan, single_turn, turn_plans
from autointeract.synthesis.scoring import Scorer
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.thinking import visible
from autointeract.synthesis.usage import UsedTokens


@dataclass
class Rollout:
    """One conversation.

    Attributes:
        messages: what is visible; ends on a user turn unless there is a fault.
        turns: private metadata of the user turns.
        revealed: assertions that the user reported, as in the verifier.
        solved: the assistant's own answer already passes every case, so that there is nothing to report.
        thinking: the assistant's reasoning by message index; private.
        fault, detail: who failed and how.
    """

    messages: list[Message] = field(default_factory=list)
    turns: list[UserTurn] = field(default_factory=list)
    revealed: list[str] = field(default_factory=list)
    solved: bool = False
    thinking: dict[int, str] = field(default_factory=dict)
    repo_state: str | None = None
    fault: Boundary | None = None
    detail: str = ""


@dataclass(frozen=True)
class Cast:
    """Who and what a conversation is made of; fixed across rounds."""

    item: Item
    task: SourceTask
    profile: Profile | None
    behavior: str

    @property
    def habits(self) -> dict[str, Any]:
        """The profile's settings."""
        return load_json(self.profile.settings_json, {}) if self.profile else {}

    def private_context(self) -> dict[str, Any]:
        """What the user knows of the task (`simulator.next_turn`)."""
        spec = self.task.verifier
        checks = spec.assertions if isinstance(spec, AssertionsSpec) else [case.told() for case in case_texts(spec)]
        return {
            "statement": self.task.statement, "interface": self.task.interface, "entry_point": self.task.entry_point,
            "facts": [{"id": fact.id, "text": fact.text} for fact in self.task.facts],
            "public_cases": self.task.public_cases, "reference": self.task.reference,
            "checks": checks,
        }  # fmt: skip


class Generator:
    """Plays conversations on tasks whose answer is one program."""

    def __init__(self, models: Models, scorer: Scorer, settings: SynthesisSettings, seed: int):
        self.models, self.scorer, self.settings, self.seed = models, scorer, settings, seed

    def plans(self, cast: Cast, round: int, guidance: Guidance) -> list[TurnPlan]:
        """The user turns of this round; rounds of one number have one plan for equal guidance, whatever the arm."""
        facts = [fact.id for fact in cast.task.facts]
        if not self.settings.ablation.multi_turn:
            return single_turn(facts)
        random = rng("plan", self.seed, cast.item.item_id, round)
        share = self.settings.reactive_share
        return turn_plans(cast.item.scenario, facts, guidance, cast.habits, share, random)

    async def play(self, cast: Cast, round: int, retry: int, guidance: Guidance | None, used: UsedTokens) -> Rollout:
        """One conversation.

        Raises:
            ProviderError, BudgetError: from the door. SandboxUnavailableError: no verifier can run here.
        """
        rollout = Rollout()
        for number, plan in enumerate(self.plans(cast, round, guidance or Guidance())):
            if plan.move == "report" and not await self._find_failures(cast, rollout, round, retry, used):
                return rollout
            if not await self._user(cast, plan, rollout, round, retry, number, guidance, used):
                return rollout
            if not plan.last and not await self._assistant(cast, rollout, round, retry, number, used):
                return rollout
        return rollout

    async def _user(
        self, cast: Cast, plan: TurnPlan, rollout: Rollout, round: int, retry: int, number: int,
        guidance: Guidance | None, used: UsedTokens,
    ) -> bool:  # fmt: skip
        cases = [parse_assertion(text).told() for text in rollout.revealed] if plan.move == "report" else []
        shown = plan.model_dump(mode="json") | {"cases": cases}
        reply = await next_turn(
            self.models, behavior=cast.behavior, profile=cast.profile.text if cast.profile else None,
            settings=cast.habits or None, history=rollout.messages, task=cast.private_context(),
            guidance=guidance.model_dump(mode="json") if guidance else None, plan=shown,
            call=Call(item=cast.item.item_id, round=round, turn=number, purpose=purpose("user", retry)),
        )  # fmt: skip
        used.count("simulator", reply)
        if reply.value is None:
            rollout.fault, rollout.detail = "simulator", f"{reply.fault}: {reply.fault_detail}"
            return False
        text = clean_text(reply.value.utterance).strip()
        strategy = STRATEGY_OF_MOVE.get(plan.move, reply.value.strategy)
        if plan.move == "react" and strategy == "close":
            strategy = "confirmation"  # nothing has been delivered that could be closed; the plan goes on
        known = {fact.id for fact in cast.task.facts}
        rollout.turns.append(
            UserTurn(
                index=len(rollout.messages), strategy=strategy, polarity=self.settings.polarity.get(strategy, 0),  # type: ignore[arg-type]
                origin=plan.origin, facts=[name for name in reply.value.facts if name in known],
                visible_chars=len(text),
            )
        )  # fmt: skip
        rollout.messages.append(Message(role="user", content=text))
        return True

    async def _assistant(
        self, cast: Cast, rollout: Rollout, round: int, retry: int, number: int, used: UsedTokens
    ) -> bool:
        call = Call(item=cast.item.item_id, round=round, turn=number, purpose=purpose("assistant", retry))
        reply = used.count("assistant", (await self.models.complete("assistant", rollout.messages, call=call))[0])
        text, hidden = visible(reply.text)
        problem = reply.fault or ("empty" if not text else None)
        if not problem and len(text) > self.settings.max_assistant_chars:
            problem = "overlong"
        if problem:
            rollout.fault, rollout.detail = "assistant", f"{problem}: {reply.fault_detail}"
            return False
        if thought := reply.thinking or hidden:
            rollout.thinking[len(rollout.messages)] = thought
        rollout.messages.append(Message(role="assistant", content=clean_text(text)))
        return True

    async def _find_failures(self, cast: Cast, rollout: Rollout, round: int, retry: int, used: UsedTokens) -> bool:
        """Runs the assistant's last answer and picks the cases that the user will report; false ends the rollout."""
        spec = cast.task.verifier
        assert isinstance(spec, AssertionsSpec)  # only such tasks are eligible
        answer = next(message.content for message in reversed(rollout.messages) if message.role == "assistant")
        call = Call(item=cast.item.item_id, round=round, turn=len(rollout.messages), purpose=purpose("report", retry))
        verdict = await self.scorer.score(cast.task, Submission(text=answer), None, call, used)
        if verdict.score is None:
            rollout.fault, rollout.detail = verdict.fault or "verifier", verdict.status
            return False
        units = [str(unit.get("status", "")) for unit in verdict.details] or ["error"] * len(spec.assertions)
        failing = [text for text, unit in zip(spec.assertions, units, strict=False) if unit != "passed"]
        if not failing:
            rollout.solved, rollout.detail = True, "the assistant's first answer passes every case: nothing to report"
            return False
        most = min(self.settings.checks.max_revealed_cases, len(spec.assertions) // 5)
        rng("cases", self.seed, cast.item.item_id, len(rollout.messages), answer).shuffle(failing)
        rollout.revealed = failing[: max(most, 1)]
        return True


def purpose(name: str, retry: int) -> str:
    """The purpose of a call; a repeat after a fault is another call."""
    return name if not retry else f"{name}.{retry}"
