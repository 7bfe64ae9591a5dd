"""aider's chat history (`.aider.chat.history.md`): launches, `#### ` lines of the person, `> ` lines of the tool.

Every `#### ` line that aider writes ends in two spaces; a heading of the model does not. In architect mode the model's
whole answer is logged again as `#### ` lines and is told by being equal to the text before it. `/ask words` is followed
by an echo of the words. A file holds every launch since it was made; a launch is a session.
"""

import re
from collections.abc import Iterator

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.identity import home_user
from autointeract.logs.readers.aider_input import judge_input
from autointeract.logs.readers.head import Head
from autointeract.logs.source import Source
from autointeract.records.digest import digest

NAME = "aider"
_START = re.compile(r"# aider chat started at (\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})\s*$")
_ANSWER = re.compile(r"> .*\[(?:Y|N|Yes|No|y|n)\][^:]*: ?(.*)$")
_UP = re.compile(r"> (?:Aider v\d|(?:Main m|M)odels?: )")
_LAUNCH = re.compile(r"> \S*aider\S* .*--yes(?:-always)?\b")
"""A launch in which aider answers its own questions."""
_MODEL = re.compile(r"> (?:Main model|Model|Models?): (\S+)")


def sniff(head: Head) -> bool:
    """A launch line; or the person's lines as aider ends them, beside lines of the tool."""
    if head.shape != "text":
        return False
    lines = head.text.split("\n")
    if any(_START.match(line) for line in lines):
        return True
    return any(line.startswith("#### ") and line.endswith("  ") for line in lines) and any(
        line.startswith("> Tokens:") for line in lines
    )


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """One session a launch (launches without a word are left out); turns carry the line their input begins at."""
    lines = source.text().split("\n")
    strict = any(line.startswith("#### ") and line.endswith("  ") for line in lines)
    launch = _Launch("", strict)
    for number, line in enumerate(lines, 1):
        start = _START.match(line)
        if start:
            yield from launch.finish()
            launch = _Launch(start.group(1), strict)
        else:
            launch.add(number, line)
    yield from launch.finish()


class _Launch:
    """One launch, line by line."""

    def __init__(self, started: str, strict: bool):
        self.session = RawSession(NAME, agent="aider")
        self.started = started
        self.session.started_at = parse_time(started.replace(" ", "T")) if started else None
        self.strict = strict
        self.block: list[str] = []
        self.kind, self.line = "", 0
        self.answer: list[str] = []
        self.asked = ""
        self.before = ""
        self.started_up = self.answered = self.automatic = False

    def add(self, number: int, line: str) -> None:
        """Takes one line."""
        if self._is_input(line):
            kind = "input"
        elif line.startswith("> ") or line == ">":
            kind = "tool"
        elif not line.strip() and self.kind != "answer":
            kind = ""
        else:
            kind = "answer"
        if kind != self.kind:
            self._close()
            self.kind, self.line = kind, number
        if kind:
            self.block.append(line)
        if line.strip():
            self.before = line

    def finish(self) -> Iterator[RawSession]:
        """The session, unless nothing happened."""
        self._close()
        if self.session.events:
            first = [event.text for event in self.session.events[:3]]
            self.session.native_id = digest([self.started, first], 32) if self.started else ""
            yield self.session

    def _is_input(self, line: str) -> bool:
        if not line.startswith("####") or (len(line) > 4 and line[4] != " "):
            return False
        if self.strict:
            return line.endswith("  ")
        # An editor took the trailing spaces away: only the place tells.
        return self.kind in ("input", "") or self.before.startswith(">")

    def _close(self) -> None:
        block, kind, self.block = self.block, self.kind, []
        if kind == "input":
            self._input([line[5:].rstrip() for line in block])
        elif kind == "tool":
            self.asked = ""
            self._tool(block)
        elif kind == "answer":
            text = "\n".join(block).strip()
            self.asked = ""
            self.answer.append(text)
            if text and not self.started_up:
                # The rest of a command line that held a message of many lines.
                self.session.events.append(Event(self.line, "", None, text, "before_input"))
            elif text:
                self.session.events.append(Event(self.line, "assistant", "text", text, "assistant_text"))

    def _input(self, words: list[str]) -> None:
        # Only an answer that aider has counted ("> Tokens:") can be logged again as input.
        findings = judge_input(words, self.answer if self.answered else [], self.asked)
        self.started_up = True
        self.asked = ""
        for found in findings:
            self.session.events.append(Event(self.line, "user", found.kind, found.text, found.rule, flags=found.flags))
            if found.rule == "command_args":
                self.asked = found.text
        if any(found.rule != "short_answer" for found in findings):
            self.answer, self.answered = [], False

    def _tool(self, block: list[str]) -> None:
        for line in block:
            if _UP.match(line):
                self.started_up = True
            elif _LAUNCH.match(line):
                self.automatic = True
            elif line.startswith("> Tokens:"):
                self.answered = True
                self.session.calls = (self.session.calls or 0) + 1
            answered = _ANSWER.match(line)
            if answered and answered.group(1).strip() and not self.automatic:
                kind = "approval" if answered.group(1).strip().lower() in ("y", "yes", "a", "all") else "button"
                self.session.events.append(Event(self.line, "user", kind, answered.group(1).strip(), "confirmation"))
            model = _MODEL.match(line)
            if model:
                self.session.agent = f"aider/{model.group(1)}"
            user = home_user(line)
            if user and ("home", user) not in self.session.evidence:
                self.session.evidence.append(("home", user))
        text = "\n".join(line[2:].rstrip() for line in block).strip()
        if text:
            tool = {"id": "", "is_error": False}
            self.session.events.append(Event(self.line, "tool", "tool_result", text, "tool_line", tool=tool))
