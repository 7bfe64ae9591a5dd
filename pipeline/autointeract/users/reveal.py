"""How early a user says what is wanted: the share of a session's requirement facts stated by turn k.

A requirement fact is a clause of a turn that asks for something (no acceptance, no closing, no pure question) with at
least two content words that no earlier clause already had most of. Deterministic; an approximation that needs no model.
"""

import re

from autointeract.records import TurnLabel
from autointeract.users.surface import content_words, outside_fences
from autointeract.users.turns import TypedTurn

CURVE_TURNS = 8
"""Length of the curve; the last point holds everything said later too."""
_CLAUSE = re.compile(r"(?<=[.!?;:])\s+|\n+|,\s+(?:and|but|then|also)\s+|\s+(?:and then|but also)\s+", re.I)
_SILENT = frozenset({"accept", "end", "clarify", "vague", "reject"})
_SAME = 0.6


def requirement_clauses(text: str) -> list[frozenset[str]]:
    """The clauses of a text that say something, as sets of content words."""
    parts = (content_words(part) for part in _CLAUSE.split(outside_fences(text)))
    return [words for words in parts if len(words) >= 2]


def reveal_curve(turns: list[TypedTurn], labels: dict[int, TurnLabel]) -> list[float]:
    """Cumulative share of facts stated by typed turn 1..CURVE_TURNS, rising to 1.0; [] when no fact was stated."""
    known: list[frozenset[str]] = []
    new: list[int] = []
    for turn in turns:
        fresh = 0
        if labels[turn.index].reaction not in _SILENT:
            for words in requirement_clauses(turn.text):
                if not any(len(words & seen) / len(words) >= _SAME for seen in known):
                    known.append(words)
                    fresh += 1
        new.append(fresh)
    total = sum(new)
    if not total:
        return []
    curve, stated = [], 0
    for k in range(CURVE_TURNS):
        stated = sum(new[: k + 1])
        curve.append(round(stated / total, 6))
    curve[-1] = 1.0
    return curve


def mean_curve(curves: list[list[float]]) -> list[float]:
    """The mean of non-empty curves; [] when there are none."""
    curves = [curve for curve in curves if curve]
    return [round(sum(point) / len(curves), 4) for point in zip(*curves, strict=True)] if curves else []
