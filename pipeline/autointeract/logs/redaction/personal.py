"""Personal data: e-mail and IP addresses, phone-like numbers, URLs with credentials, user names in paths, known names."""

import ipaddress
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from autointeract.logs.redaction.span import Span

_DOMAIN = re.compile(
    r"@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*\.[A-Za-z]{2,24}\b"
)
_LOCAL = re.compile(r"[A-Za-z0-9._%+\u00c0-\u024f-]+\Z")
_URL_LOGIN = re.compile(r"://(?P<login>[^\s/@:\"'<>]{1,100}:[^\s/@\"'<>]{1,200}|[A-Za-z0-9_-]{16,200})@")
_URL = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://[^\s\"'<>)\]}`]+", re.I)
_HOMES = (
    ("/home/", re.compile(r"/home/([^/\s\"'`:;,<>()\[\]{}|\\*$]+)")),
    ("/Users/", re.compile(r"/Users/([^/\s\"'`:;,<>()\[\]{}|\\*$]+)")),
    (
        "/users/",
        re.compile(
            r"(?<=[a-z])/users/([^/\s\"'`:;,<>()\[\]{}|\\*$]+)(?=/(?:Desktop|Documents|Downloads|AppData))", re.I
        ),
    ),
    ("Users\\", re.compile(r"(?:[A-Za-z]:)?\\{1,4}Users\\{1,4}([^\\/\s\"'`:;,<>()\[\]{}|*$]+)", re.I)),
    ("users\\", re.compile(r"[A-Za-z]:\\{1,4}users\\{1,4}([^\\/\s\"'`:;,<>()\[\]{}|*$]+)", re.I)),
    ("-Users-", re.compile(r"-Users-([A-Za-z0-9.]+)(?=-)")),
    ("-home-", re.compile(r"(?<=[/\"' ])-home-([A-Za-z0-9.]+)(?=-)")),
    ("%2FUsers%2F", re.compile(r"%2FUsers%2F([A-Za-z0-9._-]+)")),
)
_KEPT_HOMES = frozenset(
    {"user", "username", "you", "me", "your-name", "yourname", "name", "...", "shared", "<user>", "xxx"}
)
_PHONES = (
    (b"+0", re.compile(rb"\+0{1,3}(?:[ .-]?\(?0{1,5}\)?){2,6}")),
    (b"(000)", re.compile(rb"(?:\+?0[ .-]?)?\(000\) ?000[ .-]0000")),
    (b"000-000-0000", re.compile(rb"(?:0[ .-])?000-000-0000")),
    (b"000.000.0000", re.compile(rb"000\.000\.0000")),
    (b"000 000 0000", re.compile(rb"(?:0 )?000 000 0000")),
)
_IPV4_GATES = (b".0.0", b".00.0", b".000.0")
_IPV4 = re.compile(rb"0{1,3}\.0{1,3}\.0{1,3}\.0{1,3}")
_IPV6 = re.compile(r"(?<![\w:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![\w:])")
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
        if match.group("login") not in ("git", "ssh"):
            yield Span(match.start("login"), match.end("login"), "URL_LOGIN")


def urls(text: str) -> Iterator[Span]:
    """Whole URLs (strict only)."""
    for match in _URL.finditer(text):
        yield Span(match.start(), match.end(), "URL")


def home_names(text: str) -> Iterator[Span]:
    """The user name in a path under a home folder, also in encoded forms; the rest of the path stays."""
    for gate, pattern in _HOMES:
        if gate in text:
            for match in pattern.finditer(text):
                if match.group(1).lower() not in _KEPT_HOMES:
                    yield Span(match.start(1), match.end(1), "USER")


def ips(text: str, digits: bytes) -> Iterator[Span]:
    """IPv4 and IPv6 addresses other than loopback and unspecified ones."""
    if any(gate in digits for gate in _IPV4_GATES):
        for match in _IPV4.finditer(digits):
            if _free(text, match.start(), match.end(), ".-_") and _address(text[match.start() : match.end()]):
                yield Span(match.start(), match.end(), "IP")
    if "::" in text or text.count(":") >= 7:
        for match in _IPV6.finditer(text):
            word = match.group()
            if (
                (word.count(":") == 7 or "::" in word)
                and sum(c.isdigit() for c in word) >= 2
                and len(word) >= 6
                and _address(word)
            ):
                yield Span(match.start(), match.end(), "IP")


def phones(text: str, digits: bytes) -> Iterator[Span]:
    """Numbers written as telephone numbers are: international with "+", or 3-3-4 groups."""
    for gate, pattern in _PHONES:
        if gate in digits:
            for match in pattern.finditer(digits):
                size = digits[match.start() : match.end()].count(b"0")
                if 9 <= size <= 15 and _free(text, match.start(), match.end(), "-_/"):
                    yield Span(match.start(), match.end(), "PHONE")


def known_names(text: str, low: str, names: Iterable[str]) -> Iterator[Span]:
    """Names from the session's own metadata, as whole words in any case."""
    for name in names:
        if name.lower() in low:
            for match in _name_pattern(name).finditer(text):
                yield Span(match.start(), match.end(), "NAME")


def name_words(names: Iterable[str]) -> tuple[str, ...]:
    """The names worth looking for: each name and its parts, without everyday words, longest first."""
    words = set()
    for name in names:
        words |= {name.strip(), *re.split(r"[\s._@+-]+", name)}
    kept = {word for word in words if len(word) >= 3 and not word.isdigit() and word.lower() not in COMMON_WORDS}
    return tuple(sorted(kept, key=lambda word: (-len(word), word)))


@lru_cache(4096)
def _name_pattern(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![A-Za-z0-9]){re.escape(name)}(?![A-Za-z0-9])", re.I)


def _free(text: str, start: int, end: int, joiners: str) -> bool:
    """Whether the piece stands alone (not inside a longer number, version, identifier)."""
    before, after = text[start - 1 : start], text[end : end + 2]
    if before and (before.isalnum() or before in joiners):
        return False
    return not after or not (after[0].isalnum() or after[0] in "_" or (after[0] in ".-" and after[1:].isalnum()))


def _address(word: str) -> bool:
    try:
        address = ipaddress.ip_address(word)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified or str(address).startswith("255."))
