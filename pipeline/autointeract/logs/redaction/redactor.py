"""Redactor: the one door through which text of a session passes before it is stored.

Levels: `standard` removes secrets, tokens, e-mail and IP addresses, phone-like numbers, URLs' logins, user names in
paths and the names in the session's metadata. `strict` also removes whole URLs, UUIDs and long hexadecimal strings,
names found by Presidio where it is installed, and (in `build`) the bodies of tool results and thinking. `off` changes
nothing. Redaction is idempotent, keeps equal tokens of a user equal, and needs no state: a placeholder ends in a keyed
digest of what it hides.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from autointeract.logs.identity import keyed
from autointeract.logs.redaction import personal, presidio, secrets
from autointeract.logs.redaction.assigned import assigned_secrets
from autointeract.logs.redaction.classes import digit_image, plain_bytes, token_image
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

    def text(self, text: str) -> str:
        """`text` with private pieces replaced by placeholders such as `<EMAIL_1f3a9c>`."""
        if self.level == "off" or len(text) < 3:
            return text
        spans = self._spans(text)
        if not spans:
            return text
        pieces, place = [], 0
        for span in settle(spans):
            hidden = text[span.start : span.end]
            if hidden.startswith("<") and hidden.endswith(">"):
                continue
            pieces += (text[place : span.start], self._placeholder(span.label, hidden))
            place = span.end
            self.counts[span.label.lower()] += 1
        return "".join((*pieces, text[place:]))

    def data(self, value: Any) -> Any:
        """Plain JSON data with every string in it redacted, keys included."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {
                self.text(str(key)) if len(str(key)) > 12 else str(key): self.data(item) for key, item in value.items()
            }
        if isinstance(value, list | tuple):
            return [self.data(item) for item in value]
        return value

    @property
    def total(self) -> int:
        """Replaced pieces so far."""
        return self.counts.total()

    def digest(self, hidden: str) -> str:
        """The keyed digest that a placeholder for `hidden` would end in."""
        return keyed(self.key, "token", self.user, "", hidden)[:6]

    def _placeholder(self, label: str, hidden: str) -> str:
        token = hidden.lower() if label in ("EMAIL", "NAME", "USER") else hidden
        group = "NAME" if label == "USER" else label
        return f"<{label}_{keyed(self.key, 'token', self.user, group, token)[:6]}>"

    def _spans(self, text: str) -> list[Span]:
        raw = plain_bytes(text)
        digits = digit_image(raw)
        low = text.lower()
        strict = self.level == "strict"
        spans: list[Span] = []
        if len(text) >= 12:
            spans += secrets.known_formats(text)
            if b"0" in digits:
                spans += secrets.random_strings(text, token_image(raw), digits, strict)
                spans += personal.phones(text, digits)
            if len(low) == len(text):
                spans += assigned_secrets(text, low)
        if "@" in text:
            spans += personal.emails(text)
        if "://" in text:
            spans += personal.url_logins(text)
            if strict:
                spans += personal.urls(text)
        if "." in text or "::" in text:
            spans += personal.ips(text, digits)
        if "/" in text or "\\" in text or "-" in text or "%" in text:
            spans += personal.home_names(text)
        if self.names:
            spans += personal.known_names(text, low, self.names)
        if strict:
            spans += presidio.names(text)
        return spans
