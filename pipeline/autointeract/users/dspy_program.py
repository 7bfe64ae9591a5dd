"""The behavior prompt as a DSPy program, with our door as its language model. The only module that imports dspy.

`DoorLM` sends DSPy's messages through `models.complete`, so cache, budget, limits and ledger hold; DSPy's own cache is
off. `BehaviorProgram` predicts the next user turn; its signature's instructions are the behavior prompt, so any DSPy
optimizer can rewrite them and `save` / `load` use DSPy's format. DSPy 3.5 removes `BaseLM.forward` (dspy#10401): the
extra pins 3.4.1.
"""

import asyncio
from types import SimpleNamespace
from typing import Any

import dspy  # pyright: ignore[reportMissingImports] - an optional extra

from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import Message, digest


class NextUserTurn(dspy.Signature):
    """Write the next message of the user."""

    profile: str = dspy.InputField(desc="habits of the user, from other conversations")
    conversation: str = dspy.InputField(desc="what was said so far")
    utterance: str = dspy.OutputField(desc="the next message the user types, and nothing else")


class DoorLM(dspy.BaseLM):
    """A DSPy language model that is our door.

    Args:
        loop: the event loop that the door lives on; calls come from DSPy's threads.
        role: the model role that answers.
    """

    def __init__(self, models: Models, loop: asyncio.AbstractEventLoop, role: str):
        super().__init__(model=f"autointeract/{role}", cache=False)
        self._models, self._loop, self._role = models, loop, role
        self._asked: dict[str, int] = {}

    def forward(self, prompt: str | None = None, messages: list[dict[str, Any]] | None = None, **kwargs: Any) -> Any:
        """One completion in OpenAI's shape, as DSPy expects it.

        Raises:
            ProviderError, BudgetError: from the door.
        """
        rows = [Message(role=m["role"], content=_text(m["content"])) for m in messages or []]
        rows = rows or [Message(role="user", content=prompt or "")]
        # A repeated request is a new sample, numbered by how often it was asked, so that a replay draws the same.
        name = digest([[row.to_openai() for row in rows], kwargs.get("rollout_id")], 24)
        number = self._asked[name] = self._asked.get(name, -1) + 1
        call = Call(item=name, round=number, purpose="dspy")
        work = self._models.complete(self._role, rows, n=int(kwargs.get("n") or 1), call=call)
        replies = asyncio.run_coroutine_threadsafe(work, self._loop).result()
        choices = [
            SimpleNamespace(message=SimpleNamespace(content=reply.text, tool_calls=None), finish_reason="stop")
            for reply in replies
        ]
        return SimpleNamespace(choices=choices, usage={}, model=self.model)


class BehaviorProgram(dspy.Module):
    """Predicts the next user turn under one behavior prompt."""

    def __init__(self, behavior: str):
        super().__init__()
        self.turn = dspy.Predict(NextUserTurn.with_instructions(behavior))

    @property
    def behavior(self) -> str:
        """The prompt as it is now."""
        return str(self.turn.signature.instructions)

    def forward(self, profile: str, conversation: str) -> Any:
        """A prediction with `utterance`."""
        return self.turn(profile=profile, conversation=conversation)


def optimize(
    optimizer: str, behavior: str, train: list[dict[str, Any]], val: list[dict[str, Any]], metric: Any, models: Models,
    loop: asyncio.AbstractEventLoop, budget: int, seed: int,
) -> BehaviorProgram:  # fmt: skip
    """Runs a DSPy optimizer in the calling thread (never the event loop's).

    Args:
        optimizer: "dspy.GEPA" or "dspy.MIPROv2".
        train, val: rows with `profile`, `conversation`, and what the metric needs.
        metric: (example, utterance) -> (score, feedback).
        budget: rollouts.
    """
    speaker, writer = DoorLM(models, loop, "simulator"), DoorLM(models, loop, "writer")

    def score(gold: Any, pred: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
        value, feedback = metric(gold, str(getattr(pred, "utterance", "") or ""))
        return dspy.Prediction(score=value, feedback=feedback) if optimizer == "dspy.GEPA" else value

    sets = [[dspy.Example(**row).with_inputs("profile", "conversation") for row in rows] for rows in (train, val)]
    program = BehaviorProgram(behavior)
    with dspy.context(lm=speaker):
        if optimizer == "dspy.GEPA":
            tool: Any = dspy.GEPA(
                metric=score, max_metric_calls=budget, reflection_lm=writer, use_merge=False, num_threads=4, seed=seed
            )
            return tool.compile(program, trainset=sets[0], valset=sets[1])
        trials = max(budget // max(len(sets[1]), 1), 2)
        tool = dspy.MIPROv2(
            metric=score, prompt_model=writer, task_model=speaker, auto=None, num_candidates=4, num_threads=4,
            seed=seed,             max_bootstrapped_demos=0, max_labeled_demos=0,
        )  # fmt: skip
        return tool.compile(program, trainset=sets[0], valset=sets[1], num_trials=trials, minibatch=False)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)
