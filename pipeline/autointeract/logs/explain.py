"""`ingest --explain FILE`: line by line, what is kept of one log, as what, and by which rule. Writes nothing.

One output line a record: its number (a line of the file, or its place in the conversation where the format has no
lines: each session says which), kept or not, role, kind, rule, flags, and the beginning of the text (redacted at
the level of the settings; line breaks and control characters shown as escapes). A summary ends each session.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from autointeract.errors import InputError
from autointeract.logs.event import Event, RawSession
from autointeract.logs.opening import open_log
from autointeract.logs.redaction import Redactor
from autointeract.logs.settings import LogsSettings

SHOWN_CHARS = 60
BY_LINE = frozenset(
    ["claude_code", "codex", "specstory", "aider", "cursor_markdown", "claude_export", "swe_together", "swe_chat"]
)
"""Formats whose records are numbered by the lines (rows) of their file."""
_KEY = b"explain"


def explain_file(path: Path, settings: LogsSettings) -> Iterator[str]:
    """The report on one file.

    Raises:
        InputError: it does not exist or is no log (says why).
    """
    if path.is_dir():
        raise InputError(f"{path}: a folder; name one log file in it")
    if not path.is_file():
        raise InputError(f"{path}: no such file")
    log = open_log(path, path.name, settings.max_line_mb << 20, trace=True)
    if log.reason:
        raise InputError(f"{path.name}: {log.reason}")
    for number, raw in enumerate(log.sessions, 1):
        named = f" {printable(raw.native_id)}" if raw.native_id else ""
        counted = "by the lines of the file" if raw.format in BY_LINE else "by their place in the conversation"
        yield f"session {number}: {raw.format}{named}, {len(raw.events)} records, numbered {counted}"
        yield from explain_session(raw, settings)
    for name, count in sorted(log.source.problems.items()):
        yield f"{count} x {name.replace('_', ' ')}"


def explain_session(raw: RawSession, settings: LogsSettings) -> Iterator[str]:
    """The report on one session."""
    redactor = Redactor(settings.redact, _KEY, "", {*raw.names, *(value for _, value in raw.evidence)})
    for event in raw.events:
        yield _line(event, redactor)
    kinds = Counter(event.kind for event in raw.events if event.kind)
    counts = ", ".join(f"{kind} {count}" for kind, count in sorted(kinds.items()))
    identity = ", ".join(sorted({kind for kind, _ in raw.evidence})) or "none"
    yield f"  human turns {len(raw.human_turns())}, assistant turns {raw.assistant_turns()}; {counts}"
    yield f"  identity from: {identity}"


def _line(event: Event, redactor: Redactor) -> str:
    text = event.text.strip()
    if event.tool is not None and event.kind == "tool_call":
        text = str(event.tool.get("name", ""))
    shown = printable(redactor.text(text[:4000])[:SHOWN_CHARS])
    flags = f" [{','.join(event.flags)}]" if event.flags else ""
    kept = "keep" if event.kind else "drop"
    return f"{event.line:>7}  {kept}  {event.role or '-':<9} {event.kind or '-':<11} {event.rule}{flags}  {shown}"


def printable(text: str) -> str:
    """`text` with control and format characters as escapes, so that a terminal shows and never obeys them."""
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
