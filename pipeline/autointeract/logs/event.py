"""Event and RawSession: what a reader makes of a file, before redaction, pseudonyms and storage.

A reader says for every record what it is (`kind`) and which rule said so. Raw text lives only here, in memory: nothing
of this module is ever written. Plain slotted classes, because a large log holds millions of them.
"""

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from autointeract.records.vocabulary import TYPED_KINDS

SUBMISSIONS = frozenset({"handoff"}) | TYPED_KINDS


class Found(NamedTuple):
    """What a rule found in a user-side text. `kind` null = no turn at all."""

    kind: str | None
    text: str
    rule: str
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class Event:
    """One record of a log, judged.

    Attributes:
        line: 1-based line of the record, or 1-based index where the format has no lines.
        kind: a turn kind (`records.vocabulary.TurnKind`), or null where the record makes no turn (explain shows it).
        rule: name of the rule that decided.
        record: the record's own id in the source ("" = none); equal ids are the same record, in whatever file.
        tool: for tool_call `{"name", "arguments", "id"}`, for tool_result `{"id", "is_error"}`.
    """

    line: int
    role: str
    kind: str | None
    text: str
    rule: str
    at: datetime | None = None
    record: str = ""
    tool: dict[str, Any] | None = None
    flags: tuple[str, ...] = ()


@dataclass(slots=True)
class RawSession:
    """One conversation as a reader found it.

    Attributes:
        native_id: the source's own id ("" = none: an id is made from the content).
        evidence: (kind, value) pairs that may identify the person, e.g. ("home", "ada"); best first is decided later.
        names: words of the session's metadata that name a person, for redaction.
        calls: model calls, where the format counts them (then they are its assistant turns).
        related: native ids of sessions that this one continues or was forked from.
    """

    format: str
    native_id: str = ""
    events: list[Event] = field(default_factory=list)
    evidence: list[tuple[str, str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    repo: str | None = None
    agent: str | None = None
    license: str | None = None
    started_at: datetime | None = None
    related: list[str] = field(default_factory=list)
    calls: int | None = None

    def human_turns(self) -> list[Event]:
        """The events that carry words a person typed and submitted."""
        return [event for event in self.events if event.kind in TYPED_KINDS and event.text.strip()]

    def assistant_turns(self) -> int:
        """Maximal stretches of assistant output between two submissions (words, reaching command, plan hand-off)."""
        if self.calls is not None:
            return self.calls
        count, open_stretch = 0, False
        for event in self.events:
            if event.kind is None:
                continue
            if event.role == "user":
                if (event.kind in SUBMISSIONS and event.text.strip()) or "reaches_model" in event.flags:
                    open_stretch = False
            elif event.kind in ("text", "thinking", "tool_call") and not open_stretch:
                open_stretch = True
                count += 1
        return count


def parse_time(value: Any) -> datetime | None:
    """A time in UTC from ISO text or an epoch number (seconds or milliseconds); null where it is neither."""
    try:
        if isinstance(value, str):
            text = value.strip()
            if text.isdigit():
                return parse_time(int(text))
            moment = datetime.fromisoformat(text)
            return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
        if isinstance(value, int | float) and not isinstance(value, bool):
            seconds = value / 1000 if value > 1e11 else value
            return datetime.fromtimestamp(seconds, UTC) if seconds > 0 else None
        if isinstance(value, datetime):
            return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None
