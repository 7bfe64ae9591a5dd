"""Keeps reasoning out of what is visible: some models write it into the text itself."""

from autointeract.execution.extract import visible as without_thinking


def visible(text: str) -> tuple[str, str]:
    """(visible text, reasoning that was written into it); either may be ""."""
    shown = without_thinking(text).strip()
    return shown, "" if shown == text.strip() else text
