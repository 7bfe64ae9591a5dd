"""What may never leave a user's logs in a profile: runs of their words, names, paths, addresses, secrets.

In: a profile text and that user's typed texts. Out: findings as short sentences without the private text itself, so
that they can be logged and sent to a writer as feedback.
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from autointeract.users import lexicon, phrases
from autointeract.users.axes import axis_specs
from autointeract.users.surface import tokens

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*", re.UNICODE)
URL = re.compile(
    r"\b(?:https?|ftp|ssh|git)://\S+|\bwww\.\S+|\b[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|ai|app|co|edu|gov)\b(?:/\S*)?",
    re.I,
)
EMAIL = re.compile(r"\b[\w.+-]+@[\w-]+(?:\.[\w-]+)+\b")
PATH = re.compile(
    r"(?:^|[\s`\"'(])(?:~|\.{1,2})?/[\w.-]+(?:/[\w.-]*)*|\b[A-Za-z]:\\\S+|\b[\w-]+/[\w-]+/[\w./-]+|"
    r"\b[\w-]+\.(?:py|js|jsx|ts|tsx|go|rs|c|cc|cpp|h|hpp|java|kt|rb|php|sh|md|json|ya?ml|toml|sql|html|css|txt|"
    r"csv|log|cfg|ini|lock|swift)\b"
)
HANDLE = re.compile(r"(?<!\w)@[A-Za-z][\w-]{2,}")
NUMBER = re.compile(r"\b(?:\d[ -]?){9,}\b|\b\d{1,3}(?:\.\d{1,3}){3}\b")
IDENTIFIER = re.compile(r"`[^`\n]+`|\b\w+_\w+\b|\b[a-z]+[A-Z]\w+\b|\b[A-Z][a-z]+[A-Z]\w+\b|\b\w+\(\)")
SECRET = re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|eyJ)[-_A-Za-z0-9]{8,}\b|\b[A-Za-z0-9+/_-]{24,}\b")
CAPITAL = re.compile(r"(?<=[a-z,;] )[A-Z][a-z]{2,}\b")
_FINE_CAPITALS = frozenset({"English", "Python", "I", "JSON", "Git", "Markdown", "Unix", "Linux"})


def word_runs(texts: Iterable[str], length: int) -> set[tuple[str, ...]]:
    """Every run of `length` words (any case, punctuation dropped) in the texts."""
    runs: set[tuple[str, ...]] = set()
    for text in texts:
        words = [word.lower() for word in _WORD.findall(text)]
        runs.update(tuple(words[start : start + length]) for start in range(len(words) - length + 1))
    return runs


def shared_runs(text: str, runs: set[tuple[str, ...]], length: int) -> int:
    """How many runs of `length` words the text shares with the user's logs."""
    words = [word.lower() for word in _WORD.findall(text)]
    return sum(tuple(words[start : start + length]) in runs for start in range(len(words) - length + 1))


def findings(text: str, runs: set[tuple[str, ...]], length: int, names: frozenset[str] = frozenset()) -> list[str]:
    """What must go before this text may be stored; [] when nothing.

    Args:
        runs: from `word_runs` over the user's typed texts.
        names: lower-case words that name the user's things (repositories, files); see `own_names`.
    """
    found = []
    if shared_runs(text, runs, length):
        found.append(f"repeats {length} or more words in a row from the user's own messages")
    checks = (
        (URL, "a URL or host name"), (EMAIL, "an e-mail address"), (PATH, "a file or path name"), (HANDLE, "a handle"),
        (NUMBER, "a long number or address"), (IDENTIFIER, "a name from code"),
    )  # fmt: skip
    found += [f"contains {what}" for pattern, what in checks if pattern.search(text)]
    if any(_looks_secret(item) for item in SECRET.findall(text)):
        found.append("contains something that looks like a secret")
    if any(word not in _FINE_CAPITALS for word in CAPITAL.findall(text)):
        found.append("contains a capitalised name")
    if names & set(tokens(text)):
        found.append("names something of the user's project")
    return found


def own_names(texts: Iterable[str], common: frozenset[str], repo: Iterable[str] = ()) -> frozenset[str]:
    """Words that look like names of the user's own things: parts of identifiers, paths and repository names that are no
    common words.
    """
    found: set[str] = set()
    for text in texts:
        for match in [*IDENTIFIER.findall(text), *PATH.findall(text), *HANDLE.findall(text), *CAPITAL.findall(text)]:
            found.update(word for word in _parts(match))
    for name in repo:
        found.update(_parts(name))
    plain = common | _plain_words()
    return frozenset(word for word in found if len(word) > 3 and word not in plain)


@cache
def _plain_words() -> frozenset[str]:
    """Words of our own phrases and of the trade: a profile may use them whoever else does."""
    text = json.dumps([phrases.bank(), [spec.model_dump() for spec in axis_specs().values()]])
    return frozenset(tokens(text)) | lexicon.TECHNICAL


def entropy(text: str) -> float:
    """Shannon entropy of the characters, in bits."""
    counts = Counter(text)
    return -sum(n / len(text) * math.log2(n / len(text)) for n in counts.values()) if text else 0.0


def _looks_secret(text: str) -> bool:
    return entropy(text) > 3.5 and any(char.isdigit() for char in text) and any(char.isalpha() for char in text)


def _parts(name: str) -> list[str]:
    return [part.lower() for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", name)]
