"""The simulated provider's answers to DSPy's own prompts, so that its optimizers run without a model.

DSPy's adapters put fields between `[[ ## name ## ]]` marks and ask for the output fields in the same marks or as a JSON
object; a responder sees no more than that text. The user speaks by the rules that heed the behavior prompt, with
average habits (the profile is prose here). The writer answers feedback where the prompt shows some (GEPA); MIPROv2's
proposer is shown none, so it adds advice blindly. Nothing of this touches what a real model is asked.
"""

import json
import re
from typing import Any

from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_role
from autointeract.records import rng
from autointeract.simulator.responder import manners_under
from autointeract.symbolic.free import free_turn
from autointeract.symbolic.user import Habits
from autointeract.users.simulated_writer import ADVICE, advise

_MARK = re.compile(r"^\[\[ ## (\w+) ## \]\][ \t]*\n?", re.MULTILINE)
_OUTPUTS = re.compile(r"Your output fields are:\n(.*?)\nAll interactions", re.DOTALL)
_FIELD = re.compile(r"^\d+\. `(\w+)`", re.MULTILINE)
_CLOSING = re.compile(r"\n\nRespond with .*\Z", re.DOTALL)
_OBJECTIVE = "your objective is:"


def fields_of(text: str) -> dict[str, str]:
    """The fields of a DSPy user message."""
    pieces = _MARK.split(_CLOSING.sub("", text))
    return {name: value.strip() for name, value in zip(pieces[1::2], pieces[2::2], strict=True)}


@for_role("simulator")
def _user(request: SimulatedRequest) -> SimulatedReply:
    given = fields_of(request.messages[-1].content)
    turns = re.split(r"\n\n(?=(?:user|assistant): )", given.get("conversation", ""))
    said = [turn.removeprefix("user: ") for turn in turns if turn.startswith("user: ")]
    before = turns[-1].removeprefix("assistant: ") if turns[-1].startswith("assistant: ") else ""
    behavior = request.system.partition(_OBJECTIVE)[2]
    line = free_turn(said, before, Habits.of(None), manners_under(behavior), request.seed)
    return _reply(request, {"utterance": line.utterance})


@for_role("writer")
def _writer(request: SimulatedRequest) -> SimulatedReply:
    given = fields_of(request.messages[-1].content)
    found = {"proposed_instruction": _blind(given.get("basic_instruction", ""), request.seed)}
    if "current_instruction" in given:
        feedback = [str(row.get("Feedback", "")) for row in json.loads(given["examples_with_feedback"])]
        found["new_instruction"] = _with(
            given["current_instruction"], advise(feedback, given["current_instruction"], request.seed)
        )
    return _reply(request, found)


def _blind(current: str, seed: int) -> str:
    random = rng("blind", seed)
    picked = random.sample(ADVICE, 3)
    return _with(current, "\n- ".join(random.choice(wordings) for _, wordings in picked))


def _with(current: str, advice: str | None) -> str:
    return current.rstrip() + (f"\n- {advice}" if advice else "")


def _reply(request: SimulatedRequest, values: dict[str, str]) -> SimulatedReply:
    """All output fields that the prompt names, in the form it asks for; what is only described gets a plain line."""
    listed = _OUTPUTS.search(request.system)
    names = _FIELD.findall(listed.group(1)) if listed else []
    data: dict[str, Any] = {name: values.get(name, "A person talks to a coding assistant.") for name in names}
    if "Outputs will be a JSON object" in request.system:
        return SimulatedReply(text=json.dumps(data, ensure_ascii=False))
    parts = [f"[[ ## {name} ## ]]\n{text}" for name, text in {**data, "completed": ""}.items()]
    return SimulatedReply(text="\n\n".join(parts).rstrip())
