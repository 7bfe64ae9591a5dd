"""What Claude Code itself puts in the person's place without a tag: states of tasks, answers to commands, commands.

Met in real transcripts: bare JSON of a background task in the queue, "Unknown skill: x" as a user message, and
`/rate-limit-options`, which the interface gives by itself when a limit is reached.
"""

import re

from autointeract.logs.event import Found

_TASK = re.compile(r'\{\s*"task_id":\s*"[^"]*",\s*"(?:tool_use_id|description|task_type|status)":')
_UNKNOWN = re.compile(r"Unknown (?:skill|slash command): [\w:./-]+")
_AUTO = "/rate-limit-options"


def task_record(text: str) -> Found | None:
    """The state of a background task, queued as bare JSON."""
    return Found("injected", text, "task_record") if text.startswith("{") and _TASK.match(text) else None


def unknown_command(text: str) -> Found | None:
    """The interface's answer to a command that it does not know."""
    return Found("injected", text, "unknown_command") if _UNKNOWN.fullmatch(text) else None


def auto_command(text: str) -> Found | None:
    """A command that the interface gives by itself."""
    return Found("injected", text, "auto_command") if text == _AUTO else None


HARNESS_RULES = (task_record, unknown_command, auto_command)
"""Asked after `INJECTED_RULES`; the first that answers decides."""
