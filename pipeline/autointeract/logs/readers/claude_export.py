"""The text that Claude Code's `/export` writes: what the terminal showed.

A person's message starts with `> ` (or `❯ `) in the first column and runs to the next line that starts with `●` or `⏺`;
pasted logs inside it are not marked in any way. Output of commands hangs on `  ⎿`. What stands before the first
message (banner, "Conversation compacted") is no turn.
"""

import re
from collections.abc import Iterator

from autointeract.logs.event import Event, Found, RawSession
from autointeract.logs.identity import home_user
from autointeract.logs.readers.head import Head
from autointeract.logs.rules import judge_user_text
from autointeract.logs.source import Source

NAME = "claude_export"
_PROMPTS = ("> ", "❯ ")
_ANSWERS = ("● ", "⏺ ", "●", "⏺")
_CALL = r"(?:[A-Z][\w ]{0,40}|mcp__\w+|[\w-]+ - [\w-]+(?: \(MCP\))?)\(.*|Update Todos\s*|Updated? (?:Plan|Todo.*)"
_TOOL = re.compile(rf"[●⏺] ?({_CALL})\Z", re.S)
_UNMARKED_TOOL = re.compile(rf"  (?:{_CALL})\Z", re.S)
_STATUS = re.compile(r"[✻✽✶✢✳∴*·] ")
_INTERRUPTED = re.compile(r"\s*⎿\s*(?:\[Request interrupted by user[^\]]*\]|Interrupted(?: by user)?\b)")
_BANNER = re.compile(r"✻ Welcome to Claude Code|Claude Code v\d|Conversation compacted|╭─|▐▛")


def sniff(head: Head) -> bool:
    """Prompts and answers with the terminal's marks."""
    if head.shape != "text":
        return False
    lines = head.text.split("\n")
    prompts = sum(line.startswith(_PROMPTS) for line in lines)
    answers = sum(line.startswith(("● ", "⏺ ")) for line in lines)
    hung = any(line.startswith("  ⎿") for line in lines)
    return answers > 0 and (prompts > 0 or hung or bool(_BANNER.search(head.text[:3000])))


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The session of one export; turns carry the line they begin at."""
    session = RawSession(NAME, agent="claude-code")
    block: list[str] = []
    start, kind = 0, "none"
    for number, line in enumerate(source.text().replace("\r", "").split("\n"), 1):
        begins = _begins(line, kind)
        if begins:
            if kind == "user" and begins == "result":
                block, call = _split_call(block)
                _close(session, kind, start, block)
                _close(session, "answer", start + len(block), call)
            else:
                _close(session, kind, start, block)
            kind, start, block = begins, number, []
        block.append(line)
    _close(session, kind, start, block)
    yield session


def _begins(line: str, kind: str) -> str | None:
    if line.startswith(_PROMPTS) or line in (">", "❯"):
        return "user"
    if line.startswith(_ANSWERS):
        return "answer"
    if line.startswith("  ⎿"):
        return "result"
    if _STATUS.match(line) and kind != "user":
        return "status"
    return None


def _close(session: RawSession, kind: str, line: int, block: list[str]) -> None:
    text = "\n".join(block)
    if not block:
        return
    add = session.events.append
    if kind == "none":
        for word in re.findall(r"(?:cwd: )?(~?/\S+)", text):
            user = home_user(word)
            if user:
                session.evidence.append(("home", user))
        if text.strip():
            add(Event(line or 1, "", None, text.strip(), "banner"))
    elif kind == "user":
        for found in _judge(_unhung(text[1:])):
            add(Event(line, "user", found.kind, found.text, found.rule, flags=found.flags))
    elif kind == "answer":
        call = _TOOL.match(text)
        if call:
            name, _, arguments = call.group(1).partition("(")
            tool = {"name": name.strip(), "arguments": {"text": arguments.strip().removesuffix(")")}, "id": ""}
            add(Event(line, "assistant", "tool_call", "", "tool_call", tool=tool))
        else:
            words = _unhung(text.lstrip("●⏺"))
            if words:
                add(Event(line, "assistant", "text", words, "assistant_text"))
    elif kind == "result":
        if _INTERRUPTED.match(text):
            add(Event(line, "user", "interrupt", "", "interrupted"))
        elif text.lstrip(" ⎿").startswith("User rejected"):
            add(Event(line, "user", "rejection", "", "user_rejected"))
        elif text.lstrip(" ⎿").startswith("⧉"):
            add(Event(line, "", None, _unhung(text), "editor_context"))
        else:
            tool = {"id": "", "is_error": "⎿  Error" in text[:20]}
            add(Event(line, "tool", "tool_result", _unhung(text.replace("⎿", " ", 1)), "tool_output", tool=tool))
    else:
        thinking = "Thinking" in block[0]
        words = _unhung("\n".join(block[1:]))
        if thinking and words:
            add(Event(line, "assistant", "thinking", words, "thinking"))
        else:
            add(Event(line, "", None, text.strip(), "status_line"))


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
