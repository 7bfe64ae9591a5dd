"""The simulated assistant and solvers: they answer from the answer book, as well as the visible conversation allows.

A weak solver understands what is stated word for word; anything indirect it mostly gets wrong. A strong one also
understands paraphrases, later changes, worked examples and facts spread over turns, and seldom slips. Each
misunderstood requirement is one fault in the program (`mutants`). Nothing but the messages, the book and the seed goes
in: what is private to the item cannot reach an answer.
"""

import re
from collections.abc import Sequence

from autointeract.models.simulated import agents
from autointeract.models.simulated import book as answer_book
from autointeract.models.simulated.misreading import MISREAD, misread
from autointeract.models.simulated.mutants import mutant
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_role
from autointeract.records import SourceTask, rng

MAX_FAULTS = 4
CHAINS = 6
"""Typical mistakes a task: answers repeat, as models' answers do, so that verdicts can be cached."""
_DESIGN = re.compile(r"before any code|don't write code|before you write|approach first|no code yet", re.IGNORECASE)
_BUILD = re.compile(
    r"\b(write|implement|give me the full|send the full|redo|update|the whole|complete)\b", re.IGNORECASE
)


def solve(task: SourceTask, turns: Sequence[str], level: str, seed: int) -> str:
    """A program for `task` as a solver of this level writes it after reading the user turns."""
    faults = misread(task, turns, level, seed)
    return mutant(str(task.reference.get("code", "")), seed % CHAINS, min(faults, MAX_FAULTS))


def _program(request: SimulatedRequest) -> SimulatedReply:
    if request.tools:
        return agents.act(request, _level(request))
    turns = [message.content for message in request.messages if message.role == "user"]
    task = answer_book.load(request.book).find(turns, request.seed) if request.book else None
    if task is None:
        return SimulatedReply(text="I can't tell from this what you need. Could you describe the function?")
    code = solve(task, turns, _level(request), request.seed)
    return SimulatedReply(
        text=f"Here is the code.\n\n```python\n{code}```",
        thinking=f"The conversation speaks of {task.entry_point or 'a program'}; I go by what the user said.",
    )


def _level(request: SimulatedRequest) -> str:
    if request.model in MISREAD:
        return request.model
    return "strong" if request.role == "strong" else "weak"


@for_role("weak")
def weak(request: SimulatedRequest) -> SimulatedReply:
    """Answers as the model to be trained."""
    return _program(request)


@for_role("strong")
def strong(request: SimulatedRequest) -> SimulatedReply:
    """Answers as a stronger model."""
    return _program(request)


@for_role("assistant")
def assistant(request: SimulatedRequest) -> SimulatedReply:
    """Talks about the design while the user wants no code yet, and writes the program once it is asked for."""
    if request.tools:
        return agents.act(request, _level(request))
    turns = [message.content for message in request.messages if message.role == "user"]
    asked = False
    for turn in turns:
        asked = (bool(_BUILD.search(_DESIGN.sub("", turn))) and not _DESIGN.search(turn)) or asked
    if asked:
        return _program(request)
    random = rng("design", request.seed)
    start = random.choice(("I'd go over the input once", "A small helper and one loop should do", "Simple and direct"))
    question = random.choice(("Any special cases I should know?", "Anything else it must do?", "Shall I write it?"))
    return SimulatedReply(text=f"{start}, then build the result step by step. {question}")
