"""A user's next turn without a task or a plan: where behavior prompts are scored on real conversations.

In: what was said before, the user's habits, the manners it was not told to drop. Out: a `Line`. What the user wants to
say comes first (an answer, a correction, a change of mind, or the next request, about something it spoke of before),
then how long and how careful it writes, then the manners of an assistant. Each choice has its own chance, drawn from
the seed under its own name, so that dropping one manner changes nothing else.
"""

from collections.abc import Mapping, Sequence
from random import Random

from autointeract.records import rng
from autointeract.symbolic import phrases
from autointeract.symbolic.forms import topic
from autointeract.symbolic.manners import SHOWS
from autointeract.symbolic.user import Habits, Line


def free_turn(
    said: Sequence[str], before: str, habits: Habits, manners: frozenset[str], seed: int,
    mix: Mapping[str, float] | None = None,
) -> Line:  # fmt: skip
    """The next turn.

    Args:
        said: the user's own earlier turns; with none the turn opens the conversation.
        before: what the assistant said last ("" if nothing).
        manners: names of the manners that show (each at its own rate).
        mix: shares of intents among the user's requests; null or empty: half of them "other", the rest all alike.
    """
    shown = {name for name in sorted(manners) if _draw(seed, name).random() < SHOWS[name]}
    strategy, text, request = _wanted(said, before, habits, seed, mix or {})
    if "agreement" in shown and said:
        strategy, text, request = "confirmation", _pick(phrases.AGREE, seed, "agree"), False
    else:
        text = ", ".join([text, *_more(habits, seed)])
    if request and "asking" in shown:
        text = _pick(phrases.ASKS, seed, "asks").format_map({"request": text})
    text = _written(text, habits, "polish" in shown, seed)
    parts = [text]
    if request and "detail" in shown:
        parts.append(_pick(phrases.DETAILS, seed, "details"))
    if "length" in shown:
        parts.append(phrases.PADDING)
    if "preamble" in shown:
        parts.insert(0, _pick(phrases.PREAMBLES, seed, "preambles"))
    if "courtesy" in shown:
        parts.append(_pick(phrases.THANKS, seed, "thanks"))
    elif request and _draw(seed, "please").random() < habits.polite:
        parts[0] = f"please {parts[0][0].lower()}{parts[0][1:]}"
    text = "".join(part + ("" if part is parts[-1] else " " if part[-1] in ".!?" else "\n") for part in parts)
    return Line(strategy, text)


def _wanted(
    said: Sequence[str], before: str, habits: Habits, seed: int, mix: Mapping[str, float]
) -> tuple[str, str, bool]:  # fmt: skip
    """Strategy, words, and whether they ask for something."""
    random = _draw(seed, "wanted")
    draw = random.random()
    if said and "?" in before[-200:] and random.random() < 0.5:
        return "reveal_piece", random.choice(phrases.ANSWERS), False
    for share, strategy, wording in (
        (0.5 * habits.pushback, "challenge_solution", phrases.CHALLENGE),
        (0.4 * habits.pushback, "report_failure", phrases.FAILS),
        (0.7 * habits.requirement_change, "change_mind", phrases.ALTER),
        (0.1 * habits.vagueness, "be_vague", phrases.VAGUE),
        (0.05, "clarification", phrases.CLARIFY),
        (0.03, "close", phrases.CLOSE),
    ):
        if said and draw < share:
            return strategy, random.choice(wording), False
        draw -= share
    known = {name: share for name, share in sorted(mix.items()) if name in phrases.REQUESTS and share > 0}
    table = known or {name: 1.0 + 6.0 * (name == "other") for name in sorted(phrases.REQUESTS)}
    intent = random.choices(list(table), list(table.values()))[0]
    about = " ".join(topic(random.choice(said))[:2]) if said else ""
    return "reveal_piece", random.choice(phrases.REQUESTS[intent]).format_map({"about": about or "main"}), True


def _more(habits: Habits, seed: int) -> list[str]:
    random = _draw(seed, "more")
    count = min(int(4 * habits.verbosity + random.random()), len(phrases.MORE))
    return random.sample(phrases.MORE, count)


def _written(text: str, habits: Habits, polish: bool, seed: int) -> str:
    """Capital letter and full stop, or the user's own care about them."""
    lower, unmarked = (_draw(seed, name).random() for name in ("lower", "unmarked"))
    head = text[0].upper() if polish or lower >= habits.lowercase else text[0].lower()
    text = head + text[1:]
    return text if text[-1] in ".?!" or (not polish and unmarked < habits.unmarked) else f"{text}."


def _pick(options: Sequence[str], seed: int, name: str) -> str:
    return _draw(seed, name).choice(options)


def _draw(seed: int, name: str) -> Random:
    return rng("free_turn", seed, name)
