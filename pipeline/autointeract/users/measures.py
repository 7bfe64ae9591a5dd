"""What is counted for a user: each session gives, for each axis and style mark, a sum, a sum of squares and a count.

In: a session and the labels of its typed turns. Out: `SessionEvidence`. Nothing is estimated here; `estimate.py` makes
values and intervals of these sums. The definitions are those of profiles/axes.toml. A turn that the person took back
tells how they write; what it asked for and how it took the answer is counted in the turn that stands for it.
"""

import math
import re

from autointeract.records import Record, Session, TurnLabel
from autointeract.records.vocabulary import AXES, PUSHBACK_REACTIONS
from autointeract.users import lexicon
from autointeract.users.reveal import reveal_curve
from autointeract.users.rules import identifiers
from autointeract.users.surface import STYLE_MARKS, count_words, is_english, outside_fences, style, tokens
from autointeract.users.turns import TypedTurn, typed_turns


class Sums(Record):
    """Sum, sum of squares and count of one number over the turns of one session."""

    total: float = 0.0
    squares: float = 0.0
    count: int = 0

    def plus(self, value: float) -> "Sums":
        """With one more turn."""
        return Sums(total=self.total + value, squares=self.squares + value * value, count=self.count + 1)


class SessionEvidence(Record):
    """What one session says about its user.

    Attributes:
        values: sums by name: the five axes, the style marks, `first_words` and `later_words` (log(1 + words)).
        intents: typed turns by intent (requests that were not taken back).
        reveal: cumulative share of the session's requirement facts stated by typed turn k; [] when it states none.
        turns: typed turns, also those taken back.
        interrupts: pure acts of stopping the assistant.
        other_language: typed turns that do not look English.
    """

    session_id: str
    values: dict[str, Sums]
    intents: dict[str, int]
    reveal: list[float]
    turns: int
    interrupts: int
    other_language: int


NUMBERS = (*AXES, *STYLE_MARKS, "first_words", "later_words")
_EASY = ("answer", "accept", "end")


def expertise_score(text: str) -> float:
    """Technical signs against signs of asking for the basics, in [0, 1]; 0.5 = neither or both alike."""
    prose = outside_fences(text)
    words = tokens(prose)
    terms = sum(_term_weight(word) for word in words) + 1.5 * len(identifiers(prose)) + (2.0 if "```" in text else 0.0)
    big = len(re.findall(r"\bO\([^)]{1,12}\)", prose))
    novice = len(lexicon.NOVICE.findall(prose))
    # Per ten words, saturating: one or two terms in a sentence are much, ten are hardly more.
    density = (terms + 2.0 * big) / max(len(words), 10) * 10
    return min(max(0.3 + 0.7 * (1 - math.exp(-density / 2.0)) - 0.25 * min(novice, 2), 0.0), 1.0)


def vagueness_score(text: str, specificity: int) -> float:
    """Distance from values and steps, with hedging words, in [0, 1]."""
    hedges = len(lexicon.HEDGES.findall(outside_fences(text)))
    return 0.75 * (3 - specificity) / 3 + 0.25 * min(hedges / 2, 1.0)


def session_evidence(session: Session, labels: dict[int, TurnLabel]) -> SessionEvidence:
    """The evidence of one session; turns without a label are skipped."""
    values = {name: Sums() for name in NUMBERS}
    intents: dict[str, int] = {}
    turns = [turn for turn in typed_turns(session) if turn.index in labels]
    for turn in turns:
        label = labels[turn.index]
        for name, value in _numbers(turn, label).items():
            values[name] = values[name].plus(value)
        if label.reaction not in _EASY and not turn.taken_back:
            intents[label.intent] = intents.get(label.intent, 0) + 1
    return SessionEvidence(
        session_id=session.session_id, values=values, intents=intents,
        reveal=reveal_curve([turn for turn in turns if not turn.taken_back], labels),
        turns=len(turns), interrupts=sum(turn.kind == "interrupt" for turn in session.turns),
        other_language=sum(is_english(turn.text) is False for turn in turns),
    )  # fmt: skip


def _numbers(turn: TypedTurn, label: TurnLabel) -> dict[str, float]:
    words = math.log1p(count_words(turn.text))
    found = {**style(turn.text), "verbosity": words, "first_words" if turn.number == 0 else "later_words": words}
    if label.reaction not in _EASY:
        found["expertise"] = expertise_score(turn.text)
        if not turn.taken_back:
            found["vagueness"] = vagueness_score(turn.text, label.specificity)
    if turn.reactive and turn.number > 0 and not turn.taken_back:
        found["pushback"] = float(label.reaction in PUSHBACK_REACTIONS)
        found["requirement_change"] = float(label.reaction == "change_requirement")
    return found


def _term_weight(word: str) -> float:
    for form in (
        word,
        word.removesuffix("s"),
        word.removesuffix("es"),
        word.removesuffix("ed"),
        word.removesuffix("ing"),
    ):
        if form in lexicon.TECHNICAL:
            return 0.5 if form in lexicon.EVERYDAY else 1.0
    return 0.0
