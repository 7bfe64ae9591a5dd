"""What a candidate behavior prompt may not do, and how it differs from its parent.

A candidate serves all users and all tasks: it may not carry words of the logs it was learned from, may not be longer
than the limit, and may not tell the simulator to leave the output format that the turn's instructions set.
"""

import difflib
import hashlib
import re
from collections.abc import Iterable, Sequence

from autointeract.users import privacy
from autointeract.users.instances import Instance
from autointeract.users.surface import tokens

_FORMAT = re.compile(
    r"```|\b(?:json|yaml|xml)\b|\b(?:do not|don't|never) (?:use|return|reply with|answer with|output) "
    r"(?:a |any )?(?:json|object)\b|"
    r"\b(?:reply|answer|respond|output) (?:only |just )?(?:in|with|as) (?:plain text|markdown|html)\b",
    re.I,
)
RUN = 8
"""Words in a row of any log that a prompt may not repeat."""


def prompt_id(text: str) -> str:
    """sha256 of the text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


class Guard:
    """The checks, with what must not be named taken from the instances.

    Args:
        seed: the seed prompt; its own words are always allowed.
    """

    def __init__(self, seed: str, instances: Sequence[Instance], max_words: int):
        texts = [text for item in instances for text in (item.real, *(m.content for m in item.prefix))]
        common = _common(item.real for item in instances) | frozenset(tokens(seed))
        self._runs = privacy.word_runs(texts, RUN) - privacy.word_runs([seed], RUN)
        self._names = privacy.own_names(texts, common)
        self._seed_findings = set(privacy.findings(seed, set(), RUN))
        self._max_words = max_words

    def objections(self, text: str) -> list[str]:
        """What is wrong with a candidate, as sentences for its writer; [] when nothing is."""
        found = [
            item for item in privacy.findings(text, self._runs, RUN, self._names) if item not in self._seed_findings
        ]
        words = len(text.split())
        if words > self._max_words:
            found.append(f"has {words} words; at most {self._max_words} are allowed")
        if words < 20:
            found.append("is too short to be instructions")
        if _FORMAT.search(text):
            found.append("speaks about the output format, which is set elsewhere")
        return found


def diff(parent: str, child: str) -> list[str]:
    """Changed lines, unified, without context."""
    lines = difflib.unified_diff(parent.splitlines(), child.splitlines(), lineterm="", n=0)
    return [line for line in lines if not line.startswith(("---", "+++", "@@"))]


def _common(texts: Iterable[str]) -> frozenset[str]:
    counts: dict[str, int] = {}
    for text in texts:
        for word in set(tokens(text)):
            counts[word] = counts.get(word, 0) + 1
    return frozenset(word for word, n in counts.items() if n >= 3)
