"""SWE-chat's table `conversations`: one row an event, sessions in consecutive rows (Parquet, streamed, or JSON lines).

Labels that came with a turn (intent; both sets of pushback labels) are kept as flags `source_intent:...` and
`source_pushback:...`. A queued prompt counts once: where it was typed, unless it comes again as a prompt or was taken
back. The table's own split of prompts and injected text is not trusted: the human-turn rules decide,
and what they call typed but the table calls injected stays injected.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from autointeract.logs.event import Event, RawSession, parse_time
from autointeract.logs.jsontext import loads, text_of
from autointeract.logs.rules import judge_user_text

NAME = "swe_chat"
LICENSE = "ODC-BY"
COLUMNS = (
    "turn_id", "session_id", "repo_id", "user_id", "turn_number", "role", "turn_type", "content", "agent", "timestamp",
    "tool_name", "tool_call_id", "tool_input_json", "queue_op_subtype", "prompt_intent", "prompt_pushback",
)  # fmt: skip
"""The columns that are read; the table has wide ones besides."""
MACHINE_REPOS = frozenset({"dayhaysoos/nimbus"})
"""Repositories whose sessions a program made."""
LONG_ENOUGH = 15
"""From this length on, a queued prompt found inside a longer later one counts as delivered with it."""
INTENTS = {"create new code": "create"}
PUSHBACK = frozenset(
    [
        "correction",
        "rejection",
        "failure_report",
        "pacing_complaint",
        "takeover",
        "requirement_change",
        "non_pushback",
        "other",
    ]
)
"""Both label sets: that of the first data card and that of the paper's final codebook."""


def sniff_table(row: dict[str, Any]) -> bool:
    """The table's own columns."""
    return {"session_id", "turn_type", "content", "role"} <= row.keys()


def read_table(rows: Iterable[tuple[int, Any]]) -> Iterator[RawSession]:
    """The sessions of consecutive rows ((number, row) pairs)."""
    session: RawSession | None = None
    current: str | None = None
    queue: list[Event] = []
    for number, row in rows:
        if not isinstance(row, dict) or not isinstance(row.get("session_id"), str):
            continue
        if row["session_id"] != current:
            if session is not None:
                yield session
            current, session = row["session_id"], _start(row)
            queue = []
        if session is not None and row.get("repo_id") not in MACHINE_REPOS:
            _event(session, row, number, queue)
    if session is not None:
        yield session


def _start(row: dict[str, Any]) -> RawSession:
    session = RawSession(NAME, row["session_id"], license=LICENSE)
    session.repo = row["repo_id"] if isinstance(row.get("repo_id"), str) else None
    session.agent = row["agent"] if isinstance(row.get("agent"), str) else None
    user = row.get("user_id")
    if isinstance(user, str | int) and str(user).strip():
        session.evidence.append(("account", f"swe-chat/{user}"))
        if isinstance(user, str):
            session.names.add(user)
    return session


def _event(session: RawSession, row: dict[str, Any], number: int, queue: list[Event]) -> None:
    kind, text = row.get("turn_type"), text_of(row.get("content"))
    at, record = parse_time(row.get("timestamp")), str(row.get("turn_id") or "")
    add = session.events.append
    if kind == "user_prompt":
        labels = _labels(row)
        _settle(queue, text, "queued_delivered")
        for found in judge_user_text(text):
            flags = (*found.flags, *labels) if found.kind in ("human", "rejection") else found.flags
            add(Event(number, "user", found.kind, found.text, found.rule, at, record, flags=flags))
    elif kind == "system_injected":
        found = next(iter(judge_user_text(text)), None)
        act = found is not None and found.kind not in ("human", None)
        add(Event(number, "user", found.kind if found and act else "injected", found.text if found and act else text,
                  found.rule if found and act else "source_injected", at, record))  # fmt: skip
    elif kind == "summary":
        add(Event(number, "user", "compaction", text, "summary", at, record))
    elif kind in ("assistant_response", "assistant_thinking"):
        if text.strip():
            stored = "thinking" if kind == "assistant_thinking" else "text"
            add(Event(number, "assistant", stored, text, kind, at, record))
    elif kind == "tool_use":
        tool = {
            "name": str(row.get("tool_name") or ""),
            "arguments": _arguments(row),
            "id": str(row.get("tool_call_id") or ""),
        }
        add(Event(number, "assistant", "tool_call", "", "tool_call", at, record, tool))
    elif kind == "tool_result":
        tool = {"id": str(row.get("tool_call_id") or ""), "is_error": False}
        add(Event(number, "tool", "tool_result", text, "tool_result", at, record, tool))
    elif kind == "queue_operation" and row.get("queue_op_subtype") == "user_prompt_enqueued":
        for found in judge_user_text(text):
            if found.kind == "human":
                event = Event(number, "user", "human", found.text, "queued", at, record, flags=("queued",))
                queue.append(event)
                add(event)
    elif kind == "queue_operation" and row.get("queue_op_subtype") == "user_prompt_discarded":
        _settle(queue, text or (queue[-1].text if queue else ""), "queued_discarded")
    else:
        add(Event(number, "", None, "", f"{kind}_row", at, record))


def _settle(queue: list[Event], text: str, rule: str) -> None:
    """The queued prompts that `text` repeats (one message, or several that were delivered together) make no turn."""
    said = " ".join(text.split())
    for event in [event for event in queue if (words := " ".join(event.text.split())) == said or
                  (len(words) >= LONG_ENOUGH and words in said)]:  # fmt: skip
        event.kind, event.rule = None, rule
        queue.remove(event)


def _labels(row: dict[str, Any]) -> tuple[str, ...]:
    flags = []
    intent, pushback = row.get("prompt_intent"), row.get("prompt_pushback")
    if isinstance(intent, str) and intent:
        flags.append(f"source_intent:{INTENTS.get(intent, intent)}")
    if isinstance(pushback, str) and pushback in PUSHBACK:
        flags.append(f"source_pushback:{pushback}")
    return tuple(flags)


def _arguments(row: dict[str, Any]) -> Any:
    text = row.get("tool_input_json")
    try:
        return loads(text.encode("utf-8", "replace")) if isinstance(text, str) and text else {}
    except ValueError:
        return {"text": text}
