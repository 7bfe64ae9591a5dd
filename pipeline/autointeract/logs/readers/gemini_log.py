"""Gemini CLI chats as they are recorded since 2026: JSON lines that are replayed.

The first line is the session's metadata; a line with an `id` is a message, written anew whenever it changes; `$set`
changes metadata or hands over a list of messages; `$rewindTo` takes the conversation back to before a message. Nothing
that a person said is lost: a list of messages adds those not yet seen (compression also writes such a list), and turns
that were taken back are kept with the flag "fork".
"""

from collections.abc import Iterator
from typing import Any

from autointeract.logs.event import RawSession
from autointeract.logs.jsontext import as_dict, as_list
from autointeract.logs.readers import gemini_cli
from autointeract.logs.readers.head import Head
from autointeract.logs.source import Source

NAME = gemini_cli.NAME


def sniff(head: Head) -> bool:
    """Metadata, then messages or changes, a line each."""
    return (
        head.shape == "jsonl"
        and any(gemini_cli.is_header(row) for row in head.rows[:3])
        and any(
            "$set" in row or "$rewindTo" in row or ("id" in row and row.get("type") in gemini_cli.TYPES)
            for row in head.rows
        )
    )


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The session of one recording; turns are numbered by the order in which their messages appeared."""
    header: dict[str, Any] = {}
    messages: dict[str, dict[str, Any]] = {}
    alive: list[str] = []
    taken_back: set[str] = set()

    def put(message: Any) -> None:
        if isinstance(message, dict):
            name = str(message.get("id") or f"unnamed {len(messages)}")
            if name not in messages:
                alive.append(name)
            messages[name] = message

    for _, row in source.rows():
        if "$rewindTo" in row:
            target = str(row["$rewindTo"])
            at = alive.index(target) if target in alive else len(alive)
            taken_back.update(alive[at:])
            del alive[at:]
            continue
        if "type" in row and "id" in row:
            put(row)
            continue
        patch = as_dict(row["$set"]) if "$set" in row else row
        for message in as_list(patch.get("messages")):
            if str(as_dict(message).get("id") or "") not in messages:
                put(message)
        header.update({name: value for name, value in patch.items() if name != "messages"})
    session = gemini_cli.read_messages(header, list(messages.values()))
    for event in session.events:
        if event.record in taken_back:
            event.flags = (*event.flags, "fork")
    yield session
