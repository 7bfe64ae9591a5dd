"""Secrets told by what they are called: `password = "..."`, `API_KEY=...`, `Bearer ...`, "the password is ...".

Also by the command or header they stand in (`commands`), and in the addresses they are part of.
"""

import re
from collections.abc import Iterator

from autointeract.logs.redaction.classes import Images
from autointeract.logs.redaction.commands import command_secrets, matches_at, netrc_password
from autointeract.logs.redaction.span import Span

_VALUE = (
    rb"""[\w-]{0,24}\\{0,7}["'`]?\]?\s{0,3}(?P<how>:=|=>|=(?!=)|:(?!:)|is\b)\s{0,3}"""
    rb"""(?:(?P<quote>\\{0,7}["'`])(?P<quoted>[^"'`\n\x00]{4,200}?)(?P=quote)|(?P<bare>[^\s"'`,;<>(){}\[\]|\\\x00]{6,200}))"""
)
_STEMS = tuple(
    (stem, re.compile(stem + b"(?=" + _VALUE + b")"))
    for stem in (b"passw", b"passphrase", b"pwd", b"secret", b"token", b"credential", b"key")
)
"""Searched in the lower-case image, one literal beginning at a time: that is what makes it fast. The value is looked at
and not taken, because it may itself be a name (`header = x-api-key: ...`)."""
_KEY_OF = re.compile(
    rb"(?:api|access|private|account|auth|encryption|signing|secret|service|license|shared|master)[ _-]?\Z"
)
_NETRC_WORD = re.compile(rb"password\s")
_FLAG = re.compile(
    rb"--[\w-]{0,24}(?:passw(?:or)?d|secret|token|key)[ ]+"
    rb"(?P<bare>[^\s\"'`,;<>(){}\[\]|\\\x00-][^\s\"'`,;<>(){}\[\]|\\\x00]{7,200})"
)
_SCHEMES = (
    re.compile(rb"bearer\s+(?P<value>[a-z0-9._~+/=-]{12,})"),
    re.compile(rb"basic\s+(?P<value>[a-z0-9+/=]{16,})"),
)
_QUERY = re.compile(
    r"[?&](?:key|sig|signature|auth|code|X-Amz-Signature|X-Amz-Credential)=(?P<value>[^&\s\"'<>#\x00]{6,200})", re.I
)
_ALONE = re.compile(r"://:(?P<value>[^\s/@\"'<>]{3,200})@")
_URL = re.compile(r"://[^\s\"'<>\x00]{1,2000}")
_DURATION = re.compile(r"[\d.,]+(?:[nmuµ]?s|min|h|[kKMG]i?B?|px|em|rem|%|pt)\W*")
_PLACEHOLDER = re.compile(
    r"(?i)^(?:x+|\*+|\.+|-+|your\b.*|your[-_].*|my[-_]?(?:password|secret|token|key)|changeme|example.*|placeholder|dummy|"
    r"none|null|true|false|undefined|string|str|required|optional|<.*|\$.*|%.*|\{\{.*|process\.env.*|os\.environ.*|test|"
    r"secret|password|token)$"
)


def assigned_secrets(images: Images) -> Iterator[Span]:
    """Values that a name declares secret."""
    text, low = images.text, images.low
    for stem, pattern in _STEMS:
        for match in matches_at(low, stem, pattern):
            if stem != b"key" or _KEY_OF.search(low, max(0, match.start() - 12), match.start()):
                yield from _judge(text, match)
    for match in matches_at(low, b"password", _NETRC_WORD):
        line = netrc_password(low, match.start())
        if line:
            yield Span(*line.span("value"), "SECRET")
    yield from command_secrets(images)
    for match in _FLAG.finditer(low):
        if _mixed(text[match.start("bare") : match.end("bare")]):
            yield Span(*match.span("bare"), "SECRET")
    for pattern in _SCHEMES:
        for match in pattern.finditer(low):
            value = text[match.start("value") : match.end("value")]
            if any(char.isdigit() for char in value) or (len(value) >= 24 and not value.isalpha()):
                yield Span(*match.span("value"), "TOKEN")


def query_secrets(text: str) -> Iterator[Span]:
    """Signatures and codes in the queries of URLs, and passwords that stand in one without a user."""
    if "://:" in text:
        for match in _ALONE.finditer(text):
            yield Span(*match.span("value"), "URL_LOGIN")
    for url in _URL.finditer(text):
        if "?" in url.group():
            for match in _QUERY.finditer(text, url.start(), url.end()):
                if _mixed(match.group("value")):
                    yield Span(*match.span("value"), "TOKEN")


def _judge(text: str, match: re.Match[bytes]) -> Iterator[Span]:
    start, end = match.span("quoted")
    if start >= 0:
        quoted = text[start:end]
        if not any(char.isspace() for char in quoted) and _plausible(quoted) and (len(quoted) >= 6 or _mixed(quoted)):
            yield Span(start, end, "SECRET")
        return
    start, end = match.span("bare")
    bare = text[start:end].rstrip(".,;:!?")
    if not _plausible(bare):
        return
    place = match.start()
    declared = match.group("how") == b"=" and text[place : place + 3].isupper() and "." not in bare
    if _mixed(bare) or (declared and len(bare) >= 8 and "_" not in bare):
        yield Span(start, start + len(bare), "SECRET")


def _plausible(value: str) -> bool:
    return not _PLACEHOLDER.match(value) and not value.startswith(("http://", "https://", "/", "./", "~/"))


def _mixed(value: str) -> bool:
    """Whether letters stand beside digits or symbols, as in a password and not in a word or a number."""
    value = value.lstrip("&*!")
    if _DURATION.fullmatch(value):
        return False
    letters = any(char.isalpha() for char in value)
    digits = sum(char.isdigit() for char in value)
    symbols = sum(char in "!@#$%^&*+~?" for char in value)
    return letters and (digits >= 1 or symbols >= 1) and len(value) >= 6 and not _is_reference(value)


def _is_reference(value: str) -> bool:
    """`self.token2`, `user.token_v2`, `token1`, `sha256`: names of things, not things."""
    parts = re.split(r"[._:/-]", value)
    if len(value) >= 24 or not all(re.fullmatch(r"[A-Za-z_]*|[A-Za-z]{2,}\d{0,3}|v?\d{1,3}", part) for part in parts):
        return False
    named = re.fullmatch(r"(?i)(?:key|token|secret|sha|md|v|id|arg|param|test|user)[a-z]*\d{0,3}", value)
    return "." in value or "_" in value or bool(named)
