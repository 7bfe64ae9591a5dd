"""Keeps keys out of everything that is stored, logged or raised; servers do echo them."""

import re

_SHAPES = re.compile(
    r"(?i:bearer)\s+[^\s\"'<>]{8,}|\b(?:sk|pk|rk|gsk|hf|xai|glpat|ghp|gho)[-_][A-Za-z0-9_\-]{8,}|\bAIza[A-Za-z0-9_\-]{20,}"
)
_MARK = "[key removed]"


def redact(text: str, *keys: str | None) -> str:
    """`text` without `keys` (whole, or either end of a long one) and without what looks like a key."""
    for key in keys:
        if not key:
            continue
        text = text.replace(key, _MARK)
        if len(key) >= 16:
            for part in (key[:12], key[-8:]):
                text = text.replace(part, _MARK)
    return _SHAPES.sub(_MARK, text)
