"""Removes what a harness glued onto a person's words: reminders, editor selections, opened files."""

import re

_BLOCKS = re.compile(
    r"<(system-reminder|ide_selection|ide_opened_file|ide_diagnostics|post-tool-use-hook|user-prompt-submit-hook|"
    r"environment_details|attached_files|editor_context|task_reminder|new-diagnostics|system[_-]instructions?|"
    r"agents-instructions)\b[^>]*>.*?</\1>",
    re.S,
)


def strip_context(text: str) -> str:
    """`text` without embedded context blocks, stripped of outer blank space."""
    return (_BLOCKS.sub("", text) if "<" in text else text).strip()
