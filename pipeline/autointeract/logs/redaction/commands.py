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
_COOKIE_VALUE = re.compile(rb"=([^;\s]+)")
_LOGIN = rb"[ =]\\{0,7}[\"']?(?P<value>[^\s:\"'\x00]{1,100}:[^\s\"'\x00]{3,200})"
_SSHPASS = re.compile(rb"sshpass\s+-p\s?\\{0,7}[\"']?(?P<value>[^\s\"'\x00]{3,200})")
_MYSQL = re.compile(rb"mysql[\w-]*\s[^\n\x00|;]{0,200}?(?<=\s)-p(?P<value>[^\s\"'\x00-][^\s\"'\x00]{3,200})")
_NETRC = re.compile(rb"login\s+\S{1,200}\s+password\s+(?P<value>[^\s\x00]{4,200})")
_PGPASS = re.compile(rb":5432:[^:\s\x00]{1,80}:[^:\s\x00]{1,80}:(?P<value>[^\s\"'\x00]{4,200})")
_ADDRESS = re.compile(r"<[^\s<>@]{1,64}@[^\s<>]{3,190}")
_PART = r"[^\W\d_](?:[^\W\d_]|[.'-]){0,30}(?![\w])"
_NAME_BEFORE = re.compile(rf"(?:^|(?<=[\s\"'(:,;])){_PART}(?: {_PART}){{1,3}}(?= \Z)")
_NAME = r"[^/\\\s\"'`:;,<>()\[\]{}|*$\x00]+"
_NETWORK_HOME = re.compile(
    rf"\\{{2,8}}[\w.$-]{{1,60}}\\{{1,8}}(?:[\w. -]{{1,40}}\\{{1,8}})?(?:home|users)\\{{1,8}}(?P<name>{_NAME})", re.I
)
_SPACED_HOME = re.compile(rf"Users(?:/|\\{{1,8}})(?P<name>{_NAME}(?: {_NAME}){{1,2}})(?=[/\\])")
_NOBODY = frozenset({"user", "username", "you", "public", "default", "shared", "all users", "default user"})
_GAPS = frozenset({b"$", b"%", b"{", b"<"})


def command_secrets(images: Images) -> Iterator[Span]:
    """Logins on command lines and in `.netrc`, cookies, names before e-mail addresses, users in network homes."""
    text, low = images.text, images.low
    for pattern, plausible in _FORMS:
        for match in pattern.finditer(low):
            if plausible(match):
                yield Span(*match.span("value"), "SECRET")
    if "@" in text:
        for address in _ADDRESS.finditer(text):
            named = _NAME_BEFORE.search(text, max(0, address.start() - 80), address.start())
            if named:
                yield Span(named.start(), named.end(), "NAME")
    for found, pattern in ((b"\\home\\" in low or b"\\users\\" in low, _NETWORK_HOME), ("Users" in text, _SPACED_HOME)):
        for match in pattern.finditer(text) if found else ():
            if match.group("name").lower() not in _NOBODY:
                yield Span(*match.span("name"), "USER")


def _is_value(match: re.Match[bytes]) -> bool:
    """Not a variable or a gap (`$PASS`, `<password>`)."""
    return match.group("value")[:1] not in _GAPS


def _is_login(match: re.Match[bytes]) -> bool:
    """A password behind the colon: what looks like one, or anything that `curl` is given (not `sort -u a:b`)."""
    password = match.group("value").partition(b":")[2]
    if password[:1] in _GAPS or password.isdigit():
        return False
    line = match.string[max(0, match.start() - 200) : match.start()].rpartition(b"\n")[2]
    return b"curl" in line or any(char in b"0123456789!@#$%^&*+~?" for char in password)


def _is_cookie(match: re.Match[bytes]) -> bool:
    """At least one value as long as a session's."""
    return any(len(value) >= 12 for value in _COOKIE_VALUE.findall(match.group("value")))


_FORMS = (
    (_COOKIE, _is_cookie),
    (re.compile(rb"-u(?<!\S-u)" + _LOGIN), _is_login), (re.compile(rb"--user" + _LOGIN), _is_login),
    (_SSHPASS, _is_value), (_MYSQL, _is_value), (_NETRC, _is_value), (_PGPASS, _is_value),
)  # fmt: skip
"""(form, whether a match of it is one). Each begins with a literal: the search is then as fast as `find`."""
