"""Cursor's Markdown export: `_Exported on ... from Cursor (version)_`, then blocks headed `**User**` and `**Cursor**`.

A header counts only after a rule (`---`), since both occur inside answers. There are no tool calls in this form.
"""

import re
from collections.abc import Iterator

from autointeract.logs.event import Event, RawSession
from autointeract.logs.readers.head import Head
from autointeract.logs.rules import judge_user_text
from autointeract.logs.source import Source

NAME = "cursor_markdown"
_EXPORTED = re.compile(r"^_Exported on .* from Cursor\b.*_\s*$", re.M)
_RULES = re.compile(r"(?:\s*\n---\s*)+\Z")


def sniff(head: Head) -> bool:
    """The export line near the top."""
    return head.shape == "text" and bool(_EXPORTED.search(head.text[:3000]))


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The chat of one export; turns carry the line of their header."""
    lines = source.text().split("\n")
    session = RawSession(NAME, agent="cursor")
    starts: list[tuple[int, str]] = []
    for number, line in enumerate(lines):
        word = line.strip()
        if word in ("**User**", "**Cursor**") and _after_rule(lines, number):
            starts.append((number, word.strip("*")))
    for place, (number, who) in enumerate(starts):
        stop = starts[place + 1][0] if place + 1 < len(starts) else len(lines)
        body = _RULES.sub("", "\n" + "\n".join(lines[number + 1 : stop])).strip()
        if who == "User":
            for found in judge_user_text(body):
                session.events.append(Event(number + 1, "user", found.kind, found.text, found.rule, flags=found.flags))
        elif body:
            session.events.append(Event(number + 1, "assistant", "text", body, "assistant_text"))
    yield session


def _after_rule(lines: list[str], number: int) -> bool:
    for line in reversed(lines[max(0, number - 4) : number]):
        if line.strip():
            return line.strip() == "---" or bool(_EXPORTED.match(line))
    return number < 8
