"""Excerpts of a user's turns for the profile writer: names, paths, addresses, code and numbers replaced by their kind.

Ingestion has removed e-mails, home paths and keys already; this goes further, because a writer needs only the tone.
"""

import re
from collections.abc import Sequence

from autointeract.records import rng
from autointeract.users import privacy
from autointeract.users.surface import count_words, outside_fences

_KINDS = (
    (privacy.EMAIL, "[address]"), (privacy.URL, "[url]"), (privacy.PATH, " [file]"), (privacy.HANDLE, "[name]"),
    (privacy.NUMBER, "[number]"), (privacy.SECRET, "[token]"), (privacy.IDENTIFIER, "[code]"),
    (re.compile(r"\"[^\"\n]{3,}\"|“[^”\n]{3,}”"), "[quote]"), (privacy.CAPITAL, "[name]"),
    (re.compile(r"\b\d{3,}\b"), "[number]"),
)  # fmt: skip


def redact(text: str, words: int) -> str:
    """The text outside code fences with telling parts replaced, cut at `words` words."""
    text = outside_fences(text).strip()
    for pattern, kind in _KINDS:
        text = pattern.sub(kind, text)
    pieces = text.split()
    return " ".join(pieces[:words]) + (" ..." if len(pieces) > words else "")


def excerpts(texts: Sequence[str], count: int, words: int, *seed: object) -> list[str]:
    """At most `count` redacted turns, drawn by seed, the shortest half of the draw first."""
    usable = [text for text in dict.fromkeys(texts) if count_words(text) >= 2]
    picked = rng("excerpts", *seed).sample(usable, min(count, len(usable)))
    return sorted((redact(text, words) for text in picked), key=lambda text: (len(text), text))
