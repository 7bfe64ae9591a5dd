"""Scoring: how good an answer is - by running the task's verifier, or (an ablation) by asking a judge.

Both give a `Verdict`. A judge that cannot be used is a fault of the evaluator; its score is then unknown.
"""

from typing import Any, Literal, Protocol

from pydantic import Field

from autointeract import prompts
from autointeract.execution import Execution
from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.records import AssertionsSpec, Record, SourceTask, State, Submission, Verdict
from autointeract.synthesis.cases import case_texts
from autointeract.synthesis.usage import UsedTokens


class AnswerVerdict(Record):
    """A judge's guess at what the verifier would say."""

    score: float = Field(ge=0, le=1)
    failing: list[int] = []
    reason: str = ""


class CauseVerdict(Record):
    """Who is to blame that a strong solver failed."""

    cause: Literal["simulator", "solver"]
    facts: list[str] = []
    reason: str = ""


ANSWER = prompts.load("judge_answer", ("task", "answer"), AnswerVerdict)
CAUSE = prompts.load("judge_cause", ("task", "conversation", "answers"), CauseVerdict)


class Scorer(Protocol):
    """Scores one answer to a task."""

    async def score(
        self, task: SourceTask, submission: Submission, state: State | None, call: Call, used: UsedTokens
    ) -> Verdict:
        """The verdict; its score is null when nothing is known."""
        ...


class ByExecution:
    """Runs the task's verifier."""

    def __init__(self, execution: Execution):
        self.execution = execution

    async def score(
        self, task: SourceTask, submission: Submission, state: State | None, call: Call, used: UsedTokens
    ) -> Verdict:
        """The verifier's verdict."""
        return await self.execution.verify(task.verifier, submission, state)


class ByJudge:
    """Asks a judge to compare the answer with the reference; nothing is run."""

    def __init__(self, models: Models):
        self.models = models

    async def score(
        self, task: SourceTask, submission: Submission, state: State | None, call: Call, used: UsedTokens
    ) -> Verdict:
        """The judge's verdict, in the shape of a verifier's."""
        own = call.model_copy(update={"purpose": f"{call.purpose}.answer"})
        answer = submission.text if submission.text is not None else submission.patch or ""
        messages = ANSWER.render({"task": private_view(task), "answer": answer})
        reply = used.count("judge", (await self.models.complete("judge", messages, reply=AnswerVerdict, call=own))[0])
        if reply.value is None:
            details = [{"status": "fault", "message": f"judge: {reply.fault}"}]
            return Verdict(score=None, status="fault", fault="evaluator", trusted=False, details=details)
        total = unit_count(task)
        failing = {number for number in reply.value.failing if 0 <= number < total}
        details = [{"status": "failed" if number in failing else "passed"} for number in range(total)]
        return Verdict(
            score=reply.value.score, passed=total - len(failing), total=total, trusted=False, details=details
        )


def unit_count(task: SourceTask) -> int:
    """How many units the task's verifier judges."""
    spec = task.verifier
    if spec.kind == "pytest":
        return len(spec.fail_to_pass) + len(spec.pass_to_pass)
    return len(case_texts(spec))


def private_view(task: SourceTask) -> dict[str, Any]:
    """The task with everything private, for judges."""
    spec = task.verifier
    return {
        "statement": task.statement, "interface": task.interface,
        "facts": [{"id": fact.id, "text": fact.text} for fact in task.facts], "public_cases": task.public_cases,
        "reference": task.reference,
        "checks": spec.assertions if isinstance(spec, AssertionsSpec) else spec.model_dump(mode="json"),
    }  # fmt: skip
