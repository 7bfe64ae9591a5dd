"""QueueLedger: messages typed while Claude Code was working, each counted once wherever its text shows up.

A queued text may be stored as an `enqueue` record alone, or again as a user row or attachment when it is delivered, or
be taken back. `last-prompt` rows may hold the only copy of a prompt. The ledger settles this when all rows are read.
"""

from autointeract.logs.event import Event
from autointeract.logs.readers.claude_row import Row
from autointeract.logs.rules import judge_user_text

LONG_ENOUGH = 15
"""From this length on, a queued text found inside a longer later message counts as delivered with it."""


class QueueLedger:
    """Follows one session's queue.

    Attributes:
        events: the session's list of events; queue records are put into it and dropped again when settled.
    """

    def __init__(self, events: list[Event]):
        self.events = events
        self.queued: list[Event] = []
        self.pending: list[Event] = []
        self.said: list[tuple[int, str]] = []

    def operation(self, number: int, row: Row) -> None:
        """Takes an `enqueue`, `dequeue`, `remove` or `popAll` record."""
        operation, content = row.operation, row.content
        if operation == "enqueue" and isinstance(content, str):
            at = row.timestamp
            for found in judge_user_text(content):
                flags = (*found.flags, "queued")
                rule = "queued" if found.kind == "human" else found.rule
                event = Event(number, "user", found.kind, found.text, rule, at, flags=flags)
                self.events.append(event)
                self.queued.append(event)
            self.pending += self.queued[-1:]
        elif operation == "popAll":
            for event in self.pending:
                event.rule = "queue_taken_back"
            self.pending.clear()
        elif operation in ("dequeue", "remove") and self.pending:
            self.pending.pop(0)

    def last_prompt(self, number: int, row: Row) -> None:
        """Takes a `last-prompt` row: kept only if no other row holds its text."""
        text = row.lastPrompt
        if isinstance(text, str):
            for found in judge_user_text(text):
                event = Event(
                    number, "user", found.kind, found.text, "last_prompt", flags=(*found.flags, "last_prompt")
                )
                self.events.append(event)
                self.queued.append(event)

    def submitted(self, text: str, number: int) -> None:
        """Notes a message stored as a row of its own."""
        self.said.append((number, _normal(text)))

    def settle(self) -> None:
        """Drops queue records that are told elsewhere or were taken back; the rest are what the person said."""
        open_rows = list(self.said)
        for event in self.queued:
            if event.rule == "queue_taken_back":
                event.kind = None
            elif event.kind in ("command", "injected", "interrupt"):
                if event.rule == "last_prompt":
                    event.kind = None
            elif event.rule == "last_prompt":
                self._settle_last_prompt(event)
            else:
                match = _delivered(event, open_rows)
                if match is not None:
                    event.kind, event.rule = None, "queued_delivered"
                    if open_rows[match][1] == _normal(event.text):
                        del open_rows[match]

    def _settle_last_prompt(self, event: Event) -> None:
        text = _normal(event.text)
        start = text.rstrip("….")
        others = [said for _, said in self.said]
        others += [_normal(other.text) for other in self.queued if other.kind == "human" and other is not event]
        if any(said == text or (start and said.startswith(start)) for said in others):
            event.kind, event.rule = None, "last_prompt_known"


def _delivered(event: Event, rows: list[tuple[int, str]]) -> int | None:
    text = _normal(event.text)
    for place, (number, said) in enumerate(rows):
        if number > event.line and (said == text or (len(text) >= LONG_ENOUGH and text in said)):
            return place
    return None


def _normal(text: str) -> str:
    return " ".join(text.split())
