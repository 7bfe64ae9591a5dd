"""The simulated agent: looks around, then patches the repository as well as the visible conversation allows.

Three steps: it lists files, it acts, it says what it did. As the assistant of a conversation it only explores and keeps
notes; as a solver it applies the reference patch of the task that it recognises in the answer book, with as many faults
as it has misunderstood requirements.
"""

import json
import re

from autointeract.models.simulated import book as answer_book
from autointeract.models.simulated.misreading import misread
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest
from autointeract.records import rng

_SWAPS: tuple[tuple[str, str], ...] = (
    (r"<=", "<"), (r">=", ">"), (r"==", "!="), (r"(?<![-<>=!])<(?!=)", "<="), (r"(?<![-<>=!])>(?!=)", ">="),
    (r"\bTrue\b", "False"), (r"\bFalse\b", "True"), (r"\bnot ", ""), (r"\band\b", "or"), (r"\bor\b", "and"),
    (r"(?<=\w) \+ ", " - "), (r"(?<=\w) - ", " + "), (r"\b0\b", "1"), (r"\b1\b", "2"), (r"\bmin\(", "max("),
)  # fmt: skip
"""Faults a line of code can have; the first that fits is made."""


def act(request: SimulatedRequest, level: str) -> SimulatedReply:
    """The agent's next step."""
    last = max((n for n, message in enumerate(request.messages) if message.role == "user"), default=-1)
    step = sum(message.role == "assistant" for message in request.messages[last + 1 :])
    if step == 0:
        return _bash("git ls-files | head -50")
    if step == 1 and request.role == "assistant":
        return _bash(f"echo 'request {_turns(request)}: looked at' >> NOTES.md")
    if step == 1:
        return _bash(_work(request, level))
    if request.role == "assistant":
        return SimulatedReply(text="I had a look at the code and kept notes in NOTES.md. Shall I go ahead with a fix?")
    return SimulatedReply(text="I changed what the conversation asked for and left the rest alone.")


def _work(request: SimulatedRequest, level: str) -> str:
    turns = [message.content for message in request.messages if message.role == "user"]
    tasks = answer_book.load(request.book).alike(turns, request.seed) if request.book else []
    patches = [str(task.reference.get("patch") or "") for task in tasks]
    if not any(patches):
        return "grep -rn TODO . | head"
    # The seed differs from step to step, but this step is taken once.
    faults = misread(tasks[0], turns, level, request.seed)
    if faults:
        patches = [broken(patch, request.seed, faults) for patch in patches]
    # Tasks of one repository can read alike; the code shows which patch fits.
    end, lines = "END_OF_PATCH", []
    for number, patch in enumerate(patches):
        lines.append(f"cat > /tmp/{number}.patch <<'{end}'\n{patch.rstrip(chr(10))}\n{end}")
    return "\n".join([*lines, " || ".join(f"git apply --recount /tmp/{n}.patch" for n in range(len(patches)))])


def broken(patch: str, seed: int, faults: int) -> str:
    """`patch` with up to `faults` of the lines that it adds gone wrong; where none can go wrong it adds nothing."""
    lines = patch.splitlines()
    places = [n for n, line in enumerate(lines) if line.startswith("+") and not line.startswith("+++")]
    rng("patch", seed).shuffle(places)
    made = 0
    for place in places:
        for old, new in _SWAPS:
            changed = re.sub(old, new, lines[place], count=1)
            if changed != lines[place]:
                lines[place] = changed
                made += 1
                break
        if made >= faults:
            break
    if not made:
        lines = [line for line in lines if not line.startswith("+") or line.startswith("+++")]
        lines = [f" {line[1:]}" if line.startswith("-") and not line.startswith("---") else line for line in lines]
    return "\n".join(lines) + "\n"


def _bash(command: str) -> SimulatedReply:
    function = {"name": "bash", "arguments": json.dumps({"command": command})}
    return SimulatedReply(tool_calls=[{"id": "call", "type": "function", "function": function}])


def _turns(request: SimulatedRequest) -> int:
    return sum(message.role == "user" for message in request.messages)
