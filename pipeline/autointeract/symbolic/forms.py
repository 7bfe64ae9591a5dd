"""The forms in which a user can state a fact, and how each is read back from visible text.

Wording (`paraphrase`, `by_example`, `fragments`, `variant`) and reading (`read`) are two sides of one set of rules: a
solver that reads, a judge that checks and a user that words agree on what has been said. Pure functions; the same
arguments give the same result.

Forms, from direct to indirect:

    direct       word for word, as the task says it
    paraphrase   in other words, or telegraphic
    superseded   stated as a later change of what was asked before
    example      by naming its topic and giving a worked case
    spread       in two pieces, in two turns
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Literal

from autointeract.symbolic.lexicon import CRITICAL, DROPPABLE, FLIPS, GROUPS, IDLE

Form = Literal["direct", "paraphrase", "superseded", "example", "spread"]
CHANGE_MARKERS: tuple[str, ...] = ("changed my mind", "scrap what i said", "new requirement", "one thing has changed")
WORKED = re.compile(r"\w+\(.*\).{0,20}?(comes out as|returns|gives|==|->|=>|➞)", re.DOTALL)
COVERAGE = 0.8
"""Share of a fact's content words that makes it recognisable (ours)."""
FRAGMENT = 0.3
"""Share of a fact's content words that makes one piece of a spread fact (ours)."""

_CASE = re.compile(
    r"\s*(?:>>>|(?:input|output)s?\s*:|\W*(?:for |example:? ?)?\w+\(.*\)\W*(?:==|->|=>|➞|returns|gives))", re.IGNORECASE
)
_VERB = re.compile(r"\b(?:returns|gives)\b|==|->|=>|➞")
_TOKEN = re.compile(r"[^\W\d]\w*|-?\d+(?:\.\d+)?")
_SEGMENT = re.compile(r"\n+|(?<=[.!?;])\s+")
_CANONICAL = {word: group[0] for group in GROUPS for word in group}
_TELLING = frozenset(_CANONICAL.get(word, word) for word in CRITICAL)


@lru_cache(maxsize=4096)
def tokens(text: str) -> tuple[str, ...]:
    """Lower-case words and numbers of `text`, in order; `_` splits no word."""
    return tuple(_TOKEN.findall(text.lower()))


def _canonical(token: str) -> str:
    for form in (token, token[:-1] if token.endswith("s") and len(token) > 3 else token):
        if form in _CANONICAL:
            return _CANONICAL[form]
    return token[:-1] if token.endswith("s") and not token.endswith("ss") and len(token) > 3 else token


@lru_cache(maxsize=4096)
def content(text: str) -> frozenset[str]:
    """Content words of `text`, one word a synonym group, plurals folded."""
    return frozenset(_canonical(token) for token in tokens(text) if token not in IDLE)


@lru_cache(maxsize=4096)
def critical(text: str) -> Counter[str]:
    """Numbers, and words whose exchange would make another requirement, with how often each occurs."""
    words = (_canonical(token) for token in tokens(text))
    return Counter(word for word in words if word in _TELLING or word.lstrip("-").replace(".", "", 1).isdigit())


def topic(text: str) -> tuple[str, ...]:
    """Up to three long content words of a fact, in its order: what it is about, without what it says."""
    seen = [token for token in dict.fromkeys(tokens(text)) if token not in IDLE and token not in CRITICAL]
    longest = sorted(seen, key=lambda token: (-len(token), token))[:3]
    return tuple(token for token in seen if token in longest)


def is_case(text: str) -> bool:
    """Whether a fact is itself a worked case (a doctest, `f(2) == 4`, "Input: ... Output: ...")."""
    return bool(_CASE.match(text))


def read(fact: str, turns: Sequence[str]) -> Form | None:
    """The most direct form in which the user turns `turns` (oldest first) state `fact`; null if they do not; a
    fact without words (a lone sign) counts as stated.
    """
    if not tokens(fact):
        return "direct"
    wanted = f" {' '.join(tokens(fact))} "
    best: Form | None = None
    for index, turn in enumerate(turns):
        at = f" {' '.join(tokens(turn))} ".find(wanted)
        if at < 0:
            continue
        before = f" {' '.join(tokens(turn))} "[max(0, at - 60) : at]
        if index == 0 or not any(marker in before for marker in CHANGE_MARKERS):
            return "direct"
        best = "superseded"
    if best:
        return best
    words, must = content(fact), critical(fact)
    if not words:
        return None  # nothing but words that carry nothing: only word for word counts
    for index, turn in enumerate(turns):
        for window in _windows(turn):
            here = content(window)
            if len(words & here) >= COVERAGE * len(words) and must <= critical(window):
                changed = index > 0 and any(marker in " ".join(tokens(window)) for marker in CHANGE_MARKERS)
                return "superseded" if changed else "paraphrase"
    about = frozenset(_canonical(token) for token in topic(fact))
    for turn in turns:
        for window in _windows(turn):
            if about and about <= content(window) and WORKED.search(window):
                return "example"
    return "spread" if _spread(words, must, turns) else None


def has_words(text: str, words: str) -> bool:
    """Whether the words of `words` (none always do) occur in `text`, in order and without others between them."""
    return not tokens(words) or f" {' '.join(tokens(words))} " in f" {' '.join(tokens(text))} "


def _spread(words: frozenset[str], must: Counter[str], turns: Sequence[str]) -> bool:
    pieces: list[str] = []
    for turn in turns:
        best = max(_windows(turn), key=lambda window: len(words & content(window)), default="")
        if len(words & content(best)) >= FRAGMENT * len(words):
            pieces.append(best)
    if len(pieces) < 2:
        return False
    union = frozenset().union(*(words & content(piece) for piece in pieces))
    telling = sum((critical(piece) for piece in pieces), Counter())
    return len(union) >= COVERAGE * len(words) and must <= telling


@lru_cache(maxsize=1024)
def _windows(turn: str) -> tuple[str, ...]:
    parts = [part for part in _SEGMENT.split(turn) if part.strip()]
    return tuple(" ".join(parts[i : i + 2]) for i in range(len(parts))) if len(parts) > 1 else (turn,)


def paraphrase(fact: str, random: Random) -> str:
    """`fact` in other words: synonyms, articles dropped, and the halves exchanged where nothing else changed it."""
    if is_case(fact):
        return _VERB.sub("comes out as", fact, count=1)  # values are no words to be exchanged
    text = re.sub(r"[^\W\d]\w*", lambda match: _other_word(match.group(), random), fact)
    text = re.sub(r"\s+", " ", text).strip().rstrip(".")
    if not has_words(text, fact):
        return text
    words = text.split()
    middle = len(words) // 2
    return " ".join([*words[middle:], "-", *words[:middle]]) if len(words) > 1 else f"{text}, that is"


def _other_word(word: str, random: Random) -> str:
    low = word.lower()
    if low in DROPPABLE and word == low:
        return ""
    group = next((group for group in GROUPS if low in group), None)
    if group is None or random.random() < 0.25:
        return word
    chosen = random.choice([other for other in group if other != low])
    return chosen.capitalize() if word[0].isupper() else chosen


def by_example(fact: str, case: str) -> str:
    """`fact` by its topic and a worked case (text such as "`f(2)` comes out as `4`")."""
    return f"about {' '.join(topic(fact))}: see {case}"


def fragments(fact: str) -> tuple[str, str] | None:
    """Two telegraphic halves of a fact, or null if it is a case, or too short for recognisable pieces."""
    if is_case(fact):
        return None
    words = [word for word in fact.rstrip(".").split() if word.lower() not in DROPPABLE]
    total = content(fact)
    for middle in sorted(range(2, len(words) - 1), key=lambda i: abs(i - len(words) / 2)):
        first, second = " ".join(words[:middle]), " ".join(words[middle:])
        shares = [len(total & content(part)) / max(len(total), 1) for part in (first, second)]
        if min(shares) >= FRAGMENT and max(shares) < COVERAGE:
            return first, second
    return None


def variant(fact: str, random: Random) -> str | None:
    """Another requirement in the place of `fact`: one number or one telling word exchanged; null if there is none."""
    places = [match for match in re.finditer(r"(?<![\w.])\d+(?![\w.]|\.\d)", fact) if not is_case(fact)]
    if places:
        place = random.choice(places)
        return f"{fact[: place.start()]}{int(place.group()) + random.choice((1, 2))}{fact[place.end() :]}"
    options = [
        (match, other)
        for pair in FLIPS
        for this, other in (pair, pair[::-1])
        for match in re.finditer(rf"\b{this}\b", fact)
    ]
    if not options:
        return None
    match, other = random.choice(options)
    return f"{fact[: match.start()]}{other}{fact[match.end() :]}"
