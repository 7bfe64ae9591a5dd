"""SWE-Together's `oracle_session.jsonl`: a header row, then one row a user turn with what the agent did."""

from collections.abc import Iterator
from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.jsontext import as_list, text_of
from autointeract.logs.readers.head import Head
from autointeract.logs.repo import repo_of
from autointeract.logs.rules import judge_user_text
from autointeract.logs.source import Source

NAME = "swe_together"


def sniff(head: Head) -> bool:
    """A header row, or rows with `turn` and `user_message`."""
    return any(("_is_header" in row) or ("user_message" in row and "turn" in row) for row in head.rows)


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The session of one file; turns carry the line of their row."""
    session = RawSession(NAME)
    for number, row in source.rows():
        if row.get("_is_header"):
            _header(session, row)
        else:
            _row(session, row, number)
    yield session


def _header(session: RawSession, row: dict[str, Any]) -> None:
    session.native_id = str(row.get("session_id") or row.get("_session_id") or "")
    url = row.get("_repo_url") or row.get("repo_url")
    if isinstance(url, str) and url:
        session.repo = repo_of(url)


def _row(session: RawSession, row: dict[str, Any], number: int) -> None:
    at = parse_time(row.get("timestamp"))
    add = session.events.append
    for found in judge_user_text(text_of(row.get("user_message"))):
        add(Event(number, "user", found.kind, found.text, found.rule, at, flags=found.flags))
    if text_of(row.get("agent_text")).strip():
        add(Event(number, "assistant", "text", text_of(row.get("agent_text")), "assistant_text", at))
    for name, field, key in (
        ("Edit", "files_edited", "file_path"),
        ("Write", "files_written", "file_path"),
        ("Bash", "bash_commands", "command"),
    ):
        for value in as_list(row.get(field)):
            tool = {"name": name, "arguments": {key: value if isinstance(value, str) else text_of(value)}, "id": ""}
            add(Event(number, "assistant", "tool_call", "", "tool_call", at, tool=tool))
