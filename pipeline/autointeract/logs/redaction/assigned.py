"""Secrets told by what they are called: `password = "..."`, `API_KEY=...`, `Authorization: Bearer ...`, "the password is ..."."""

import re
from collections.abc import Iterator

from autointeract.logs.redaction.span import Span

_WORDS = (
    "password", "passwd", "passphrase", "pwd", "secret", "token", "api_key", "apikey", "api-key", "access_key",
    "accesskey", "access-key", "private_key", "privatekey", "account_key", "credential", "auth_key", "encryption_key",
    "signing_key",
)  # fmt: skip
_VALUE = re.compile(
    r"""[\w-]{0,24}["'`]?\]?\s{0,3}(?P<how>:=|=>|==|=|:|\bis\b|,)\s{0,3}(?:(?P<quote>\\?["'`])(?P<quoted>[^"'`\n]{4,200}?)(?P=quote)|(?P<bare>[^\s"'`,;<>(){}\[\]|\\]{6,200}))""",
    re.I,
)
_FLAG = re.compile(r"[\w-]{0,24}\s+(?P<bare>[^\s\"'`,;<>(){}\[\]|\\-][^\s\"'`,;<>(){}\[\]|\\]{7,200})")
_BEARER = re.compile(r"\b(?:bearer|basic)\s+(?P<value>[A-Za-z0-9._~+/=-]{12,})", re.I)
_QUERY = re.compile(
    r"[?&](?:access_token|token|api_?key|key|sig|signature|auth|password|secret|code|X-Amz-Signature|X-Amz-Credential)="
    r"(?P<value>[^&\s\"'<>#]{6,})",
    re.I,
)
_PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|\.+|-+|your\b.*|your[-_].*|my[-_]?(?:password|secret|token|key)|changeme|example.*|placeholder|dummy|"
    r"none|null|true|false|undefined|string|str|required|optional|<.*|\$.*|%.*|process\.env.*|os\.environ.*|test|secret|"
    r"password|token)$"
)


def assigned_secrets(text: str, low: str) -> Iterator[Span]:
    """Values that a name declares secret. `low` is the text in lower case, of equal length."""
    for word in _WORDS:
        place = low.find(word)
        while place >= 0:
            match = _VALUE.match(text, place + len(word))
            if match:
                yield from _judge(text, match, place)
            elif place >= 2 and text[place - 1] == "-":
                flag = _FLAG.match(text, place + len(word))
                if flag and _mixed(flag.group("bare")):
                    yield Span(flag.start("bare"), flag.end("bare"), "SECRET")
            place = low.find(word, place + len(word))
    if "bearer " in low or "basic " in low:
        for match in _BEARER.finditer(text):
            if any(char.isdigit() for char in match.group("value")) or len(match.group("value")) >= 24:
                yield Span(match.start("value"), match.end("value"), "TOKEN")
    if "?" in text or "&" in text:
        for match in _QUERY.finditer(text) if "=" in text else ():
            if _mixed(match.group("value")):
                yield Span(match.start("value"), match.end("value"), "TOKEN")


def _judge(text: str, match: re.Match[str], place: int) -> Iterator[Span]:
    how, quoted, bare = match.group("how").lower(), match.group("quoted"), match.group("bare")
    if quoted is not None:
        literal = how != "," and not any(char.isspace() for char in quoted) and _plausible(quoted)
        if literal and (len(quoted) >= 6 or _mixed(quoted)):
            yield Span(match.start("quoted"), match.end("quoted"), "SECRET")
        return
    if how in ("==", ","):
        return
    bare = bare.rstrip(".,;:!?")
    if not _plausible(bare):
        return
    declared = how == "=" and text[max(0, place - 1) : place + 1].isupper() and "." not in bare
    if _mixed(bare) or (declared and len(bare) >= 8 and "_" not in bare):
        yield Span(match.start("bare"), match.start("bare") + len(bare), "SECRET")


def _plausible(value: str) -> bool:
    return not _PLACEHOLDER.match(value) and not value.startswith(("http://", "https://", "/", "./", "~/"))


def _mixed(value: str) -> bool:
    """Whether letters stand beside digits or symbols, as in a password and not in a word or a number."""
    letters = any(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    symbols = sum(char in "!@#$%^&*+~?" for char in value)
    return letters and (digits >= 1 or symbols >= 1) and len(value) >= 6 and not _is_reference(value)


def _is_reference(value: str) -> bool:
    """`self.token2`, `user.token_v2`, `token1`, `sha256`: names of things, not things."""
    parts = re.split(r"[._:/-]", value)
    return (
        all(re.fullmatch(r"[A-Za-z_]*|[A-Za-z]{2,}\d{0,3}|v?\d{1,3}", part) for part in parts)
        and len(value) < 24
        and (
            "." in value
            or "_" in value
            or bool(re.fullmatch(r"(?i)(?:key|token|secret|sha|md|v|id|arg|param|test|user)[a-z]*\d{0,3}", value))
        )
    )
