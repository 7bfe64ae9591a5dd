"""The behavior prompt as a DSPy program, with our door as its language model. The only module that imports dspy.

`DoorLM` sends DSPy's messages to the door unchanged, so cache, budget, limits and ledger hold; DSPy's own cache is
off. `BehaviorProgram` predicts the next user turn; its signature's instructions are the behavior prompt, so any DSPy
optimizer can rewrite them and `save` / `load` use DSPy's format. DSPy 3.5 removes `BaseLM.forward` (dspy#10401): the
extra pins 3.4.1.
"""

import asyncio
import os
from collections.abc import Awaitable, Callable
from contextlib import redirect_stdout
from types import SimpleNamespace
from typing import Any

os.environ.setdefault("TQDM_DISABLE", "1")  # read by tqdm when DSPy imports it
import dspy  # pyright: ignore[reportMissingImports] - an optional extra

from autointeract.records import Message, digest
from autointeract.records.vocabulary import ModelRole


class NextUserTurn(dspy.Signature):
    """Write the next message of the user."""

    profile: str = dspy.InputField(desc="habits of the user, from other conversations")
    conversation: str = dspy.InputField(desc="what was said so far")
    utterance: str = dspy.OutputField(desc="the next message the user types, and nothing else")


Ask = Callable[[ModelRole, str, list[Message], int], Awaitable[list[str]]]
"""(role, name of the request, messages, samples) -> texts; raises what the door raises."""


class DoorLM(dspy.BaseLM):
    """A DSPy language model that is our door.

    Equal requests are one request, whatever the order in which DSPy's threads ask; where DSPy wants another sample it
    sends another `rollout_id`.

    Args:
        loop: the event loop that the door lives on; calls come from DSPy's threads.
        role: the model role that answers.
    """

    def __init__(self, ask: Ask, loop: asyncio.AbstractEventLoop, role: ModelRole):
        super().__init__(model=f"autointeract/{role}", cache=False)
        self._ask, self._loop = ask, loop
        self._role: ModelRole = role

    def forward(self, prompt: str | None = None, messages: list[dict[str, Any]] | None = None, **kwargs: Any) -> Any:
        """One completion in OpenAI's shape, as DSPy expects it.

        Raises:
            ProviderError, BudgetError: from the door.
        """
        rows = [Message(role=m["role"], content=_text(m["content"])) for m in messages or []]
        rows = rows or [Message(role="user", content=prompt or "")]
        options = {**self.kwargs, **kwargs}
        number = int(options.get("n") or 1)
        name = digest([[row.to_openai() for row in rows], options.get("rollout_id"), number], 24)
        work = self._ask(self._role, name, rows, number)
        texts = asyncio.run_coroutine_threadsafe(work, self._loop).result()  # type: ignore[arg-type]
        choices = [
            SimpleNamespace(message=SimpleNamespace(content=text, tool_calls=None), finish_reason="stop")
            for text in texts
        ]
        return SimpleNamespace(choices=choices, usage={}, model=self.model)


class BehaviorProgram(dspy.Module):
    """Predicts the next user turn under one behavior prompt.

    Args:
        guard: objections to a prompt. One that meets any is not played: its prediction holds `objections` and an empty
            utterance, so that an optimizer reads why it scored nothing.
    """

    def __init__(self, behavior: str, guard: Callable[[str], list[str]] | None = None):
        super().__init__()
        self.guard = guard
        self.turn = dspy.Predict(NextUserTurn.with_instructions(behavior))

    @property
    def behavior(self) -> str:
        """The prompt as it is now."""
        return str(self.turn.signature.instructions)

    def forward(self, profile: str, conversation: str) -> Any:
        """A prediction with `utterance`."""
        objections = self.guard(self.behavior) if self.guard is not None else []
        if objections:
            return dspy.Prediction(utterance="", objections=objections)
        return self.turn(profile=profile, conversation=conversation)


def optimize(
    optimizer: str, behavior: str, train: list[dict[str, Any]], val: list[dict[str, Any]], metric: Any, ask: Ask,
    loop: asyncio.AbstractEventLoop, budget: int, seed: int, guard: Callable[[str], list[str]] | None = None,
) -> BehaviorProgram:  # fmt: skip
    """Runs a DSPy optimizer in the calling thread (never the event loop's).

    Args:
        optimizer: "dspy.GEPA" or "dspy.MIPROv2".
        train, val: rows with `profile`, `conversation`, and what the metric needs.
        metric: (example, utterance) -> (score, feedback).
        budget: rollouts.
    """
    dspy.disable_logging()  # its log holds prompts and feedback made from private logs
    speaker, writer = DoorLM(ask, loop, "simulator"), DoorLM(ask, loop, "writer")

    def score(gold: Any, pred: Any, trace: Any = None, pred_name: Any = None, pred_trace: Any = None) -> Any:
        if objections := getattr(pred, "objections", None):
            value, feedback = 0.0, f"These instructions may not be used: the text {'; '.join(objections)}."
        else:
            value, feedback = metric(gold, str(getattr(pred, "utterance", "") or ""))
        return dspy.Prediction(score=value, feedback=feedback) if optimizer == "dspy.GEPA" else value

    sets = [[dspy.Example(**row).with_inputs("profile", "conversation") for row in rows] for rows in (train, val)]
    program = BehaviorProgram(behavior, guard)
    with dspy.context(lm=speaker), open(os.devnull, "w") as nowhere, redirect_stdout(nowhere):  # progress bars
        if optimizer == "dspy.GEPA":
            tool: Any = dspy.GEPA(
                metric=score, max_metric_calls=budget, reflection_lm=writer, use_merge=False, num_threads=4, seed=seed
            )
            return tool.compile(program, trainset=sets[0], valset=sets[1])
        trials = max(budget // max(len(sets[1]), 1), 2)
        tool = dspy.MIPROv2(
            metric=score, prompt_model=writer, task_model=speaker, auto=None, num_candidates=4, num_threads=4,
            seed=seed, max_bootstrapped_demos=0, max_labeled_demos=0,
        )  # fmt: skip
        return tool.compile(program, trainset=sets[0], valset=sets[1], num_trials=trials, minibatch=False)


def _text(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(part.get("text", "")) for part in content)
