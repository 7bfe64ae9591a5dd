"""The text that Claude Code's `/export` writes: what the terminal showed.

A person's message runs to the next mark of the screen (`claude_screen`); pasted logs inside it are not marked in any
way. Output of commands hangs on `  ⎿`. What stands before the first message (banner, "Conversation compacted") is no
turn, except the plan that a person approved in the session before.
"""

import re
from collections.abc import Iterator

from autointeract.logs.event import Event, Found, RawSession
from autointeract.logs.identity import home_user
from autointeract.logs.readers.claude_screen import PROMPTS, blocks
from autointeract.logs.readers.head import Head
from autointeract.logs.rules import judge_user_text
from autointeract.logs.source import Source

NAME = "claude_export"
_CALL = r"(?:[A-Z][\w ]{0,40}|mcp__\w+|[\w-]+ - [\w-]+(?: \(MCP\))?)\(.*|Update Todos\s*|Updated? (?:Plan|Todo.*)"
_TOOL = re.compile(rf"[●⏺] ?({_CALL})\Z", re.S)
_UNMARKED_TOOL = re.compile(rf"  (?:{_CALL})\Z", re.S)
_INTERRUPTED = re.compile(r"(?:\[Request interrupted by user[^\]]*\]|Interrupted(?: by user)?\b)")
_BANNER = re.compile(r"✻ Welcome to Claude Code|Claude Code v\d|Conversation compacted|╭─|▐▛")
_PLAN = re.compile(r"╭─+[^\n]*\n│ Plan to implement +│\n(.*?)\n╰─", re.S)
_ASKED = "User answered Claude's questions"
BANNER_LINES = 40


def sniff(head: Head) -> bool:
    """Prompts and answers with the terminal's marks."""
    if head.shape != "text":
        return False
    lines = head.text.split("\n")
    prompts = sum(line.startswith(PROMPTS) for line in lines)
    answers = sum(line.startswith(("● ", "⏺ ")) for line in lines)
    hung = any(line.startswith("  ⎿") for line in lines)
    return answers > 0 and (prompts > 0 or hung or bool(_BANNER.search(head.text[:3000])))


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The session of one export; turns carry the line they begin at."""
    session = RawSession(NAME, agent="claude-code")
    waiting: tuple[str, int, list[str]] | None = None
    for kind, start, block in blocks(source.text()):
        if waiting and kind == "result":
            message, call = _split_call(waiting[2])
            _close(session, "user", waiting[1], message)
            if call:
                _close(session, "answer", waiting[1] + len(message), call)
        elif waiting:
            _close(session, *waiting)
        waiting = (kind, start, block) if kind == "user" else None
        if not waiting:
            _close(session, kind, start, block)
    if waiting:
        _close(session, *waiting)
    yield session


def _close(session: RawSession, kind: str, line: int, block: list[str]) -> None:
    text = "\n".join(block)
    add = session.events.append
    if kind == "user":
        for found in _judge(_unhung(text[1:])):
            add(Event(line, "user", found.kind, found.text, found.rule, flags=found.flags))
    elif kind == "answer":
        _answer(session, line, text)
    elif kind == "folded":
        tool = {"name": "", "arguments": {"text": " ".join(text.split())}, "id": ""}
        add(Event(line, "assistant", "tool_call", "", "folded_tools", tool=tool))
    elif kind == "result":
        _result(session, line, text)
    elif kind == "none":
        _banner(session, line, text)
    elif kind == "box":
        add(Event(line, "", None, _unhung(text[1:]), "input_box"))
    else:
        words = _unhung("\n".join(block[1:]))
        if "Thinking" in block[0] and words:
            add(Event(line, "assistant", "thinking", words, "thinking"))
        else:
            add(Event(line, "", None, text.strip(), "status_line"))


def _banner(session: RawSession, line: int, text: str) -> None:
    for shown in text.split("\n")[:BANNER_LINES]:
        user = home_user(shown.strip("│╭╰─▐▛▜▌▝█▘ "))
        if user and ("home", user) not in session.evidence:
            session.evidence.append(("home", user))
    plan = _PLAN.search(text)
    if plan:
        words = "\n".join(row.strip("│").strip() for row in plan.group(1).split("\n")).strip()
        session.events.append(Event(line, "user", "handoff", words, "plan_handoff", flags=("plan_mode",)))
    elif text.strip():
        session.events.append(Event(line, "", None, text.strip(), "banner"))


def _answer(session: RawSession, line: int, text: str) -> None:
    add = session.events.append
    words = text.lstrip("●⏺").strip()
    call = _TOOL.match(text)
    if words.startswith(("Compact summary (", "Conversation compacted")):
        add(Event(line, "", None, words, "compact_summary"))
    elif words.startswith("User approved Claude's plan"):
        add(Event(line, "user", "approval", "", "plan_approval", flags=("reaches_model",)))
    elif words.startswith(_ASKED):
        add(Event(line, "", None, words, "questions"))
    elif call:
        name, _, arguments = call.group(1).partition("(")
        tool = {"name": name.strip(), "arguments": {"text": arguments.strip().removesuffix(")")}, "id": ""}
        add(Event(line, "assistant", "tool_call", "", "tool_call", tool=tool))
    elif words:
        add(Event(line, "assistant", "text", _unhung(text.lstrip("●⏺")), "assistant_text"))


def _result(session: RawSession, line: int, text: str) -> None:
    add = session.events.append
    # Newer versions put a no-break space behind the mark.
    said = text.lstrip(" \xa0⎿")
    if session.events and session.events[-1].rule == "questions":
        for answer in _answers(text):
            add(Event(line, "user", "button", answer, "answer_picked"))
    elif _INTERRUPTED.match(said):
        add(Event(line, "user", "interrupt", "", "interrupted"))
    elif said.startswith("User rejected"):
        add(Event(line, "user", "rejection", "", "user_rejected"))
    elif said.startswith("⧉"):
        add(Event(line, "", None, _unhung(text), "editor_context"))
    else:
        tool = {"id": "", "is_error": said.startswith("Error")}
        add(Event(line, "tool", "tool_result", _unhung(text.replace("⎿", " ", 1)), "tool_output", tool=tool))


def _answers(text: str) -> list[str]:
    """The answers to a round of questions: `· question → answer`, broken over lines."""
    joined = " ".join(text.lstrip(" \xa0⎿").split())
    return [answer.strip() for _, found, answer in (part.rpartition(" → ") for part in joined.split("· ")) if found]


def _split_call(block: list[str]) -> tuple[list[str], list[str]]:
    """A message, and the tool call after it whose blinking mark was off when the screen was copied."""
    blank = max((index for index, line in enumerate(block) if not line.strip()), default=len(block))
    tail = block[blank + 1 :]
    if tail and _UNMARKED_TOOL.match("\n".join(tail)):
        return block[: blank + 1], ["● " + tail[0].strip(), *tail[1:]]
    return block, []


def _judge(text: str) -> list[Found]:
    if text.startswith("!"):
        return [Found("command", text, "shell_escape")]
    if text.startswith("[Request interrupted"):
        return [Found("interrupt", "", "interrupt")]
    return judge_user_text(text)


def _unhung(text: str) -> str:
    """Text without the two-column hanging indent of the terminal and without blank ends of lines."""
    first, *rest = text.split("\n")
    lines = [first, *(line.removeprefix("  ") for line in rest)]
    return "\n".join(line.rstrip() for line in lines).strip()
