"""ShareGPT rows: `{"id", "conversations": [{"from": "human" | "gpt" | ..., "value"}]}`. They hold no identity."""

from typing import Any

from autointeract.logs.event import Event, RawSession
from autointeract.logs.jsontext import text_of

NAME = "sharegpt"
_HUMAN = {"human", "user"}
_MODEL = {"gpt", "chatgpt", "assistant", "bing", "bard", "model", "claude"}


def sniff_row(row: dict[str, Any]) -> bool:
    """`conversations` (or `items`) of objects with `from` and `value`."""
    turns = row.get("conversations", row.get("items"))
    return (
        isinstance(turns, list)
        and bool(turns)
        and all(isinstance(t, dict) and "from" in t and "value" in t for t in turns[:3])
    )


def read_row(row: dict[str, Any], number: int) -> RawSession | None:
    """The conversation of one row; a chunk of a longer chat may begin with the assistant."""
    turns = row.get("conversations", row.get("items"))
    session = RawSession(NAME, str(row.get("id") or ""))
    for index, turn in enumerate(turns if isinstance(turns, list) else [], 1):
        if not isinstance(turn, dict):
            continue
        sender, text = str(turn.get("from")).lower(), text_of(turn.get("value"))
        if not text.strip():
            continue
        if sender in _HUMAN:
            session.events.append(Event(index, "user", "human", text.strip(), "typed"))
        elif sender in _MODEL:
            session.events.append(Event(index, "assistant", "text", text, "assistant_text"))
        elif sender in ("tool", "function", "observation", "function_response"):
            tool = {"id": "", "is_error": False}
            session.events.append(Event(index, "tool", "tool_result", text, "tool_message", tool=tool))
        elif sender == "function_call":
            tool = {"name": "", "arguments": text, "id": ""}
            session.events.append(Event(index, "assistant", "tool_call", "", "tool_call", tool=tool))
        else:
            session.events.append(Event(index, "", None, text, f"{sender[:20]}_message"))
    return session
