"""What commands and headers hold: logins of command lines, cookies, the names that stand before e-mail addresses.

Each form has a literal that is looked for first; the patterns run only where it stands.
"""

import re
from collections.abc import Iterator

from autointeract.logs.redaction.classes import Images
from autointeract.logs.redaction.span import Span

_COOKIE = re.compile(
    rb"cookie\\{0,7}[\"']?\s{0,2}[:=]\s{0,2}\\{0,7}[\"']?(?P<value>[\w.-]{1,80}=[^\r\n\"'\x00]{8,4000})"
)
_LOGIN = rb"[ =]\\{0,7}[\"']?(?P<value>[^\s:\"'\x00]{1,100}:[^\s\"'\x00]{3,200})"
_SSHPASS = re.compile(rb"sshpass\s+-p\s?\\{0,7}[\"']?(?P<value>[^\s\"'\x00]{3,200})")
_MYSQL = re.compile(rb"mysql[\w-]*\s[^\n\x00|;]{0,200}?(?<=\s)-p(?P<value>[^\s\"'\x00-][^\s\"'\x00]{3,200})")
_NETRC = re.compile(rb"login\s+\S{1,200}\s+password\s+(?P<value>[^\s\x00]{4,200})")
_FORMS = (
    _COOKIE, re.compile(rb"-u(?<!\S-u)" + _LOGIN), re.compile(rb"--user" + _LOGIN), _SSHPASS, _MYSQL, _NETRC,
)  # fmt: skip
"""Each begins with a literal: the search is then as fast as `find`."""
_ADDRESS = re.compile(r"<[^\s<>@]{1,64}@[^\s<>]{3,190}")
_NAME_BEFORE = re.compile(r"(?:^|(?<=[\s\"'(:,;]))[^\W\d_][\w.'-]{0,30}(?: [^\W\d_][\w.'-]{0,30}){1,3}(?= \Z)")
_NAME = r"[^/\\\s\"'`:;,<>()\[\]{}|*$\x00]+"
_WINDOWS_HOME = re.compile(rf"(?:\\{{1,8}}home|\\{{2,8}}[\w.$-]{{1,60}}\\{{1,8}}users)\\{{1,8}}(?P<name>{_NAME})", re.I)
_SPACED_HOME = re.compile(rf"Users(?:/|\\{{1,8}})(?P<name>{_NAME}(?: {_NAME}){{1,2}})(?=[/\\])")
_NOBODY = frozenset({"user", "username", "you", "public", "default", "shared", "all users", "default user"})
_NO_LOGINS = frozenset({b"$", b"%", b"{", b"<"})


def command_secrets(images: Images) -> Iterator[Span]:
    """Logins on command lines and in `.netrc`, cookies, names before e-mail addresses, users in network homes."""
    text, low = images.text, images.low
    for pattern in _FORMS:
        for match in pattern.finditer(low):
            if not _is_reference(match.group("value")):
                yield Span(*match.span("value"), "SECRET")
    if "@" in text:
        for address in _ADDRESS.finditer(text):
            named = _NAME_BEFORE.search(text, max(0, address.start() - 80), address.start())
            if named:
                yield Span(named.start(), named.end(), "NAME")
    for found, pattern in ((b"\\home\\" in low or b"\\users\\" in low, _WINDOWS_HOME), ("Users" in text, _SPACED_HOME)):
        for match in pattern.finditer(text) if found else ():
            if match.group("name").lower() not in _NOBODY:
                yield Span(*match.span("name"), "USER")


def _is_reference(value: bytes) -> bool:
    """Whether a value is a variable or a gap (`$USER:$PASS`, `<user>:<password>`), or numbers (`-u 1000:1000`)."""
    last = value.rpartition(b":")[2]
    return last[:1] in _NO_LOGINS or value.replace(b":", b"").isdigit()
