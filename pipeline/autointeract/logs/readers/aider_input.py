"""What one block of aider's `#### ` lines is: words, acts, the echo of an `/ask`, the echo of an architect's answer."""

import re

from autointeract.logs.event import Found

MESSAGE_COMMANDS = frozenset({"ask", "code", "architect", "context", "help", "ok"})
"""Commands whose arguments go to the model as a message."""
_COMMAND = re.compile(r"/(\S*)(?:\s+(.*))?", re.S)
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
ECHO_ENDS = 120
"""Characters at both ends of a long input that are looked for in the answer."""
_WRITTEN_BY_AIDER = (
    "# Fix any errors below, if possible.",
    "I've written your instructions in comments in the code",
    'Find the "AI" comments below (marked with',
)
"""What `/lint` and comments watched in files hand over as if it were input."""


def judge_input(lines: list[str], replies: list[str], asked: str) -> list[Found]:
    """The findings of one block.

    Args:
        lines: its lines without the mark.
        replies: what the assistant wrote since the last words of the person, where aider has counted it.
        asked: the words of a message command directly above, which aider logs a second time; "" = there is none.
    """
    text = "\n".join(lines).strip()
    if _is_echo(text, replies):
        return [Found("injected", text, "architect_echo")]
    if asked and _normal(text) == _normal(asked):
        return [Found(None, text, "echo")]
    findings: list[Found] = []
    rest = list(lines)
    while rest:
        line = rest[0].strip()
        command = _COMMAND.fullmatch(line)
        if command:
            name = _full_name(command.group(1))
            if name in MESSAGE_COMMANDS and command.group(2):
                return findings + _message(name, command.group(2), rest[1:])
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
    return [*findings, _words(words, "typed")] if words else findings


def _full_name(name: str) -> str:
    """The command that aider takes `name` for: any beginning does that fits one command only."""
    fitting = [known for known in _KNOWN if known.startswith(name)]
    return fitting[0] if len(fitting) == 1 else name


def _words(words: str, rule: str, flags: tuple[str, ...] = ()) -> Found:
    if words.startswith(_WRITTEN_BY_AIDER):
        return Found("injected", words, "written_by_aider")
    return Found("human", words, rule, flags)


def _message(name: str, first: str, rest: list[str]) -> list[Found]:
    act = Found("command", f"/{name}", "message_command", ("reaches_model",))
    words = "\n".join([first, *rest]).strip()
    half = len(words.split()) // 2
    tokens = words.split()
    if half and len(tokens) % 2 == 0 and tokens[:half] == tokens[half:]:
        # The run holds the command and then the echo of its words.
        words = _first_half(first, rest)
    return [act, _words(words, "command_args", ("command_args",))]


def _first_half(first: str, rest: list[str]) -> str:
    lines = [first, *rest]
    for size in range(1, len(lines)):
        if _normal("\n".join(lines[:size])) == _normal("\n".join(lines[size:])):
            return "\n".join(lines[:size]).strip()
    return "\n".join(lines).strip()


def _is_echo(text: str, replies: list[str]) -> bool:
    """Whether a block is the last of the replies, or some of them to the end, or their end (without the reasoning)."""
    given = _normal(text)
    if len(given) < MIN_ECHO_CHARS:
        return False
    for first in range(len(replies)):
        said = _normal("\n".join(replies[first:]))
        if said.endswith(given):
            return True
        if (given in said and len(given) > 0.8 * len(said)) or (said in given and len(said) > 0.8 * len(given)):
            return True
        # Lines of the reply that look like aider's own ("> ") are not in it.
        if len(given) > 2 * ECHO_ENDS and said.endswith(given[-ECHO_ENDS:]) and given[:ECHO_ENDS] in said:
            return True
    return False


def _is_answer(line: str) -> bool:
    return line.startswith("Add ") and "to the chat?" in line


def _normal(text: str) -> str:
    return " ".join(text.replace("#### ", " ").split())
