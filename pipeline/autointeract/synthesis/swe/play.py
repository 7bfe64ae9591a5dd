"""Conversations about a repository: the user is shaped by prompt and profile alone, the assistant works with tools.

There is no fixed scenario. The plan only says which facts have not been told yet and when the conversation must end.
The user sees the assistant's words and a summary of its changes, never tests. When the user closes the conversation, it
is cut back to the request before, with the repository as it was then.
"""

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from autointeract import prompts
from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import Message, PytestSpec, SourceTask, UserTurn, clean_text, rng
from autointeract.simulator import next_turn
from autointeract.synthesis.generator import Cast, Rollout, purpose
from autointeract.synthesis.guidance import Guidance
from autointeract.synthesis.scenarios import TurnPlan, first_share
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.swe import agent
from autointeract.synthesis.swe.workbench import Session, Workbench
from autointeract.synthesis.usage import UsedTokens

SYSTEM = prompts.load("assistant_swe", (), None)
_FILE = re.compile(r"^diff --git a/(.+?) b/.*$", re.MULTILINE)


def spec_of(task: SourceTask) -> PytestSpec:
    """The task's verifier."""
    spec = task.verifier
    assert isinstance(spec, PytestSpec)
    return spec


def hidden_files(task: SourceTask) -> list[str]:
    """Files of the tests that must be fixed: an agent never sees them."""
    return sorted({name.split("::", 1)[0] for name in spec_of(task).fail_to_pass})


def open_plans(
    facts: Sequence[str], guidance: Guidance, settings: Mapping[str, Any], most: int, random: Random
) -> list[TurnPlan]:
    """Which facts are told in which turn; by the last turn all of them."""
    turns = random.randint(2, max(2, min(most, 4)))
    pace = first_share(settings)
    place: dict[str, int] = {}
    for number, name in enumerate(facts):
        early = number == 0 or name in guidance.reveal or (name not in guidance.withhold and random.random() < pace)
        place[name] = 0 if early else random.randrange(1, turns)
    plans = []
    for turn in range(turns):
        due = [name for name in facts if place[name] == turn]
        later = [name for name in facts if place[name] > turn]
        plans.append(TurnPlan(move="open", due=due, later=later, last=turn == turns - 1))
    return plans


class RepositoryGenerator:
    """Plays conversations on repository tasks."""

    def __init__(self, models: Models, bench: Workbench, settings: SynthesisSettings, seed: int):
        self.models, self.bench, self.settings, self.seed = models, bench, settings, seed

    async def play(self, cast: Cast, round: int, retry: int, guidance: Guidance | None, used: UsedTokens) -> Rollout:
        """One conversation.

        Raises:
            ProviderError, BudgetError: from the door. SandboxError: the workbench broke.
        """
        facts = [fact.id for fact in cast.task.facts]
        if self.settings.ablation.multi_turn:
            random = rng("plan", self.seed, cast.item.item_id, round)
            plans = open_plans(facts, guidance or Guidance(), cast.habits, self.settings.max_user_turns, random)
        else:
            plans = [TurnPlan(move="open", due=facts, last=True)]
        task = cast.task
        assert task.image is not None
        start = str(task.reference.get("start_patch") or "")
        rollout = Rollout(messages=[Message(role="system", content=SYSTEM.text)], repo_state=start)
        session = await self.bench.open(task.image, start, hidden_files(task), spec_of(task).memory_mb)
        try:
            await self._converse(cast, plans, session, rollout, round, retry, guidance, used)
        finally:
            await session.close()
        return rollout

    async def _converse(
        self, cast: Cast, plans: list[TurnPlan], session: Session, rollout: Rollout, round: int, retry: int,
        guidance: Guidance | None, used: UsedTokens,
    ) -> None:  # fmt: skip
        states = [rollout.repo_state or ""]
        for number, plan in enumerate(plans):
            closed = await self._user(cast, plan, rollout, states[-1], round, retry, number, guidance, used)
            if closed:
                _cut_back(rollout)
                rollout.repo_state = states[len(rollout.turns) - 1]
                return
            if rollout.fault or plan.last:
                break
            call = Call(
                item=cast.item.item_id,
                round=round,
                turn=number * agent.TURN_STRIDE,
                purpose=purpose("assistant", retry),
            )
            done = await agent.work(self.models, "assistant", rollout.messages, session, call, self.settings.swe, used)
            if done.fault:
                rollout.fault, rollout.detail = "assistant", f"{done.fault} in turn {number + 1}"
                return
            rollout.messages += done.messages
            if done.thinking:
                rollout.thinking[len(rollout.messages) - 1] = "\n\n".join(done.thinking)
            states.append(await session.state())
        rollout.repo_state = states[-1]

    async def _user(
        self, cast: Cast, plan: TurnPlan, rollout: Rollout, state: str, round: int, retry: int, number: int,
        guidance: Guidance | None, used: UsedTokens,
    ) -> bool:  # fmt: skip
        """Adds the user's turn; true when the user closed the conversation instead."""
        reply = await next_turn(
            self.models, behavior=cast.behavior, profile=cast.profile.text if cast.profile else None,
            settings=cast.habits or None, history=_as_seen(rollout.messages, state), task=cast.private_context(),
            guidance=guidance.model_dump(mode="json") if guidance else None,
            plan=plan.model_dump(mode="json") | {"cases": []},
            call=Call(item=cast.item.item_id, round=round, turn=number, purpose=purpose("user", retry)),
        )  # fmt: skip
        used.count("simulator", reply)
        if reply.value is None:
            rollout.fault, rollout.detail = "simulator", f"{reply.fault}: {reply.fault_detail}"
            return False
        if reply.value.strategy == "close" and rollout.turns:
            return True
        text, strategy = clean_text(reply.value.utterance).strip(), reply.value.strategy
        if strategy == "close":
            strategy = "reveal_piece"  # an opening: nothing has been done yet that could be closed
        known = {fact.id for fact in cast.task.facts}
        rollout.turns.append(
            UserTurn(
                index=len(rollout.messages), strategy=strategy, polarity=self.settings.polarity.get(strategy, 0),
                origin=plan.origin, facts=[name for name in reply.value.facts if name in known],
                visible_chars=len(text),
            )
        )  # fmt: skip
        rollout.messages.append(Message(role="user", content=text))
        return False


def _cut_back(rollout: Rollout) -> None:
    """Ends the conversation at its last user turn: what came after it was the work, and the thanks for it."""
    rollout.messages = rollout.messages[: rollout.turns[-1].index + 1]
    rollout.thinking = {index: text for index, text in rollout.thinking.items() if index < len(rollout.messages)}


def _as_seen(messages: Sequence[Message], state: str) -> list[Message]:
    """The conversation as the user sees it: words, and a summary of the changes so far (files, lines in and out)."""
    seen = [message for message in messages if message.role in ("user", "assistant") and message.content.strip()]
    files = changed_files(state)
    if seen and seen[-1].role == "assistant" and files:
        note = f"{seen[-1].content}\n\n[files changed so far: {', '.join(files)}]"
        seen[-1] = seen[-1].model_copy(update={"content": note})
    return seen


def changed_files(diff: str) -> list[str]:
    """`name (+added -removed)` of every file of a git diff, sorted; binary files without numbers."""
    found = []
    parts = _FILE.split(diff)[1:]
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        lines = body.partition("\n@@")[2].splitlines()[1:]
        added, removed = (sum(line.startswith(sign) for line in lines) for sign in "+-")
        found.append(f"{name} (+{added} -{removed})" if lines else name)
    return sorted(found)
