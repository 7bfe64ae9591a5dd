"""Distances between two sets of user turns that need no model. 0 = alike; the first set is the real one.

Numbers in brackets refer to the list of sixteen in docs/how-to/realism.md. Every measure is a pure function of two
lists of `Item`; floors, p values and intervals are `comparison.py`'s business.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import numpy as np

from autointeract.records.vocabulary import PUSHBACK_OF_REACTION, PUSHBACK_REACTIONS
from autointeract.users import similarity as sim
from autointeract.users.corpus import Item, by_group
from autointeract.users.surface import STYLE_MARKS

MOST_PAIRED = 80
"""Turns whose pairwise distance is taken."""
Measure = Callable[[Sequence[Item], Sequence[Item]], float]


def length_w1(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[1] Wasserstein-1 of log(1 + words)."""
    return sim.wasserstein((math.log1p(t.words) for t in real), (math.log1p(t.words) for t in other), 1.0)


def length_ks(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[1] Kolmogorov-Smirnov distance of words."""
    if not real or not other:
        return 0.0
    a, b = (np.sort([t.words for t in items]) for items in (real, other))
    points = np.concatenate([a, b])
    gaps = np.searchsorted(a, points, "right") / len(a) - np.searchsorted(b, points, "right") / len(b)
    return float(np.abs(gaps).max())


def short_rate(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[1] Difference of the share of turns with at most five words."""
    return abs(_mean(t.words <= 5 for t in real) - _mean(t.words <= 5 for t in other))


def surface(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[3] 1 - Dice of the style rates."""
    return 1.0 - _dice(_marks(real), _marks(other))


def intent(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[4] Jensen-Shannon divergence of intents."""
    return sim.jsd(sim.counts(t.intent for t in real), sim.counts(t.intent for t in other))


def reaction(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[4] Jensen-Shannon divergence of reactions."""
    return sim.jsd(sim.counts(t.reaction for t in real), sim.counts(t.reaction for t in other))


def pushback_kinds(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[4] Jensen-Shannon divergence of SWE-chat's pushback labels."""
    tables = [sim.counts(PUSHBACK_OF_REACTION[t.reaction][0] for t in items) for items in (real, other)]
    return sim.jsd(*tables)


def pushback_calibration(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[5] Mean over users of the difference in pushback rates; over the groups that both sides hold."""
    left, right = by_group(real), by_group(other)
    shared = sorted(left.keys() & right.keys())
    if not shared:
        return abs(_pushback(real) - _pushback(other))
    return _mean(abs(_pushback(left[name]) - _pushback(right[name])) for name in shared)


def diversity(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[6] Difference of mean pairwise word-set distance between turns, on equally many turns."""
    n = min(len(real), len(other), MOST_PAIRED)
    return abs(mean_distance(_thin(real, n)) - mean_distance(_thin(other, n))) if n > 1 else 0.0


def unigrams(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[7] Jensen-Shannon divergence of words, both sides thinned to one amount of text."""
    return _ngrams(real, other, 1)


def bigrams(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[7] Jensen-Shannon divergence of word pairs, both sides thinned to one amount of text."""
    return _ngrams(real, other, 2)


def vocabulary(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[7] 1 - Dice of the sets of words, both sides thinned to one amount of text."""
    a, b = (set(words) for words in _equal_text(real, other))
    return 1.0 - 2 * len(a & b) / (len(a) + len(b)) if a or b else 0.0


def decomposition(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[10] Difference of the mean share of a turn's content words that the dialogue's opening had."""
    return abs(_mean(t.of_opening for t in real if t.number) - _mean(t.of_opening for t in other if t.number))


def echo(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[12] Difference of the share of turns that repeat eight words of the agent's last message."""
    return abs(_mean(t.echoes for t in real) - _mean(t.echoes for t in other))


def usi_like(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[13] 1 - mean Dice of four groups of rates: style, information, clarification, reaction to errors."""
    return 1.0 - sum(usi_groups(real, other).values()) / 4


def repetition(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[14] Difference of the mean likeness of a turn to its nearest earlier turn (5-gram Jaccard)."""
    return abs(_mean(t.repeats for t in real if t.number) - _mean(t.repeats for t in other if t.number))


def cells(real: Sequence[Item], other: Sequence[Item]) -> float:
    """[15] Jensen-Shannon divergence over cells of reaction x specificity x length."""
    return sim.jsd(sim.counts(_cell(t) for t in real), sim.counts(_cell(t) for t in other))


MEASURES: dict[str, Measure] = {
    "length_w1": length_w1, "length_ks": length_ks, "short_rate": short_rate, "surface": surface, "intent": intent,
    "reaction": reaction, "pushback_kinds": pushback_kinds, "pushback_calibration": pushback_calibration,
    "diversity": diversity, "unigrams": unigrams, "bigrams": bigrams, "vocabulary": vocabulary,
    "decomposition": decomposition, "echo": echo, "usi_like": usi_like, "repetition": repetition, "cells": cells,
}  # fmt: skip


def usi_groups(real: Sequence[Item], other: Sequence[Item]) -> dict[str, float]:
    """Dice of each of the four groups, in [0, 1]."""
    groups = {
        "style": (_marks(real), _marks(other)),
        "information": (_rates(real, "specificity"), _rates(other, "specificity")),
        "clarification": (_share(real, ("clarify", "answer", "vague")), _share(other, ("clarify", "answer", "vague"))),
        "errors": (
            _share(real, ("correct", "reject", "report_failure", "change_requirement", "accept")),
            _share(other, ("correct", "reject", "report_failure", "change_requirement", "accept")),
        ),
    }
    return {name: _dice(a, b) for name, (a, b) in groups.items()}


def coverage(real: Sequence[Item], other: Sequence[Item]) -> dict[str, float]:
    """[15] Share of real turns in cells the other side fills, and the reverse."""
    a, b = Counter(_cell(t) for t in real), Counter(_cell(t) for t in other)
    return {
        "real_covered": round(sum(n for c, n in a.items() if c in b) / max(len(real), 1), 4),
        "other_seen": round(sum(n for c, n in b.items() if c in a) / max(len(other), 1), 4),
    }


def calibration_error(real: Sequence[Item], other: Sequence[Item], buckets: int = 5) -> float | None:
    """[5] Expected calibration error: users bucketed by real pushback rate, |mean real - mean other| by bucket size."""
    left, right = by_group(real), by_group(other)
    pairs = sorted((_pushback(left[n]), _pushback(right[n])) for n in left.keys() & right.keys())
    if not pairs:
        return None
    chunks = np.array_split(np.array(pairs), min(buckets, len(pairs)))
    return round(float(sum(abs(c[:, 0].mean() - c[:, 1].mean()) * len(c) for c in chunks) / len(pairs)), 6)


def termination(predicted: Sequence[bool], truth: Sequence[bool]) -> dict[str, float | None]:
    """[2] F1 of "the user ends the conversation here"; null where nothing was or could be predicted."""
    hits = sum(p and t for p, t in zip(predicted, truth, strict=True))
    precision = hits / sum(predicted) if any(predicted) else None
    recall = hits / sum(truth) if any(truth) else None
    both = precision is not None and recall is not None and precision + recall > 0
    return {
        "precision": precision, "recall": recall,
        "f1": round(2 * precision * recall / (precision + recall), 4) if both and precision and recall else None,
    }  # fmt: skip


def mean_distance(items: Sequence[Item]) -> float:
    """Mean pairwise Jaccard distance of the turns' word sets."""
    sets = [set(t.tokens) for t in items if t.tokens]
    if len(sets) < 2:
        return 0.0
    vocabulary = {word: place for place, word in enumerate(sorted(set().union(*sets)))}
    table = np.zeros((len(sets), len(vocabulary)), dtype=np.float32)
    for row, words in enumerate(sets):
        table[row, [vocabulary[word] for word in words]] = 1
    shared = table @ table.T
    sizes = table.sum(axis=1)
    likeness = shared / (sizes[:, None] + sizes[None, :] - shared)
    n = len(sets)
    return float(1 - (likeness.sum() - n) / (n * (n - 1)))


def distinct(items: Sequence[Item], n: int) -> float | None:
    """[6] Different n-grams of words over all of them."""
    grams = [gram for t in items for gram in zip(*(t.tokens[k:] for k in range(n)), strict=False)]
    return round(len(set(grams)) / len(grams), 4) if grams else None


def _ngrams(real: Sequence[Item], other: Sequence[Item], n: int) -> float:
    a, b = _equal_text(real, other)
    grams = [sim.counts(words if n == 1 else pairwise(words)) for words in (a, b)]
    return sim.jsd(*grams)


def _equal_text(real: Sequence[Item], other: Sequence[Item]) -> tuple[list[str], list[str]]:
    a, b = ([word for t in items for word in t.tokens] for items in (real, other))
    size = min(len(a), len(b))
    return _spread(a, size), _spread(b, size)


def _spread(words: list[str], size: int) -> list[str]:
    # Whole stretches from all over the text, not its head: the head is one user's.
    if size >= len(words):
        return words
    blocks = [words[start : start + 20] for start in range(0, len(words), 20)]
    order = np.random.default_rng(len(words)).permutation(len(blocks))
    return [word for place in order for word in blocks[place]][:size]


def _thin(items: Sequence[Item], n: int) -> list[Item]:
    if n >= len(items):
        return list(items)
    return [items[place] for place in sorted(np.random.default_rng(len(items)).permutation(len(items))[:n])]


def _marks(items: Sequence[Item]) -> list[float]:
    return np.array([t.marks for t in items]).mean(axis=0).tolist() if items else [0.0] * len(STYLE_MARKS)


def _rates(items: Sequence[Item], name: str) -> list[float]:
    counts = Counter(getattr(t, name) for t in items)
    return [counts[level] / max(len(items), 1) for level in range(4)]


def _share(items: Sequence[Item], kinds: Sequence[str]) -> list[float]:
    return [_mean(t.reaction == kind for t in items) for kind in kinds]


def _dice(a: Sequence[float], b: Sequence[float]) -> float:
    total = sum(a) + sum(b)
    return 2 * sum(min(x, y) for x, y in zip(a, b, strict=True)) / total if total else 1.0


def _pushback(items: Sequence[Item]) -> float:
    return _mean(t.reaction in PUSHBACK_REACTIONS for t in items if t.number)


def _cell(t: Item) -> tuple[str, int, int]:
    return t.reaction, t.specificity, min(int(math.log2(1 + t.words)), 6)


def _mean(values: Iterable[float]) -> float:
    found = list(values)
    return sum(found) / len(found) if found else 0.0
