"""What SpecStory's User turns are: words, VS Code's buttons, attachments alone, and bodies of commands and skills.

SpecStory keeps the text that a command or a skill stands for as a User turn of its own and does not mark it: it follows
the command at once, or the call of the tool `Skill` that the assistant's turn ends with.
"""

import re
from datetime import datetime, timedelta

from autointeract.logs.event import Event, Found
from autointeract.logs.readers.copilot_chat import BUTTON
from autointeract.logs.rules import judge_user_text

_ATTACHMENTS = re.compile(r"(?:@[^\s]+(?::\d+(?:-\d+)?)?\s*)+")
_PATHLIKE = re.compile(r"@\S*[\\/.]\S*(?::\d+(?:-\d+)?)?")
_OUTPUT = re.compile(r"(/[\w:.-]+[^\n]*)\n\s*⎿.*", re.S)
_SKILL_TOOLS = frozenset({"Skill", "SlashCommand"})
AT_ONCE = timedelta(seconds=1)
BODY_CHARS = 400
"""Where turns have no time, a text that follows a command and is shorter is taken for the person's."""


class UserSide:
    """Judges the User turns of one session in their order."""

    def __init__(self) -> None:
        self._after = ""
        self._at: datetime | None = None

    def answered(self, last: Event | None) -> None:
        """Notes a turn of the assistant by its last event."""
        called = last.tool if last is not None and last.kind == "tool_call" and last.tool else {}
        self._after = "skill" if called.get("name") in _SKILL_TOOLS else ""

    def hear(self, body: str, at: datetime | None) -> list[Found]:
        """The findings of one User turn."""
        findings = judge_specstory_user(body)
        if findings and all(found.kind == "human" for found in findings) and self._is_body(body, at):
            findings = [Found("injected", body, "command_body")]
        self._after = "command" if findings and findings[0].rule == "slash_command" else ""
        self._at = at
        return findings

    def _is_body(self, body: str, at: datetime | None) -> bool:
        if self._after != "command":
            return self._after == "skill"
        if at is None or self._at is None:
            return len(body) >= BODY_CHARS
        return abs(at - self._at) <= AT_ONCE


def judge_specstory_user(body: str) -> list[Found]:
    """What a body under a User header is, whatever stands before it."""
    if BUTTON.fullmatch(body):
        return [Found("button", body, "chat_button")]
    if _ATTACHMENTS.fullmatch(body) and all(_PATHLIKE.fullmatch(word) for word in body.split()):
        return [Found("button", body, "attachment_only")]
    command = _OUTPUT.fullmatch(body)
    return judge_user_text(command.group(1) if command else body)
