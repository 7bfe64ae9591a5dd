"""Personal data: e-mail and IP addresses, phone-like numbers, logins in URLs, user names in paths, known names."""

import ipaddress
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from autointeract.logs.redaction.classes import Images
from autointeract.logs.redaction.span import Span

_DOMAIN = re.compile(
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\.[A-Za-z]{2,24}\b"
)
_LOCAL = re.compile(r"[A-Za-z0-9._%+\u00c0-\u024f-]+\Z")
_URL_LOGIN = re.compile(r"://(?P<login>[^\s/@:\"'<>]{1,100}:[^\s/@\"'<>]{1,200}|[A-Za-z0-9_-]{16,200})@")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s\"'<>)\]}`]+", re.I)
_NAME = r"([^/\\\s\"'`:;,<>()\[\]{}|*$\x00]+)"
_USERS = re.compile(rf"Users(?<![A-Za-z]Users)(?:/|\\{{1,8}}|%2F){_NAME}")
_USERS_DASHED = re.compile(r"-(?:Users|home)-([A-Za-z0-9.]+)(?=-)")
_HOME = re.compile(rf"/home/{_NAME}")
_WINDOWS = re.compile(rf"[A-Za-z]:\\{{1,8}}users\\{{1,8}}{_NAME}", re.I)
_KEPT_HOMES = frozenset(
    {"user", "username", "you", "me", "your-name", "yourname", "name", "...", "shared", "<user>", "xxx", "public"}
)
_PHONES = (
    (b"+0", 0, re.compile(rb"\+0{1,3}(?:[.-]{0,2}0{1,5}){2,6}")),
    (b"000-0000", 7, re.compile(rb"(?:\+?0-)?-?000--?000-0000")),
    (b"000.0000", 4, re.compile(rb"000\.000\.0000")),
)
"""(what an image shows, how far before it a number may begin, its whole form)."""
_IPV4_GATES = (b".0.0", b".00.0", b".000.0")
_VERSION = re.compile(r"(?:\bv|version|release|chrom\w{1,4}|edge?|opr|electron)[\s:=\"'/]{0,4}\Z", re.I)
"""What stands before a version of four numbers, which looks like an address."""
_IPV4 = re.compile(rb"0{1,3}\.0{1,3}\.0{1,3}\.0{1,3}")
_IPV6 = re.compile(r"::[0-9A-Fa-f]{1,4}|:[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){5}:[0-9A-Fa-f]")
_IPV6_CHARS = frozenset("0123456789abcdefABCDEF:.")
COMMON_WORDS = frozenset(
    [
        "will",
        "mark",
        "may",
        "art",
        "bill",
        "rob",
        "drew",
        "grant",
        "hope",
        "faith",
        "joy",
        "rose",
        "pat",
        "sue",
        "jack",
        "dean",
        "chase",
        "miles",
        "max",
        "sky",
        "ray",
        "main",
        "code",
        "data",
        "src",
        "test",
        "user",
        "dev",
        "app",
        "web",
        "api",
        "admin",
        "home",
        "root",
        "work",
        "job",
        "build",
        "base",
        "core",
        "max",
        "min",
        "sam",
        "ben",
        "dan",
        "tom",
        "tim",
        "jim",
        "bob",
        "joe",
        "amy",
        "ann",
        "eve",
        "guy",
        "lee",
        "kim",
        "don",
        "ken",
        "ted",
        "pete",
        "nick",
        "rich",
        "frank",
        "earl",
        "duke",
        "king",
        "page",
        "cookie",
        "script",
        "case",
        "june",
        "april",
        "august",
        "summer",
        "autumn",
        "dawn",
        "iris",
        "ivy",
        "jade",
        "ruby",
        "pearl",
        "crystal",
        "amber",
        "olive",
        "basil",
        "reed",
        "cliff",
        "brook",
        "glen",
        "lance",
        "wade",
        "clay",
        "stone",
        "hunter",
        "archer",
        "the",
        "and",
        "for",
        "are",
        "but",
        "not",
        "you",
        "all",
        "any",
        "can",
        "had",
        "her",
        "was",
        "one",
        "our",
        "out",
        "day",
        "get",
        "has",
        "him",
        "his",
        "how",
        "man",
        "new",
        "now",
        "old",
        "see",
        "two",
        "way",
        "who",
        "person",
        "people",
        "someone",
        "anyone",
        "nobody",
        "everyone",
        "personal",
        "company",
        "team",
        "staff",
        "office",
        "laptop",
        "desktop",
        "computer",
        "macbook",
        "server",
    ]
)
"""Names that are also everyday words: replaced inside paths and addresses only, never as bare words."""


def emails(text: str) -> Iterator[Span]:
    """E-mail addresses (git remotes such as git@github.com and examples at example.com too: they cost nothing)."""
    for match in _DOMAIN.finditer(text):
        local = _LOCAL.search(text, max(0, match.start() - 64), match.start())
        if (local and not local.group().startswith(("git", "."))) or (local and local.group() not in ("git", ".")):
            yield Span(local.start(), match.end(), "EMAIL")


def url_logins(text: str) -> Iterator[Span]:
    """User names and passwords in URLs."""
    for match in _URL_LOGIN.finditer(text):
        login = match.group("login")
        if login not in ("git", "ssh") and login.partition(":")[2][:1] not in ("$", "{"):
            yield Span(match.start("login"), match.end("login"), "URL_LOGIN")


def urls(text: str) -> Iterator[Span]:
    """Whole URLs (strict only)."""
    for match in _URL.finditer(text):
        yield Span(match.start(), match.end(), "URL")


def home_names(text: str) -> Iterator[Span]:
    """The user name in a path under a home folder, also in encoded forms; the rest of the path stays."""
    patterns = []
    if "Users" in text:
        patterns.append(_USERS)
    if "-Users-" in text or "-home-" in text:
        patterns.append(_USERS_DASHED)
    if "/home/" in text:
        patterns.append(_HOME)
    if "users\\" in text:
        patterns.append(_WINDOWS)
    for pattern in patterns:
        for match in pattern.finditer(text):
            if match.group(1).lower() not in _KEPT_HOMES:
                yield Span(match.start(1), match.end(1), "USER")


def ips(images: Images) -> Iterator[Span]:
    """IPv4 and IPv6 addresses other than loopback and unspecified ones."""
    text, digits = images.text, images.digits
    for gate in _IPV4_GATES:
        place = digits.find(gate)
        while place >= 0:
            # From the second number of a possible address back to its first.
            match = _IPV4.match(
                digits, place - len(digits[max(0, place - 3) : place].rpartition(b".")[2].lstrip(b"a#+-"))
            )
            if (
                match
                and _free(text, match.start(), match.end(), ".-_")
                and _address(text[match.start() : match.end()])
                and not _VERSION.search(text, max(0, match.start() - 16), match.start())
            ):
                yield Span(match.start(), match.end(), "IP")
            place = digits.find(gate, place + 1)
    for match6 in _IPV6.finditer(text):
        start, end = _around(text, *match6.span())
        word = text[start:end].strip(".")
        end = start + len(word)
        likely = (word.count(":") == 7 or "::" in word) and sum(c.isdigit() for c in word) >= 2 and len(word) >= 6
        if likely and _address(word) and _free(text, start, end, ":"):
            yield Span(start, end, "IP")


def phones(images: Images) -> Iterator[Span]:
    """Numbers written as telephone numbers are: international with "+", or 3-3-4 groups."""
    text, digits = images.text, images.digits
    for gate, reach, pattern in _PHONES:
        place = digits.find(gate)
        while place >= 0:
            match = None
            for start in range(max(0, place - reach), place + 1) if reach else (place,):
                match = pattern.match(digits, start)
                if match:
                    break
            if match:
                start, end = match.span()
                while text[start] in " -":
                    start += 1
                if 9 <= digits[start:end].count(b"0") <= 15 and _free(text, start, end, "-_/"):
                    yield Span(start, end, "PHONE")
            place = digits.find(gate, match.end() if match else place + 1)


def known_names(text: str, names: Sequence[str]) -> Iterator[Span]:
    """Names from the session's own metadata, as whole words in any case."""
    low = text.encode("latin-1", "replace").lower() if names else b""
    for name in names:
        place = name.lower().encode("latin-1", "replace")
        if place in low:
            for match in _name_pattern(place).finditer(low):
                yield Span(match.start(), match.end(), "NAME")


def name_words(names: Iterable[str]) -> tuple[str, ...]:
    """The names worth looking for: each name and its parts, without everyday words, longest first."""
    words = set()
    for name in names:
        # Of an address only the part before "@" names the person; the domain is a company or a host of many.
        words |= {name.strip(), *re.split(r"[\s._+-]+", name.partition("@")[0])}
    kept = {word for word in words if len(word) >= 3 and not word.isdigit() and word.lower() not in COMMON_WORDS}
    return tuple(sorted(kept, key=lambda word: (-len(word), word)))


@lru_cache(4096)
def _name_pattern(name: bytes) -> re.Pattern[bytes]:
    # The literal comes first: the search is then as fast as `find`.
    return re.compile(re.escape(name) + rb"(?<![a-z0-9]" + re.escape(name) + rb")(?![a-z0-9])")


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    while start > 0 and text[start - 1] in _IPV6_CHARS:
        start -= 1
    while end < len(text) and text[end] in _IPV6_CHARS:
        end += 1
    return start, end


def _free(text: str, start: int, end: int, joiners: str) -> bool:
    """Whether the piece stands alone (not inside a longer number, version, identifier)."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if before and (before.isalnum() or before in joiners):
        return False
    # A "." may begin the extension of a file's name, but no further number.
    return not after or not (
        after[0].isalnum()
        or after[0] in "_"
        or (after[0] == "-" and after[1:].isalnum())
        or (after[0] == "." and after[1:].isdigit())
    )


def _address(word: str) -> bool:
    try:
        address = ipaddress.ip_address(word)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or str(address).startswith("255."))
