"""What one block of aider's `#### ` lines is: words, acts, the echo of an `/ask`, the echo of an architect's answer."""

import re

from autointeract.logs.event import Found

MESSAGE_COMMANDS = frozenset({"ask", "code", "architect", "context", "help", "ok"})
"""Commands whose arguments go to the model as a message."""
_COMMAND = re.compile(r"/([a-z][a-z-]*)(?:\s+(.*))?", re.S)
_KNOWN = frozenset(
    [
        "add",
        "architect",
        "ask",
        "chat-mode",
        "clear",
        "code",
        "commit",
        "context",
        "copy",
        "copy-context",
        "diff",
        "drop",
        "edit",
        "editor",
        "editor-model",
        "exit",
        "git",
        "help",
        "lint",
        "load",
        "ls",
        "map",
        "map-refresh",
        "model",
        "models",
        "multiline-mode",
        "paste",
        "quit",
        "read-only",
        "reasoning-effort",
        "report",
        "reset",
        "run",
        "save",
        "settings",
        "test",
        "think-tokens",
        "tokens",
        "undo",
        "voice",
        "weak-model",
        "web",
        "ok",
    ]
)
_ACTS = frozenset({"", "<blank>", "y", "n", "a", "s", "d", "yes", "no", "all", "skip", "exit", "quit", "none"})
MIN_ECHO_CHARS = 40
_WRITTEN_BY_AIDER = ("# Fix any errors below, if possible.", "I've written your instructions in comments in the code")
"""What `/lint` and comments watched in files hand over as if it were input."""


def judge_input(lines: list[str], answer: str, last_input: str) -> list[Found]:
    """The findings of one block.

    Args:
        lines: its lines without the mark.
        answer: what the assistant wrote since the last input.
        last_input: the last words of the person, which an echo repeats.
    """
    text = "\n".join(lines).strip()
    if _is_echo(text, answer):
        return [Found("injected", text, "architect_echo")]
    if text.startswith(_WRITTEN_BY_AIDER):
        return [Found("injected", text, "written_by_aider")]
    if last_input and _normal(text) == _normal(last_input) and not answer.strip():
        return [Found(None, text, "echo")]
    findings: list[Found] = []
    rest = list(lines)
    while rest:
        line = rest[0].strip()
        command = _COMMAND.fullmatch(line)
        if command and command.group(1) in _KNOWN:
            if command.group(1) in MESSAGE_COMMANDS and command.group(2):
                return findings + _message(command.group(1), command.group(2), rest[1:])
            findings.append(Found("command", line, "command"))
        elif line.startswith("!") and len(line) > 1:
            findings.append(Found("command", line, "shell_escape"))
        elif line.lower() in _ACTS or _is_answer(line):
            if line:
                kind = "approval" if line.lower() in ("y", "yes", "a", "all") else "button"
                findings.append(Found("command" if line in ("exit", "quit") else kind, line, "short_answer"))
        else:
            break
        rest.pop(0)
    words = "\n".join(rest).strip()
    return [*findings, Found("human", words, "typed")] if words else findings


def _message(name: str, first: str, rest: list[str]) -> list[Found]:
    act = Found("command", f"/{name}", "message_command", ("reaches_model",))
    words = "\n".join([first, *rest]).strip()
    half = len(words.split()) // 2
    tokens = words.split()
    if half and len(tokens) % 2 == 0 and tokens[:half] == tokens[half:]:
        # The run holds the command and then the echo of its words.
        words = _first_half(first, rest)
    return [act, Found("human", words, "command_args", ("command_args",))]


def _first_half(first: str, rest: list[str]) -> str:
    lines = [first, *rest]
    for size in range(1, len(lines)):
        if _normal("\n".join(lines[:size])) == _normal("\n".join(lines[size:])):
            return "\n".join(lines[:size]).strip()
    return "\n".join(lines).strip()


def _is_echo(text: str, answer: str) -> bool:
    said, input_text = _normal(answer), _normal(text)
    if len(input_text) < MIN_ECHO_CHARS or not said:
        return False
    return (
        input_text == said
        or (input_text in said and len(input_text) > 0.8 * len(said))
        or (said in input_text and len(said) > 0.8 * len(input_text))
    )


def _is_answer(line: str) -> bool:
    return line.startswith("Add ") and "to the chat?" in line


def _normal(text: str) -> str:
    return " ".join(text.replace("#### ", " ").split())
