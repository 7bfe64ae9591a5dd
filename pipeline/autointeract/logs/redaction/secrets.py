"""Secrets: tokens of known services, keys, and strings that look like nothing else.

Known formats come from detect-secrets' plugins (kept by its maintainers) and from the patterns below for services they
lack. A string that only looks random must mix cases and digits and reach the entropy of a random one.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from autointeract.logs.redaction.classes import Images
from autointeract.logs.redaction.span import Span

MIN_RUN = 16
"""Shortest run of token characters that is looked at; the known formats are all at least as long."""
MIN_RANDOM = 20
"""Shortest string without a known beginning that is taken for a secret because it looks random."""
MIN_ENTROPY = 3.6
"""Bits a character; a random base64 string of 24 characters has about 4.2, an identifier in camel case below 3.5."""
_RUN = b"w" * MIN_RUN
_FORMATS: tuple[tuple[str, str], ...] = (
    ("sk-", r"sk-(?:ant-|proj-|or-v1-|svcacct-|admin-)?(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}"),
    ("sk_", r"sk_(?:live|test|prod)_[0-9A-Za-z]{10,}"), ("pk_", r"pk_(?:live|test)_[0-9A-Za-z]{10,}"),
    ("rk_", r"rk_(?:live|test)_[0-9A-Za-z]{10,}"), ("gh", r"gh[pousr]_[A-Za-z0-9]{16,}"),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{20,}"), ("glpat-", r"glpat-[A-Za-z0-9_-]{16,}"),
    ("xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,}"), ("xapp-", r"xapp-\d-[A-Za-z0-9-]{10,}"),
    ("AKIA", r"AKIA[0-9A-Z]{16}(?![0-9A-Z])"), ("ASIA", r"ASIA[0-9A-Z]{16}(?![0-9A-Z])"),
    ("AIza", r"AIza[0-9A-Za-z_-]{30,}"), ("GOCSPX-", r"GOCSPX-[0-9A-Za-z_-]{20,}"), ("hf_", r"hf_[A-Za-z0-9]{20,}"),
    ("npm_", r"npm_[A-Za-z0-9]{30,}"), ("pypi-", r"pypi-[A-Za-z0-9_-]{30,}"), ("whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    ("eyJ", r"eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*)?"), ("xai-", r"xai-[A-Za-z0-9]{20,}"),
    ("gsk_", r"gsk_[A-Za-z0-9]{20,}"), ("r8_", r"r8_[A-Za-z0-9]{30,}"), ("nvapi-", r"nvapi-[A-Za-z0-9_-]{20,}"),
    ("phc_", r"phc_[A-Za-z0-9]{20,}"), ("phx_", r"phx_[A-Za-z0-9]{20,}"), ("dop_v1_", r"dop_v1_[a-f0-9]{32,}"),
    ("shpat_", r"shpat_[a-fA-F0-9]{20,}"), ("lin_api_", r"lin_api_[A-Za-z0-9]{20,}"),
    ("secret_", r"secret_[A-Za-z0-9]{30,}"), ("ntn_", r"ntn_[A-Za-z0-9]{30,}"), ("sbp_", r"sbp_[a-f0-9]{30,}"),
    ("glrt-", r"glrt-[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9.]+)?"), ("gldt-", r"gldt-[A-Za-z0-9_-]{16,}"),
    ("glptt-", r"glptt-[A-Za-z0-9_-]{16,}"), ("glcbt-", r"glcbt-[A-Za-z0-9_-]{16,}"),
    ("pplx-", r"pplx-[A-Za-z0-9]{20,}"), ("fw_", r"fw_(?=[A-Za-z]*\d)[A-Za-z0-9]{20,}"),
    ("tvly-", r"tvly-(?:dev-|prod-)?[A-Za-z0-9-]{16,}"), ("sk_", r"sk_[a-f0-9]{32,}"),
    ("lsv2_", r"lsv2_[a-z]{2}_[a-f0-9_]{32,}"), ("wandb_v1_", r"wandb_v1_[A-Za-z0-9_-]{20,}"),
    ("rubygems_", r"rubygems_[a-f0-9]{32,}"), ("cio", r"cio(?=[A-Za-z]*\d)[A-Za-z0-9]{32}(?![A-Za-z0-9])"),
    ("dckr_", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"), ("doo_v1_", r"doo_v1_[a-f0-9]{32,}"),
    ("dor_v1_", r"dor_v1_[a-f0-9]{32,}"), ("shp", r"shp(?:ss|ca|pa)_[a-fA-F0-9]{20,}"),
    ("sb_", r"sb_(?:secret|publishable)_[A-Za-z0-9_-]{20,}"), ("vercel_blob_rw_", r"vercel_blob_rw_[A-Za-z0-9_]{20,}"),
    ("vc", r"vc[pkira]_[A-Za-z0-9]{24,}"), ("nfp_", r"nfp_[A-Za-z0-9]{30,}"), ("fo1_", r"fo1_[A-Za-z0-9_-]{30,}"),
    ("fm", r"fm[12][ar]?_[A-Za-z0-9+/=_-]{40,}"), ("rnd_", r"rnd_(?=[A-Za-z]*\d)[A-Za-z0-9]{24,}"),
    ("HRKU-", r"HRKU-[A-Za-z0-9_-]{30,}"), ("cf", r"cf(?:ut|at|k)_[A-Za-z0-9_-]{36,}"),
    ("key-", r"key-[0-9a-f]{32}(?![0-9a-f])"), ("key_", r"key_[0-9a-f]{32,}"),
    ("re_", r"re_[A-Za-z0-9]{8}_[A-Za-z0-9]{16,}"),
    ("NRAK-", r"NRAK-[A-Z0-9]{20,}"), ("NRJS-", r"NRJS-[a-f0-9]{16,}"), ("sntry", r"sntry[su]_[A-Za-z0-9+/=_-]{40,}"),
    ("glsa_", r"glsa_[A-Za-z0-9]{20,}_[a-f0-9]{8}"), ("glc_", r"glc_[A-Za-z0-9+/=]{32,}"),
    ("hcaik_", r"hcaik_[a-z0-9_]{32,}"), ("dapi", r"dapi[a-f0-9]{32}(?:-\d)?(?![a-f0-9])"),
    ("pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{40,}"), ("figd_", r"figd_[A-Za-z0-9_-]{24,}"),
    ("access-", r"access-(?:sandbox|development|production)-[0-9a-f-]{36}"), ("pul-", r"pul-[a-f0-9]{40}"),
    ("tskey-", r"tskey-[a-z]+-[A-Za-z0-9]+-[A-Za-z0-9]{16,}"),
    ("pscale_", r"pscale_(?:tkn|pw|oauth)_[A-Za-z0-9_.-]{24,}"),
    ("napi_", r"napi_(?=[a-z]*\d)[a-z0-9]{40,}"), ("bkua_", r"bkua_[a-f0-9]{32,}"), ("sq", r"sq[pua]_[a-f0-9]{40}"),
    ("CCIPAT_", r"CCIPAT_[A-Za-z0-9]+_[a-f0-9]{32,}"), ("ATATT3", r"ATATT3[A-Za-z0-9_=-]{60,}"),
    ("ATCTT3", r"ATCTT3[A-Za-z0-9_=-]{60,}"), ("xkeysib-", r"xkeysib-[a-f0-9]{40,}-[A-Za-z0-9]+"),
    ("pcsk_", r"pcsk_[A-Za-z0-9_]{40,}"), ("ops_ey", r"ops_ey[A-Za-z0-9_-]{60,}"), ("ABSK", r"ABSK[A-Za-z0-9+/=]{60,}"),
    ("EAA", r"EAA(?=[A-Za-z]*\d)[A-Za-z0-9]{60,}"), ("CFPAT-", r"CFPAT-[A-Za-z0-9_-]{30,}"),
    ("AGE-SECRET-KEY-", r"AGE-SECRET-KEY-1[0-9A-Z]{20,}"), ("AA", r"AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])"),
)  # fmt: skip
STARTS = tuple(start for start, _ in _FORMATS)
_STARTING = frozenset(start[:2] for start in STARTS)
_PATTERNS = tuple((start, re.compile(pattern)) for start, pattern in _FORMATS)
_PEM = re.compile(
    r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----[^\x00]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|(?=\x00)|\Z)"
)
_PEM_TAIL = re.compile(r"(?:\A|(?<=\x00\n))[A-Za-z0-9+/=\s\\]*?-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----")
_HOOKS = (
    ("hooks.slack.com", re.compile(r"hooks\.slack\.com/(?:services|workflows)/([A-Za-z0-9/_-]{20,})")),
    ("api/webhooks/", re.compile(r"api/webhooks/(\d+/[\w-]{20,})")),
    ("ya29.", re.compile(r"(ya29\.[0-9A-Za-z_-]{20,})")),
    ("SG.", re.compile(r"\b(SG\.[\w-]{16,}\.[\w-]{16,})")),
)
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.I)
_HEX = re.compile(r"[0-9a-fA-F]+")
_INSIDE = re.compile(r"[0-9a-f]{32}-us\d{1,2}|[a-z0-9]{76}AZDO[A-Za-z0-9]{4}")
"""Formats of Mailchimp and Azure DevOps, which are not told by how they begin."""
_WORDY = re.compile(r"[a-z]{4,}")
MAX_WORDY = 0.6
"""Share of characters in runs of small letters; a name in camel case lies above, of random strings one in thousands."""
_DIGIT = re.compile(r"[0-9]")
_WIDE = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-")


def marked_secrets(text: str) -> Iterator[Span]:
    """Private keys and web hooks, whose form is wider than a run of token characters."""
    if "PRIVATE KEY" in text:
        for match in (*_PEM.finditer(text), *_PEM_TAIL.finditer(text)):
            yield Span(match.start(), match.end(), "SECRET")
    for anchor, pattern in _HOOKS:
        if anchor in text:
            for match in pattern.finditer(text):
                yield Span(match.start(1), match.end(1), "TOKEN")


def token_runs(images: Images, strict: bool) -> Iterator[Span]:
    """Secrets among the long runs of token characters: of known formats, or looking random.

    Args:
        strict: also hexadecimal strings of 32 digits and more, and UUIDs.
    """
    text, tokens = images.text, images.tokens
    find = tokens.find
    place = find(_RUN)
    while place >= 0:
        end = find(b" ", place)
        end = len(tokens) if end < 0 else end
        run = text[place:end]
        if run[:2] in _STARTING and run.startswith(STARTS):
            known = _known(text, place, run)
            if known is not None:
                yield known
                place = find(_RUN, max(end, known.end))
                continue
        if _DIGIT.search(run):
            yield from _judge_run(text, place, end, run, strict)
        place = find(_RUN, end)


def _known(text: str, place: int, run: str) -> Span | None:
    for start, pattern in _PATTERNS:
        if run.startswith(start):
            match = pattern.match(text, place)
            if match and (start != "AA" or text[max(0, place - 1) : place] == ":"):
                begin = place
                if start == "AA":
                    # A Telegram bot token has its number before the colon.
                    begin = place - 1
                    while begin > 0 and text[begin - 1].isdigit():
                        begin -= 1
                return Span(begin, match.end(), "TOKEN")
    return None


def _judge_run(text: str, start: int, end: int, run: str, strict: bool) -> Iterator[Span]:
    shape = _shape(run)
    if ("-us" in run or "AZDO" in run) and _INSIDE.fullmatch(run):
        yield Span(start, end, "TOKEN")
    if shape == "hex":
        if strict and len(run) >= 32:
            yield Span(start, end, "ID")
        return
    if shape == "words":
        return
    start, stop = _widen(text, start, end)
    if looks_random(text[start:stop]):
        yield Span(start, stop, "SECRET")
    begin = max(text.rfind("\n", 0, start) + 1, start - 200)
    finish = text.find("\n", stop)
    yield from _plugins_on(text, begin, min(len(text) if finish < 0 else finish, stop + 200))


@lru_cache(8192)
def _shape(run: str) -> str:
    """ "hex" (digests, UUIDs), "words" (identifiers, dates, numbers), or "mixed"."""
    if _HEX.fullmatch(run) or _UUID.fullmatch(run):
        return "hex"
    pieces = re.split(r"[-_+]", run)
    return "words" if _mostly_words(pieces) or not any(c.isalpha() for c in run) else "mixed"


def looks_random(run: str) -> bool:
    """Whether a string mixes lower case, upper case and digits as a random one does. Hexadecimal digests do not."""
    core = run.strip("-=_+/")
    if len(core) < MIN_RANDOM or _HEX.fullmatch(core) or _UUID.fullmatch(core) or "--" in core or "==" in core:
        return False
    pieces = re.split(r"[-_/]", core)
    if _mostly_words(pieces):
        return False
    if sum(map(len, _WORDY.findall(core))) >= MAX_WORDY * len(core):
        return False
    kinds = (any(c.islower() for c in core), any(c.isupper() for c in core), sum(c.isdigit() for c in core) >= 2)
    if not all(kinds):
        return False
    switches = sum(_kind(a) != _kind(b) for a, b in pairwise(core))
    return switches >= len(core) / 4 and entropy(core) >= MIN_ENTROPY


def entropy(text: str) -> float:
    """Shannon entropy of the characters, bits a character."""
    size = len(text)
    return -sum(n / size * math.log2(n / size) for n in Counter(text).values())


def _mostly_words(pieces: list[str]) -> bool:
    """Whether half of the pieces are words. One or two characters are no piece: a random string has many such."""
    long = [piece for piece in pieces if len(piece) > 2]
    return sum(map(_is_word, long)) * 2 >= len(long)


def _is_word(piece: str) -> bool:
    if not piece or piece.isdigit():
        return True
    letters = piece.rstrip("0123456789")
    return (
        letters.isalpha()
        and (letters.islower() or letters.isupper() or letters.istitle())
        and len(piece) - len(letters) < 4
    )


def _kind(char: str) -> int:
    return 0 if char.isdigit() else 1 if char.islower() else 2 if char.isupper() else 3


def _widen(text: str, start: int, end: int) -> tuple[int, int]:
    """The run with adjoining characters of base64 that the class image leaves out ("/", "=")."""
    first, stop = start, end
    while stop < len(text) and stop - end < 400 and text[stop] in _WIDE:
        stop += 1
    while first > 0 and start - first < 400 and text[first - 1] in _WIDE and text[first - 1] != "=":
        first -= 1
    return (first, stop) if (first, stop) != (start, end) and looks_random(text[first:stop]) else (start, end)


def _plugins_on(text: str, begin: int, finish: int) -> Iterator[Span]:
    for pattern in plugin_patterns():
        for match in pattern.finditer(text, begin, finish):
            group = next((number for number in range(1, (match.re.groups or 0) + 1) if match.group(number)), 0)
            start, end = match.span(group)
            if end - start < 8:
                start, end = match.span()
            while end < len(text) and (text[end].isalnum() or text[end] in "_-"):
                end += 1
            yield Span(start, end, "TOKEN")


@cache
def plugin_patterns() -> tuple[re.Pattern[str], ...]:
    """The patterns of detect-secrets' plugins for the formats of services (imported when first needed)."""
    from importlib import import_module

    names = {
        "artifactory": "ArtifactoryDetector", "aws": "AWSKeyDetector", "azure_storage_key": "AzureStorageKeyDetector",
        "cloudant": "CloudantDetector", "discord": "DiscordBotTokenDetector", "github_token": "GitHubTokenDetector",
        "gitlab_token": "GitLabTokenDetector", "ibm_cloud_iam": "IbmCloudIamDetector",
        "ibm_cos_hmac": "IbmCosHmacDetector",
        "jwt": "JwtTokenDetector", "mailchimp": "MailchimpDetector", "npm": "NpmDetector", "openai": "OpenAIDetector",
        "pypi_token": "PypiTokenDetector", "sendgrid": "SendGridDetector", "slack": "SlackDetector",
        "softlayer": "SoftlayerDetector", "square_oauth": "SquareOAuthDetector", "stripe": "StripeDetector",
        "telegram_token": "TelegramBotTokenDetector", "twilio": "TwilioKeyDetector",
    }  # fmt: skip
    plugins = (getattr(import_module(f"detect_secrets.plugins.{module}"), name)() for module, name in names.items())
    return tuple(pattern for plugin in plugins for pattern in plugin.denylist)
