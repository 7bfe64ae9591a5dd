"""Traces: what a forgotten person can be found by - ids made from them, and phrases they typed."""

from collections.abc import Iterable
from typing import Any

from autointeract.records.digest import canonical_json
from autointeract.records.session import Session
from autointeract.records.vocabulary import TYPED_KINDS

MIN_PHRASE = 24
"""Shorter lines are nobody's in particular."""
MAX_PHRASE = 160


class Traces:
    """Ids and phrases of one person.

    Attributes:
        ids: pseudonym, session ids, profile ids, and further ids as they are found.
    """

    def __init__(self, ids: Iterable[str]):
        self.ids = set(ids)
        self._phrases: set[str] = set()

    def learn(self, session: Session) -> None:
        """Takes the id and the phrases of one of the person's sessions."""
        self.ids.add(session.session_id)
        for turn in session.turns:
            if turn.kind in TYPED_KINDS:
                for line in turn.text.split("\n"):
                    phrase = line.strip()[:MAX_PHRASE]
                    if len(phrase) >= MIN_PHRASE:
                        self._phrases |= {phrase, canonical_json(phrase)[1:-1]}

    def touch(self, text: str) -> bool:
        """Whether a text holds an id or a phrase of the person."""
        return any(word in text for word in self.ids) or any(phrase in text for phrase in self._phrases)

    def touch_data(self, data: Any) -> bool:
        """The same for plain data."""
        return self.touch(canonical_json(data))
