"""Redactor: the one door through which text of a session passes before it is stored.

Levels: `standard` removes secrets, tokens, e-mail and IP addresses, phone-like numbers, URLs' logins, user names in
paths and the names in the session's metadata. `strict` also removes whole URLs, UUIDs and long hexadecimal strings,
names found by Presidio where it is installed, and (in `build`) the bodies of tool results and thinking. `off` changes
nothing. Redaction is idempotent, keeps equal tokens of a user equal, and needs no state: a placeholder ends in a keyed
digest of what it hides.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
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
        result = list(texts)
        for number, spans in self._spans(texts, suspects).items():
            text, place, pieces = texts[number], 0, []
            for span in settle(spans):
                hidden = text[span.start : span.end]
                if not hidden or (hidden[0] == "<" and hidden[-1] == ">"):
                    continue
                pieces += (text[place : span.start], self._placeholder(span.label, hidden))
                place = span.end
                self.counts[span.label.lower()] += 1
            if pieces:
                result[number] = "".join((*pieces, text[place:]))
        return result

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

    def _spans(self, texts: list[str], suspects: Sequence[bool] | None) -> dict[int, list[Span]]:
        """The private pieces of each text that has some: every finder runs once over all texts joined."""
        found: dict[int, list[Span]] = {}
        everything = range(len(texts))
        self._look(texts, everything, self._names, found)
        chosen = everything if suspects is None else [number for number in everything if suspects[number]]
        self._look(texts, chosen, self._pieces, found)
        if self.level == "strict":
            for number, text in enumerate(texts):
                found.setdefault(number, []).extend(presidio.names(text))
                if "://" in text:
                    found[number].extend(personal.urls(text))
        return found

    def _look(
        self, texts: list[str], chosen: Sequence[int], finder: Callable[[str], Iterator[Span]],
        found: dict[int, list[Span]],
    ) -> None:  # fmt: skip
        """Runs a finder over the chosen texts joined; puts each span to its text."""
        starts, end = [], 0
        for number in chosen:
            starts.append(end)
            end += len(texts[number]) + len(SEPARATOR)
        if not starts:
            return
        for span in finder(SEPARATOR.join([texts[number] for number in chosen])):
            place = bisect_right(starts, span.start) - 1
            number, start = chosen[place], starts[place]
            stop = min(span.end - start, len(texts[number]))
            found.setdefault(number, []).append(Span(span.start - start, stop, span.label))

    def _names(self, text: str) -> Iterator[Span]:
        yield from personal.home_names(text)
        yield from personal.known_names(text, self.names)

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
