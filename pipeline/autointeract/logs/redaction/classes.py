"""Class images of a text: one byte a character, so that candidates are found with `bytes.find` at memory speed.

Offsets in an image are offsets in the text. Regular expressions run only near what an image shows.
"""

_DIGITS = bytearray(b"#" * 256)
_TOKENS = bytearray(b" " * 256)
for _code in range(256):
    _char = chr(_code)
    if "0" <= _char <= "9":
        _DIGITS[_code] = ord("0")
    elif _char in "+-.() :":
        _DIGITS[_code] = _code
    elif _char.isalpha() or _char == "_":
        _DIGITS[_code] = ord("a")
    if _char.isascii() and (_char.isalnum() or _char in "_+=-"):
        _TOKENS[_code] = ord("w")
DIGIT_TABLE = bytes(_DIGITS)
TOKEN_TABLE = bytes(_TOKENS)


def plain_bytes(text: str) -> bytes:
    """One byte a character; what is not Latin-1 is "?"."""
    return text.encode("latin-1", "replace")


def digit_image(raw: bytes) -> bytes:
    """Digits as "0", letters and "_" as "a", `+-.() :` kept, all else "#"."""
    return raw.translate(DIGIT_TABLE)


def token_image(raw: bytes) -> bytes:
    """`[A-Za-z0-9_+=-]` as "w", all else " "."""
    return raw.translate(TOKEN_TABLE)
