"""Secrets: tokens of known services, keys, and strings that look like nothing else.

Known formats come from detect-secrets' plugins (kept by its maintainers) and from the patterns below for services they
lack. A string that only looks random must mix cases and digits and reach the entropy of a random one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

from autointeract.logs.redaction.span import Span

MIN_RUN = 20
"""Shortest run of token characters that is looked at (the shortest formats have a shorter run but a marked prefix)."""
MIN_ENTROPY = 3.6
"""Bits a character; a random base64 string of 24 characters has about 4.2, an identifier in camel case below 3.5."""
_RUN = b"w" * MIN_RUN
_ANCHORS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (anchor, re.compile(pattern))
    for anchor, pattern in (
        ("sk-", r"\bsk-(?:ant-|proj-|or-v1-|svcacct-|admin-)?[A-Za-z0-9_-]{16,}"),
        ("gh", r"\bgh[pousr]_[A-Za-z0-9]{16,}"),
        ("github_pat_", r"\bgithub_pat_[A-Za-z0-9_]{20,}"),
        ("glpat-", r"\bglpat-[A-Za-z0-9_-]{16,}"),
        ("xox", r"\bxox[abeoprs]-[A-Za-z0-9-]{10,}"),
        ("xapp-", r"\bxapp-\d-[A-Za-z0-9-]{10,}"),
        ("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows)/[A-Za-z0-9/_-]{20,}"),
        ("discord", r"discord(?:app)?\.com/api/webhooks/\d+/[\w-]{20,}"),
        ("AKIA", r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b"),
        ("ASIA", r"\bASIA[0-9A-Z]{16}\b"),
        ("AIza", r"\bAIza[0-9A-Za-z_-]{30,}"),
        ("ya29.", r"\bya29\.[0-9A-Za-z_-]{20,}"),
        ("GOCSPX-", r"\bGOCSPX-[0-9A-Za-z_-]{20,}"),
        ("hf_", r"\bhf_[A-Za-z0-9]{20,}"),
        ("npm_", r"\bnpm_[A-Za-z0-9]{30,}"),
        ("pypi-", r"\bpypi-[A-Za-z0-9_-]{30,}"),
        ("SG.", r"\bSG\.[\w-]{16,}\.[\w-]{16,}"),
        ("_live_", r"\b[spr]k_live_[0-9A-Za-z]{10,}"),
        ("_test_", r"\b[spr]k_test_[0-9A-Za-z]{10,}"),
        ("whsec_", r"\bwhsec_[A-Za-z0-9+/=]{20,}"),
        ("eyJ", r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?"),
        ("xai-", r"\bxai-[A-Za-z0-9]{20,}"),
        ("gsk_", r"\bgsk_[A-Za-z0-9]{20,}"),
        ("r8_", r"\br8_[A-Za-z0-9]{30,}"),
        ("nvapi-", r"\bnvapi-[A-Za-z0-9_-]{20,}"),
        ("phc_", r"\bph[cx]_[A-Za-z0-9]{20,}"),
        ("dop_v1_", r"\bdop_v1_[a-f0-9]{32,}"),
        ("shpat_", r"\bshpat_[a-fA-F0-9]{20,}"),
        ("lin_api_", r"\blin_api_[A-Za-z0-9]{20,}"),
        ("secret_", r"\bsecret_[A-Za-z0-9]{30,}"),
        ("ntn_", r"\bntn_[A-Za-z0-9]{30,}"),
        ("sbp_", r"\bsbp_[a-f0-9]{30,}"),
        ("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"),
        ("AccountKey=", r"(?<=AccountKey=)[A-Za-z0-9+/=]{20,}"),
        (":AA", r"\b\d{8,10}:AA[A-Za-z0-9_-]{30,}"),
    )
)
_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----.*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|\Z)", re.S
)
_PEM_TAIL = re.compile(r"\A[A-Za-z0-9+/=\s\\]*?-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
_HEX = re.compile(r"[0-9a-fA-F]+")
_WIDE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")


def known_formats(text: str) -> Iterator[Span]:
    """Tokens whose beginning says whose they are."""
    for anchor, pattern in _ANCHORS:
        if anchor in text:
            for match in pattern.finditer(text):
                yield Span(match.start(), match.end(), "TOKEN")
    if "PRIVATE KEY" in text:
        for match in (*_PEM.finditer(text), *_PEM_TAIL.finditer(text)):
            yield Span(match.start(), match.end(), "SECRET")


def random_strings(text: str, tokens: bytes, digits: bytes, strict: bool) -> Iterator[Span]:
    """Long runs that look random, and whatever detect-secrets knows on the lines where such runs stand.

    Args:
        tokens, digits: the class images of the text.
        strict: also hexadecimal strings of 32 digits and more, and UUIDs.
    """
    lines: set[tuple[int, int]] = set()
    place = tokens.find(_RUN)
    while place >= 0:
        end = tokens.find(b" ", place)
        end = len(tokens) if end < 0 else end
        if b"0" in digits[place:end]:
            start, stop = _widen(text, place, end)
            run = text[start:stop]
            if strict and len(run) >= 32 and (_HEX.fullmatch(run) or _UUID.fullmatch(run)):
                yield Span(start, stop, "ID")
            elif looks_random(run):
                yield Span(start, stop, "SECRET")
            begin, finish = text.rfind("\n", 0, start) + 1, text.find("\n", stop)
            lines.add((begin, min(len(text) if finish < 0 else finish, begin + 4000)))
        place = tokens.find(_RUN, end)
    for begin, finish in lines:
        yield from _plugins_on(text, begin, finish)


def looks_random(run: str) -> bool:
    """Whether a string mixes lower case, upper case and digits as a random one does. Hexadecimal digests are not secrets."""
    core = run.strip("-=_+/")
    if len(core) < MIN_RUN or _HEX.fullmatch(core) or _UUID.fullmatch(core) or "--" in core or "==" in core:
        return False
    pieces = core.replace("-", "/").replace("_", "/").split("/")
    if sum(_is_word(piece) for piece in pieces) * 2 >= len(pieces):
        return False
    kinds = (any(c.islower() for c in core), any(c.isupper() for c in core), sum(c.isdigit() for c in core) >= 2)
    if not all(kinds):
        return False
    switches = sum(_kind(a) != _kind(b) for a, b in zip(core, core[1:], strict=False))
    return switches >= len(core) / 4 and entropy(core) >= MIN_ENTROPY


def entropy(text: str) -> float:
    """Shannon entropy of the characters, bits a character."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def _is_word(piece: str) -> bool:
    return not piece or piece.isdigit() or (piece.isalpha() and (piece.islower() or piece.isupper() or piece.istitle()))


def _kind(char: str) -> int:
    return 0 if char.isdigit() else 1 if char.islower() else 2 if char.isupper() else 3


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """The run with adjoining characters of base64 that the class image leaves out ("/")."""
    while start > 0 and text[start - 1] == "/" and start > 1 and text[start - 2] in _WIDE and end - start < 200:
        cut = start - 1
        while cut > 0 and text[cut - 1] in _WIDE:
            cut -= 1
        if not looks_random(text[cut:end]):
            break
        start = cut
    stop = end
    while stop < len(text) and text[stop] in _WIDE:
        stop += 1
    return (start, stop) if stop > end and looks_random(text[start:stop]) else (start, end)


def _plugins_on(text: str, begin: int, finish: int) -> Iterator[Span]:
    line = text[begin:finish]
    for plugin in detectors():
        for secret in plugin.analyze_string(line):
            if isinstance(secret, str) and len(secret) >= 8:
                place = line.find(secret)
                if place >= 0:
                    yield Span(begin + place, begin + place + len(secret), "TOKEN")


@cache
def detectors() -> tuple[Any, ...]:
    """detect-secrets' plugins for the formats of services (imported when first needed)."""
    from importlib import import_module

    names = {
        "artifactory": "ArtifactoryDetector", "aws": "AWSKeyDetector", "azure_storage_key": "AzureStorageKeyDetector",
        "cloudant": "CloudantDetector", "discord": "DiscordBotTokenDetector", "github_token": "GitHubTokenDetector",
        "gitlab_token": "GitLabTokenDetector", "ibm_cloud_iam": "IbmCloudIamDetector", "ibm_cos_hmac": "IbmCosHmacDetector",
        "jwt": "JwtTokenDetector", "mailchimp": "MailchimpDetector", "npm": "NpmDetector", "openai": "OpenAIDetector",
        "pypi_token": "PypiTokenDetector", "sendgrid": "SendGridDetector", "slack": "SlackDetector",
        "softlayer": "SoftlayerDetector", "square_oauth": "SquareOAuthDetector", "stripe": "StripeDetector",
        "telegram_token": "TelegramBotTokenDetector", "twilio": "TwilioKeyDetector",
    }  # fmt: skip
    return tuple(getattr(import_module(f"detect_secrets.plugins.{module}"), name)() for module, name in names.items())
