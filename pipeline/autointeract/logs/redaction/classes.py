"""Class images of a text: one byte a character, so that candidates are found with `bytes.find` at memory speed.

Offsets in an image are offsets in the text. Regular expressions run only where an image shows a candidate. Many texts
are looked at together, joined by `SEPARATOR`, which no pattern crosses.
"""

SEPARATOR = "\n\x00\n"
"""Between joined texts; NUL never occurs inside one."""

_DIGITS = bytearray(b"#" * 256)
_TOKENS = bytearray(b" " * 256)
for _code in range(256):
    _char = chr(_code)
    if "0" <= _char <= "9":
        _DIGITS[_code] = ord("0")
    elif _char in "+.":
        _DIGITS[_code] = _code
    elif _char in "-() ":
        _DIGITS[_code] = ord("-")
    elif _char.isalpha() or _char == "_":
        _DIGITS[_code] = ord("a")
    if _char.isascii() and (_char.isalnum() or _char in "_+-"):
        _TOKENS[_code] = ord("w")
DIGIT_TABLE = bytes(_DIGITS)
TOKEN_TABLE = bytes(_TOKENS)


class Images:
    """A text and its images.

    Attributes:
        text: the (joined) text.
        low: one byte a character, in lower case; what is not Latin-1 is "?".
        digits: digits as "0", letters and "_" as "a", `-() ` as "-", "+" and "." kept, all else "#".
        tokens: `[A-Za-z0-9_+-]` as "w", all else " ".
    """

    __slots__ = ("digits", "low", "text", "tokens")

    def __init__(self, text: str):
        raw = text.encode("latin-1", "replace")
        self.text = text
        self.low = raw.lower()
        self.digits = raw.translate(DIGIT_TABLE)
        self.tokens = raw.translate(TOKEN_TABLE)
