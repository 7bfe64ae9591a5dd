"""Checks of form, without a model: turns alternate, end on a user turn, are not blank, and the interface is visible."""

import re
from collections.abc import Sequence
from itertools import pairwise

from autointeract.records import Message, SourceTask

_NAME = re.compile(r"[^\W\d]\w*")


def form_problem(conversation: Sequence[Message]) -> str | None:
    """What is wrong with the order of turns, or null.

    A leading system message is allowed. Between two user turns there is at least one assistant turn; tool messages
    follow an assistant turn that called tools.
    """
    turns = list(conversation)
    if turns and turns[0].role == "system":
        turns = turns[1:]
    if not turns or turns[0].role != "user":
        return "the conversation does not begin with a user turn"
    if turns[-1].role != "user":
        return "the conversation does not end on a user turn"
    for number, (before, after) in enumerate(pairwise(turns), 1):
        if after.role == "system":
            return f"turn {number} is a system message"
        if before.role == after.role == "user":
            return f"two user turns in a row (turn {number})"
        called = before.role == "tool" or (before.role == "assistant" and before.tool_calls_json)
        if after.role == "tool" and not called:
            return f"a tool result without a call (turn {number})"
        if before.role == "tool" and after.role == "user":
            return f"the assistant says nothing after its tools (turn {number})"
        if before.role == after.role == "assistant" and not before.tool_calls_json:
            return f"two assistant turns in a row (turn {number})"
        if before.role == "assistant" and before.tool_calls_json and after.role == "user":
            return f"a tool call without its result (turn {number})"
    for number, turn in enumerate(turns):
        if turn.role != "tool" and not turn.content.strip() and not turn.tool_calls_json:
            return f"turn {number} is blank"
    return None


def interface_problem(task: SourceTask, conversation: Sequence[Message]) -> str | None:
    """What of the interface is not visible in the user's turns, or null.

    Functions: the name followed by a parenthesis, and every parameter's name. Programs: nothing to name.
    """
    if not task.entry_point or task.domain == "swe":
        return None
    text = "\n".join(message.content for message in conversation if message.role == "user")
    if not re.search(rf"\b{re.escape(task.entry_point)}\b", text):
        return f"the function's name {task.entry_point} is not visible"
    missing = [
        name for name in parameters(task.interface, task.entry_point) if not re.search(rf"\b{re.escape(name)}\b", text)
    ]
    return f"parameters not visible: {', '.join(missing)}" if missing else None


def parameters(interface: str, entry_point: str) -> list[str]:
    """Names of the parameters in a signature such as `f(a: int, b=2) -> str`; empty where there is none."""
    start = interface.find(f"{entry_point}(")
    if start < 0:
        return []
    depth, flat = 0, ""
    for char in interface[start + len(entry_point) :]:
        depth += (char in "([{") - (char in ")]}")
        if depth == 0:
            break
        flat += char if depth == 1 and char not in "([{)]}" else ""
    names = [_NAME.match(part.strip().lstrip("*")) for part in flat.split(",")]
    return [match.group() for match in names if match and match.group() != "self"]
