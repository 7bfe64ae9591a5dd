"""What commands and headers hold: logins of command lines, cookies, the names that stand before e-mail addresses.

Each form has a literal that is looked for first; the patterns run only where it stands.
"""

import re
from collections.abc import Iterator
from typing import Any

from autointeract.logs.redaction.classes import Images
from autointeract.logs.redaction.span import Span

_COOKIE = re.compile(
    rb"cookie\\{0,7}[\"']?\s{0,2}[:=]\s{0,2}\\{0,7}[\"']?(?P<value>[\w.-]{1,80}=[^\r\n\"'\x00]{8,4000})"
)
_COOKIE_VALUE = re.compile(rb"=([^;\s]+)")
_LOGIN = re.compile(rb"-u(?:ser)?[ =]\\{0,7}[\"']?(?P<value>[^\s:\"'\x00]{1,100}:[^\s\"'\x00]{3,200})")
_PASSWORD = re.compile(rb" -p ?\\{0,7}[\"']?(?P<value>[^\s\"'\x00-][^\s\"'\x00]{2,200})")
_NETRC = re.compile(rb"password\s+(?P<value>[^\s\x00]{4,200})")
_NETRC_BEFORE = re.compile(rb"login\s+\S{1,200}\s+\Z")
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
    """Logins on command lines, cookies, names before e-mail addresses, users in network homes."""
    text, low = images.text, images.low
    for literal, pattern, plausible in _FORMS:
        for match in matches_at(low, literal, pattern):
            if plausible(match):
                yield Span(*match.span("value"), "SECRET")
    place = text.find("@")
    while place >= 0:
        start = text.rfind("<", max(0, place - 64), place)
        if start >= 0 and _ADDRESS.match(text, start):
            named = _NAME_BEFORE.search(text, max(0, start - 80), start)
            if named:
                yield Span(named.start(), named.end(), "NAME")
        place = text.find("@", place + 1)
    for match in matches_at(text, "Users", _SPACED_HOME):
        yield from _home(match)
    for folder in (b"\\home\\", b"\\users\\"):
        place = low.find(folder)
        while place >= 0:
            for match in _NETWORK_HOME.finditer(text, max(0, place - 140), place + 200):
                yield from _home(match)
            place = low.find(folder, place + 1)


def netrc_password(low: bytes, place: int) -> re.Match[bytes] | None:
    """The password of a `.netrc` line (`login NAME password VALUE`) whose word "password" stands at `place`."""
    match = _NETRC.match(low, place)
    return match if match and _NETRC_BEFORE.search(low, max(0, place - 220), place) else None


def matches_at(text: Any, literal: Any, pattern: re.Pattern[Any]) -> Iterator[re.Match[Any]]:
    """The matches of a pattern that begins with `literal`: found by `find`, which is ten times as fast as a search."""
    place = text.find(literal)
    while place >= 0:
        match = pattern.match(text, place)
        if match:
            yield match
        place = text.find(literal, max(place + 1, match.end() if match else 0))


def _home(match: re.Match[str]) -> Iterator[Span]:
    if match.group("name").lower() not in _NOBODY:
        yield Span(*match.span("name"), "USER")


def _is_password(match: re.Match[bytes]) -> bool:
    """What follows `-p` of a command that takes a password there, unless it is a variable or a gap."""
    command = _command_before(match)
    separate = match.string[match.start() + 3 : match.start() + 4] == b" "
    takes = b"sshpass" in command or (b"mysql" in command and not separate)
    return takes and match.group("value")[:1] not in _GAPS


def _is_login(match: re.Match[bytes]) -> bool:
    """A password behind the colon: what looks like one, or anything that `curl` is given (not `sort -u a:b`)."""
    before = match.string[max(0, match.start() - 2) : match.start()]
    if before.removesuffix(b"-")[-1:].strip():
        return False
    password = match.group("value").partition(b":")[2]
    if password[:1] in _GAPS or password.isdigit():
        return False
    return b"curl" in _command_before(match) or any(char in b"0123456789!@#$%^&*+~?" for char in password)


def _command_before(match: re.Match[bytes]) -> bytes:
    line = match.string[max(0, match.start() - 200) : match.start() + 1].rpartition(b"\n")[2]
    return re.split(rb"[|;]", line)[-1]


def _is_cookie(match: re.Match[bytes]) -> bool:
    """At least one value as long as a session's."""
    return any(len(value) >= 12 for value in _COOKIE_VALUE.findall(match.group("value")))


_FORMS = ((b"cookie", _COOKIE, _is_cookie), (b"-u", _LOGIN, _is_login), (b" -p", _PASSWORD, _is_password))
"""(what a form begins with, the form, whether a match of it is one)."""
