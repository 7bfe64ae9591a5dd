"""Controller: turns a diagnosis into guidance for the next round. Task, behavior prompt and profile stay fixed."""

import json
from collections.abc import Sequence

from autointeract import prompts
from autointeract.models import Call, Usage
from autointeract.models.door import Models
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import Message, Profile, Record, SourceTask, clean_text
from autointeract.synthesis.guidance import Guidance, Round, fallback


class GuidanceReply(Record):
    """What the controller's model answers; the fields of `Guidance`."""

    text: str
    withhold: list[str] = []
    reveal: list[str] = []
    directness: float | None = None


PROMPT = prompts.load(
    "controller_guidance", ("item", "scenario", "profile", "facts", "rounds", "conversation"), GuidanceReply
)


async def revise(
    models: Models, task: SourceTask, profile: Profile | None, scenario: str, rounds: Sequence[Round],
    conversation: Sequence[Message], call: Call,
) -> tuple[Guidance, Usage]:  # fmt: skip
    """Guidance for the next round, and what it took; by rules where the model's reply cannot be used.

    Raises:
        ProviderError, BudgetError: from the door.
    """
    known = [fact.id for fact in task.facts]
    variables = {
        "item": call.item, "scenario": scenario, "profile": profile.text if profile else None,
        "facts": [{"id": fact.id, "text": fact.text} for fact in task.facts],
        "rounds": [entry.model_dump(mode="json") for entry in rounds],
        "conversation": [{"role": message.role, "content": message.content} for message in conversation],
    }  # fmt: skip
    reply = (await models.complete("controller", PROMPT.render(variables), reply=GuidanceReply, call=call))[0]
    if reply.value is None:
        return fallback(known, rounds, call.item), reply.usage
    value = reply.value
    guidance = Guidance(
        text=clean_text(value.text), withhold=value.withhold, reveal=value.reveal, directness=value.directness
    )
    return guidance.settled(known), reply.usage


@for_prompt("controller_guidance")
def simulated_controller(request: SimulatedRequest) -> SimulatedReply:
    """The rules, played as a model."""
    data = request.variables or {}
    rounds = [Round.model_validate(entry) for entry in data["rounds"]]
    guidance = fallback([fact["id"] for fact in data["facts"]], rounds, data["item"])
    return SimulatedReply(text=json.dumps(guidance.model_dump(mode="json"), ensure_ascii=False))
