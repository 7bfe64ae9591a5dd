"""Redactor: the one door through which text of a session passes before it is stored.

Levels: `standard` removes secrets, tokens, e-mail and IP addresses, phone-like numbers, URLs' logins, user names in
paths and the names in the session's metadata. `strict` also removes whole URLs, UUIDs and long hexadecimal strings,
names found by Presidio where it is installed, and (in `build`) the bodies of tool results and thinking. `off` changes
nothing. Redaction is idempotent, keeps equal tokens of a user equal, and needs no state: a placeholder ends in a keyed
digest of what it hides.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate
from typing import Literal

from autointeract.logs.identity import keyed
from autointeract.logs.redaction import personal, presidio, secrets
from autointeract.logs.redaction.assigned import assigned_secrets, query_secrets
from autointeract.logs.redaction.classes import SEPARATOR, Images
from autointeract.logs.redaction.span import Span, settle

Level = Literal["strict", "standard", "off"]


class Redactor:
    """Redacts the texts of one user.

    Attributes:
        counts: replaced pieces by class, since the object was made.
    """

    def __init__(self, level: Level, key: bytes, user: str, names: Iterable[str] = ()):
        self.level = level
        self.key = key
        self.user = user
        self.names = personal.name_words(names)
        self.counts: Counter[str] = Counter()
        self._made: dict[tuple[str, str], str] = {}

    def text(self, text: str) -> str:
        """`text` with private pieces replaced by placeholders such as `<EMAIL_1f3a9c>`."""
        return self.texts([text])[0]

    def texts(self, texts: list[str], suspects: Sequence[bool] | None = None) -> list[str]:
        """Several texts at once, which is much faster; a text without private pieces comes back as the same object.

        NUL must not occur in them (`records.clean_text`). `suspects` is what `gate.suspects` said of each (null: not
        asked, all are looked at).
        """
        if self.level == "off" or not texts:
            return texts
        joined = SEPARATOR.join(texts)
        place, pieces = 0, []
        for span in settle(_within(joined, self._spans(texts, joined, suspects))):
            hidden = joined[span.start : span.end]
            if not hidden or (hidden[0] == "<" and hidden[-1] == ">"):
                continue
            pieces += (joined[place : span.start], self._placeholder(span.label, hidden))
            place = span.end
            self.counts[span.label.lower()] += 1
        if not pieces:
            return list(texts)
        shown = "".join((*pieces, joined[place:])).split(SEPARATOR)
        return [old if old == new else new for old, new in zip(texts, shown, strict=True)]

    @property
    def total(self) -> int:
        """Replaced pieces so far."""
        return self.counts.total()

    def digest(self, hidden: str) -> str:
        """The keyed digest that a placeholder for `hidden` would end in."""
        return keyed(self.key, "token", self.user, "", hidden)[:6]

    def _placeholder(self, label: str, hidden: str) -> str:
        known = self._made.get((label, hidden))
        if known is None:
            token = hidden.lower() if label in ("EMAIL", "NAME", "USER") else hidden
            group = "NAME" if label == "USER" else label
            known = self._made[label, hidden] = f"<{label}_{keyed(self.key, 'token', self.user, group, token)[:6]}>"
        return known

    def _spans(self, texts: list[str], joined: str, suspects: Sequence[bool] | None) -> Iterator[Span]:
        """The private pieces of the joined texts: every finder runs once over all texts that it has to look at."""
        yield from personal.home_names(joined)
        yield from personal.known_names(joined, self.names)
        if suspects is None or all(suspects):
            yield from self._pieces(joined)
        elif any(suspects):
            places = list(accumulate((len(text) + len(SEPARATOR) for text in texts), initial=0))
            chosen = [number for number, suspected in enumerate(suspects) if suspected]
            starts = list(accumulate((len(texts[number]) + len(SEPARATOR) for number in chosen), initial=0))
            for span in self._pieces(SEPARATOR.join([texts[number] for number in chosen])):
                number = bisect_right(starts, span.start) - 1
                shift = places[chosen[number]] - starts[number]
                yield Span(span.start + shift, min(span.end, starts[number + 1] - len(SEPARATOR)) + shift, span.label)
        if self.level == "strict":
            place = 0
            for text in texts:
                found = presidio.names(text)
                yield from (Span(span.start + place, span.end + place, span.label) for span in found)
                place += len(text) + len(SEPARATOR)
            yield from personal.urls(joined)

    def _pieces(self, text: str) -> Iterator[Span]:
        images = Images(text)
        yield from secrets.token_runs(images, self.level == "strict")
        yield from secrets.marked_secrets(text)
        yield from assigned_secrets(images)
        yield from personal.phones(images)
        yield from personal.ips(images)
        if "@" in text:
            yield from personal.emails(text)
        if "://" in text:
            yield from personal.url_logins(text)
            yield from query_secrets(text)


def _within(joined: str, spans: Iterable[Span]) -> Iterator[Span]:
    """The spans, each ended where its text ends."""
    for span in spans:
        end = joined.find("\x00", span.start, span.end + 1)
        yield span if end < 0 else Span(span.start, end - 1, span.label)
