"""Gate: which texts can hold a secret or personal data at all, told for many texts by two passes of one automaton.

The finders look at a text some thirty times; this looks twice (RE2 in Arrow, about 3 ns a character for both), and most
texts of a log need no more. Every pattern here accepts all that the finders accept, and more; names of the session's
own metadata and of home folders are not its business, they are looked for in all texts.
"""

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute

from autointeract.logs.redaction.secrets import MIN_RUN, STARTS

WORTHWHILE = 50_000
"""With fewer characters, setting up the automaton costs more than it saves."""
_TOKEN = "[0-9A-Za-z_+-]"
_MARKED = (
    r"(?i:passw|passphrase|pwd|secret|token|credential|(?:api|access|private|account|auth|encryption|signing|secret|"
    r"service|license|shared|master)[ _-]?key)[\w-]*\\*[\"'`]?\]?[\s\x0b]*(?:[:=]|(?i:is)\b)",
    r"--[\w-]*(?i:passwd|password|secret|token|key) ",
    r"(?i:bearer[\s\x0b]+[a-z0-9._~+/=-]|basic[\s\x0b]+[a-z0-9+/=])",
    r"(?i:cookie)\\*[\"']?[\s\x0b]*[:=]|-u[ =][^\n]*:|--user[ =]|\\(?i:home|users)\\|(?i:sshpass)",
    r"(?i:mysql)[\w-]*[\s\x0b][^\n]*[\s\x0b]-p|(?i:login)[\s\x0b]+\S+[\s\x0b]+(?i:password)",
    r"Users(?:/|\\+)[^/\\\n]* ",
    r"PRIVATE KEY|hooks\.slack\.com|api/webhooks/|ya29\.|SG\.",
    r"\+[0-9][-() .0-9]{6}|[0-9]{3}[-() ][0-9]{4}|[0-9]{3}\.[0-9]{3}\.[0-9]{4}",
    r"[0-9]\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]|::[0-9A-Fa-f]|:[0-9A-Fa-f]+(?::[0-9A-Fa-f]+){5}:",
    r"@[A-Za-z0-9.-]*\.[A-Za-z]|://[^\s/@\"'<>]+@",
    r"[?&](?i:key|sig|signature|auth|code|X-Amz-Signature|X-Amz-Credential)=",
    "|".join(f"{start}{_TOKEN}{{{max(1, MIN_RUN - len(start))}}}" for start in STARTS if len(start) < 6),
    "|".join(start for start in STARTS if len(start) >= 6),
)
_PATTERNS = ("|".join(_MARKED), f"{_TOKEN}{{8}}[0-9]|[0-9]{_TOKEN}{{8}}")
"""What is marked by its form or its surroundings; runs of token characters with a digit (of 16, eight on one side)."""


def suspects(texts: Sequence[str]) -> list[bool]:
    """For each text whether the finders have to look at it. The texts are clean (`records.clean_text`)."""
    if sum(map(len, texts)) < WORTHWHILE:
        return [True] * len(texts)
    column = pa.array(texts, pa.large_string())
    first, second = (
        pyarrow.compute.call_function("match_substring_regex", [column], pyarrow.compute.MatchSubstringOptions(pattern))
        for pattern in _PATTERNS
    )
    return pyarrow.compute.call_function("or", [first, second]).to_pylist()
