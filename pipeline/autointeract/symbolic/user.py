"""A user's next turn from the state of the interaction, by rules alone.

In: a `Situation` - what the plan wants now, what the user knows, its habits, what it said before, the guidance. Out: a
`Line` - the private strategy, the visible utterance, and which facts it states. Never more than one turn; no state; all
chance comes from the `Random` argument.

Guidance: facts in `withhold` are stated in indirect forms, facts in `reveal` word for word, and of the others about the
share `directness` word for word (null: the user's own habit). Every fact that is due is stated in some form: difficulty
is directness, not absence.
"""

from dataclasses import dataclass, field
from random import Random
from typing import Any, Literal

from autointeract.symbolic import phrases
from autointeract.symbolic.forms import by_example, fragments, has_words, is_case, paraphrase, read, variant
from autointeract.symbolic.manners import SHOWS

Move = Literal["open_design", "open_build", "add", "change", "report", "react"]


@dataclass(frozen=True)
class Habits:
    """A user's settings in [0, 1]: the axes that show in single turns, and surface rates."""

    vagueness: float = 0.4
    pushback: float = 0.2
    requirement_change: float = 0.1
    verbosity: float = 0.4
    lowercase: float = 0.4
    polite: float = 0.1
    unmarked: float = 0.5

    @classmethod
    def of(cls, settings: dict[str, Any] | None) -> "Habits":
        """From a profile's `settings_json`; what is missing or not a number keeps its default."""
        settings = settings or {}
        style = settings.get("style") if isinstance(settings.get("style"), dict) else {}
        found = {name: settings.get(name) for name in ("vagueness", "pushback", "requirement_change", "verbosity")}
        found["lowercase"] = _first(style, "lowercase_start", "lowercase", "lower_start")
        found["polite"] = _first(style, "polite", "politeness")
        found["unmarked"] = _first(style, "no_final_mark")
        numbers = {
            name: min(max(float(value), 0.0), 1.0)
            for name, value in found.items()
            if isinstance(value, int | float) and not isinstance(value, bool) and value == value
        }
        return cls(**numbers)


@dataclass(frozen=True)
class Situation:
    """What a user knows when it speaks.

    Attributes:
        move: what the plan wants of this turn; "react" = whatever the user feels like.
        last: whether the conversation ends with this turn (the whole work is asked for).
        due, later: facts (id, text) to state now; facts that come in a later turn.
        vary: ids among `later` that are first stated as another requirement.
        said: the user's own earlier turns, oldest first.
        worked: the assistant has written code already.
        cases: failing cases to report, as "`call` returned `x`, should be `y`".
        examples: public cases as "`call` comes out as `value`".
        private: texts the user must not quote; only a careless user does.
        repository: the work is a change of a repository, not one function.
        careful: reminders heard in the guidance ("private", "every", "natural", "follow", "habits").
        manners: assistant-like manners that nobody told it to drop (`manners.NAMES`). Here they touch what stands
            around the facts, never the facts: polish and courtesy the wording of the frame, agreement the reactions,
            preamble and length how often it sounds canned or rambles.
    """

    move: Move
    last: bool
    interface: str
    name: str
    due: tuple[tuple[str, str], ...] = ()
    later: tuple[tuple[str, str], ...] = ()
    vary: frozenset[str] = frozenset()
    said: tuple[str, ...] = ()
    worked: bool = False
    cases: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    private: tuple[str, ...] = ()
    withhold: frozenset[str] = frozenset()
    reveal: frozenset[str] = frozenset()
    directness: float | None = None
    careful: frozenset[str] = frozenset()
    habits: Habits = field(default_factory=Habits)
    repository: bool = False
    manners: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Line:
    """One user turn."""

    strategy: str
    utterance: str
    facts: tuple[str, ...] = ()


SLIPS: dict[str, float] = {"private": 0.03, "every": 0.02, "natural": 0.02, "follow": 0.015, "habits": 0.02}
"""How often an unreminded user slips, a turn: quotes something private, forgets a fact, sounds canned, repeats itself,
leaves its habits (ours: enough that every diagnosis occurs)."""
MANNERED = {"natural": "preamble", "habits": "length"}
"""Slips that a manner makes common: at the rate at which the manner shows (`manners.MANNERS`)."""
HABITUAL_INDIRECT = (0.02, 0.16)
"""Share of facts that a user words indirectly on its own: this much at vagueness 0, this much more at 1 (ours)."""


def speak(now: Situation, random: Random) -> Line:
    """The user's next turn."""
    slips = {
        name: random.random() < _slip_rate(name, rate, now) * (0.1 if name in now.careful else 1.0)
        for name, rate in sorted(SLIPS.items())
    }
    if now.move == "react":
        line = _react(now, random)
    else:
        line = _planned(now, random, forget=slips["every"])
    text = line.utterance
    if slips["private"] and now.private:
        text = f"{text}\nmust pass: {random.choice(now.private)}"
    if slips["natural"]:
        text = f"{phrases.CANNED} {text}"
    if slips["habits"] and now.habits.verbosity < 0.6:
        text = f"{text}\n{phrases.RAMBLE}"
    if slips["follow"] and now.said:
        text = f"{now.said[-1]}\n{text}"
    return Line(line.strategy, text, line.facts)


def _slip_rate(name: str, rate: float, now: Situation) -> float:
    manner = MANNERED.get(name)
    return max(rate, SHOWS[manner]) if manner in now.manners else rate


def _planned(now: Situation, random: Random, forget: bool) -> Line:
    due = list(now.due)
    if forget and len(due) > 1:
        due.pop(random.randrange(len(due)))
    stated = {fact_id: _word(fact_id, text, now, random) for fact_id, text in due}
    lines = list(stated.values())
    names = {"interface": now.interface, "name": now.name}
    asks = phrases.FIX if now.repository else phrases.REDO_CODE if now.worked else phrases.ASK_CODE
    ask = random.choice(asks).format_map(names)
    if now.move in ("open_design", "open_build"):
        design = now.move == "open_design" and not now.last
        wording = phrases.OPEN_FIX if now.repository else phrases.OPEN_DESIGN if design else phrases.OPEN_BUILD
        head, strategy = random.choice(wording).format_map(names), "reveal_piece"
        lines += _hints(now, random)
        ask = ask if now.repository else ""
    elif now.move == "add":
        head, strategy = random.choice(phrases.ADD), "reveal_piece"
    elif now.move == "change":
        marker = random.choice(phrases.CHANGE)
        head, strategy = "", "change_mind"
        lines = [f"{marker} {line}" for line in lines]
    else:
        head, strategy = random.choice(phrases.REPORT), "report_failure"
        lines = [*now.cases, *lines]
    if not lines and now.move == "add":
        head = ""
    if now.last and ask:
        lines.append(ask)
    text = "\n".join(part for part in [_style(head, now, random), *lines] if part)
    return Line(strategy, text or random.choice(phrases.CONFIRM), tuple(stated))


def _word(fact_id: str, fact: str, now: Situation, random: Random) -> str:
    if not _direct(fact_id, now, random):
        return _indirect(fact, now, random)
    return fact


def _direct(fact_id: str, now: Situation, random: Random) -> bool:
    chance = random.random()
    if fact_id in now.reveal:
        return True
    if fact_id in now.withhold:
        return False
    low, more = HABITUAL_INDIRECT
    share = 1 - low - more * now.habits.vagueness if now.directness is None else now.directness
    return chance < share


def _indirect(fact: str, now: Situation, random: Random) -> str:
    halves = fragments(fact) if now.said else None
    if halves and any(has_words(turn, halves[0]) for turn in now.said) and read(fact, now.said) is None:
        return f"and the rest of it: {halves[1]}"
    if not is_case(fact) and now.examples and random.random() < 0.3:
        return by_example(fact, random.choice(now.examples))
    return paraphrase(fact, random)


def _hints(now: Situation, random: Random) -> list[str]:
    """In an opening: variants of what will change, and first pieces of what is withheld."""
    lines = []
    for fact_id, text in now.later:
        other = variant(text, random) if fact_id in now.vary else None
        if other:
            lines.append(other)
        elif (
            fact_id in now.withhold
            and fact_id not in now.vary
            and random.random() < 0.35
            and (halves := fragments(text))
        ):
            lines.append(f"it has to deal with {halves[0]}, more on that later")
    return lines


def _react(now: Situation, random: Random) -> Line:
    draw = random.random()
    habits = now.habits
    if "agreement" in now.manners and random.random() < SHOWS["agreement"]:
        return Line("confirmation", _style(random.choice(phrases.CONFIRM), now, random))
    if draw < 0.5 * habits.pushback:
        return Line("challenge_solution", _style(random.choice(phrases.CHALLENGE), now, random))
    if draw < 0.5 * habits.pushback + 0.2 * habits.vagueness:
        return Line("be_vague", _style(random.choice(phrases.VAGUE), now, random))
    if draw < 0.75:
        return Line("clarification", _style(random.choice(phrases.CLARIFY), now, random))
    return Line("confirmation", _style(random.choice(phrases.CONFIRM), now, random))


def _style(text: str, now: Situation, random: Random) -> str:
    lowercase = 0.0 if "polish" in now.manners else now.habits.lowercase
    polite = max(now.habits.polite, SHOWS["courtesy"]) if "courtesy" in now.manners else now.habits.polite
    if "polish" in now.manners and text and not text.startswith("`"):
        text = text[0].upper() + text[1:]
    if text and random.random() < lowercase and not text.startswith(("`", "I ")):
        text = text[0].lower() + text[1:]
    if text and random.random() < polite:
        text = f"{text} please" if not text.endswith((":", "?", ".")) else f"please, {text[0].lower()}{text[1:]}"
    return text


def _first(data: Any, *names: str) -> Any:
    return next((data[name] for name in names if isinstance(data, dict) and name in data), None)
