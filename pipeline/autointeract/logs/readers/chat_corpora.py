"""WildChat and LMSYS rows: one conversation a row, with roles. WildChat knows devices; LMSYS knows nobody.

The device of a WildChat user is the hashed address together with the browser: the address alone is shared by many.
"""

from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.jsontext import as_list, text_of

NAME = "chat_corpus"


def sniff_row(row: dict[str, Any]) -> bool:
    """`conversation` of objects with `role` and `content`."""
    turns = row.get("conversation")
    return (
        isinstance(turns, list)
        and bool(turns)
        and all(isinstance(t, dict) and "role" in t and "content" in t for t in turns[:3])
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The conversation of one row."""
    turns = [turn for turn in as_list(row.get("conversation")) if isinstance(turn, dict)]
    device = _device(row, turns)
    wildchat = bool(device) or "conversation_hash" in row
    name, terms = ("wildchat", "ODC-BY") if wildchat else ("lmsys", "LMSYS-Chat-1M: no redistribution")
    session = RawSession(name, str(row.get("conversation_hash") or row.get("conversation_id") or ""), license=terms)
    session.agent = row["model"] if isinstance(row.get("model"), str) else None
    session.started_at = parse_time(row.get("timestamp"))
    if device:
        session.evidence.append(("device", device))
    for index, turn in enumerate(turns, 1):
        text, at = text_of(turn.get("content")), parse_time(turn.get("timestamp"))
        record = str(turn.get("turn_identifier") or "")
        flags = tuple(name for name in ("toxic", "redacted") if turn.get(name) is True)
        flags = tuple("source_redacted" if name == "redacted" else name for name in flags)
        if not text.strip():
            continue
        if turn.get("role") == "user":
            session.events.append(Event(index, "user", "human", text.strip(), "typed", at, record, flags=flags))
        elif turn.get("role") == "assistant":
            # WildChat gives a question and its answer one identifier.
            answer = f"{record}/a" if record else ""
            session.events.append(Event(index, "assistant", "text", text, "assistant_text", at, answer, flags=flags))
        else:
            session.events.append(Event(index, "", None, text, "system_message", at))
    return session


def _device(row: dict[str, Any], turns: list[dict[str, Any]]) -> str:
    for place in (row, *turns):
        address, header = place.get("hashed_ip"), place.get("header")
        if isinstance(address, str) and address:
            agent = header.get("user-agent") if isinstance(header, dict) else ""
            return f"{address}\x1f{agent or ''}"
    return ""
