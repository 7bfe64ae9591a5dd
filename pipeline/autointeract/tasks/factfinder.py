"""FactFinder: the facts of an admitted task - its own, else the writer model's, else those of the rules.

A model's decomposition counts only if every requirement quotes the statement and the quotes together cover it; what a
model adds or leaves out would otherwise change the task. Anything else falls back to the rules, and the row says so.
"""

import re
from typing import Any

from pydantic import BaseModel, Field

from autointeract import prompts
from autointeract.errors import ConfigError
from autointeract.models import Call
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import Fact, clean_text
from autointeract.services import Services
from autointeract.tasks.admission import Admitted
from autointeract.tasks.decompose import coverage, decompose
from autointeract.tasks.settings import TasksSettings

MAX_FACTS = 60


class DraftFact(BaseModel):
    """One requirement as a model wrote it."""

    text: str = Field(min_length=1, max_length=2000)
    quote: str = Field(min_length=1)


class Decomposition(BaseModel):
    """A model's decomposition of a statement."""

    facts: list[DraftFact] = Field(min_length=1, max_length=MAX_FACTS)


PROMPT = prompts.load("decompose_task", ("statement", "interface"), Decomposition)


class FactFinder:
    """Decomposes statements as the settings say (`auto` = by the writer model where one is configured)."""

    def __init__(self, settings: TasksSettings, services: Services):
        self.settings, self.services = settings, services
        self.model: dict[str, Any] | None = None
        if settings.facts != "rules":
            try:
                self.model = services.models.identity("writer")
            except ConfigError:
                if settings.facts == "model":
                    raise

    def identity(self) -> dict[str, Any]:
        """What decides the facts besides the settings; part of the stage digest."""
        return {"writer": self.model, "prompts": [PROMPT.digest]} if self.model else {}

    async def facts(self, task: Admitted) -> tuple[list[Fact], str]:
        """The facts and where they come from (`given`, `model`, `rules`).

        Raises:
            ProviderError, BudgetError: as the door to models.
        """
        candidate = task.candidate
        if candidate.facts:
            return candidate.facts, "given"
        if self.model:
            messages = PROMPT.render({"statement": candidate.statement, "interface": task.interface})
            call = Call(item=candidate.task_id, purpose=PROMPT.name)
            reply = (await self.services.models.complete("writer", messages, reply=Decomposition, call=call))[0]
            if reply.value is not None:
                found = located(candidate.statement, reply.value)
                if found and coverage(candidate.statement, found) >= self.settings.min_coverage:
                    return found, "model"
        return decompose(candidate.statement), "rules"


def located(statement: str, drafts: Decomposition) -> list[Fact] | None:
    """The drafts as facts with spans; null when one does not quote the statement (whitespace aside)."""
    facts: list[Fact] = []
    for draft in drafts.facts:
        words = clean_text(draft.quote).split()
        match = re.search(r"\s+".join(re.escape(word) for word in words), statement) if words else None
        if match is None:
            return None
        text = " ".join(clean_text(draft.text).split())
        facts.append(Fact(id=f"f{len(facts) + 1}", text=text, span=match.span()))
    return facts


@for_prompt("decompose_task")
def _simulated(request: SimulatedRequest) -> SimulatedReply:
    """The stand-in writer takes a statement apart as the rules do."""
    statement = str((request.variables or {}).get("statement", ""))
    drafts = []
    for fact in decompose(statement)[:MAX_FACTS]:
        start, end = fact.span or (0, len(statement))
        drafts.append(DraftFact(text=fact.text[:2000], quote=statement[start:end]))
    if not drafts:
        return SimulatedReply(text="")
    return SimulatedReply(text=Decomposition(facts=drafts).model_dump_json())
