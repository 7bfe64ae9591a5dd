"""Turns without a task: manners show until they are dropped, and then the user's own habits do."""

from hypothesis import given
from hypothesis import strategies as st

from autointeract.symbolic import Habits, free_turn, phrases
from autointeract.symbolic.manners import NAMES

SAID = ("write a parser for the billing table", "add the header")
NONE: frozenset[str] = frozenset()


def texts(manners: frozenset[str], habits: Habits | None = None, before: str = "Done.", said=SAID) -> list[str]:
    return [free_turn(said, before, habits or Habits(), manners, seed).utterance for seed in range(200)]


def share(rows: list[str], test) -> float:
    return sum(bool(test(row)) for row in rows) / len(rows)


def test_each_manner_shows_and_goes() -> None:
    signs = {
        "courtesy": lambda t: any(p in t for p in phrases.THANKS), "length": lambda t: phrases.PADDING in t,
        "preamble": lambda t: t.startswith(phrases.PREAMBLES), "detail": lambda t: any(p in t for p in phrases.DETAILS),
        "polish": lambda t: t[0].isupper() and t[-1] in ".?!", "asking": lambda t: "ould you" in t or "an you" in t,
        "agreement": lambda t: any(p.lower() in t.lower() for p in phrases.AGREE),
    }  # fmt: skip
    assert set(signs) == NAMES
    for name, sign in signs.items():
        assert share(texts(frozenset({name})), sign) > share(texts(NONE), sign) + 0.25, name


def test_dropping_one_manner_leaves_the_others_as_they_were() -> None:
    for name in NAMES - {"agreement", "asking", "polish"}:  # those three change words of the same sentence
        with_all, without = texts(NAMES), texts(NAMES - {name})
        for padded, plain in zip(with_all, without, strict=True):
            assert len(plain) <= len(padded)
            assert (phrases.PADDING in plain) == (phrases.PADDING in padded) or name == "length"


def test_habits_show_where_manners_do_not() -> None:
    pushing, meek = texts(NONE, Habits(pushback=1.0)), texts(NONE, Habits(pushback=0.0))
    objections = [p.lower() for p in (*phrases.CHALLENGE, *phrases.FAILS)]
    assert share(pushing, lambda t: any(p in t.lower() for p in objections)) > 0.7
    assert share(meek, lambda t: any(p in t.lower() for p in objections)) == 0.0
    assert share(texts(NONE, Habits(lowercase=1.0)), lambda t: t[0].islower()) == 1.0
    assert share(texts(NONE, Habits(lowercase=0.0, polite=0.0)), lambda t: t[0].isupper()) == 1.0
    longer, shorter = texts(NONE, Habits(verbosity=1.0)), texts(NONE, Habits(verbosity=0.0))
    assert sum(map(len, longer)) > 2 * sum(map(len, shorter))


def test_questions_are_answered_and_requests_follow_the_users_mix() -> None:
    asked = texts(NONE, before="Shall I keep the old name?")
    assert share(asked, lambda t: any(t.lower().startswith(p) for p in phrases.ANSWERS)) > 0.3
    rows = [free_turn(SAID, "", Habits(pushback=0.0), NONE, k, {"git": 1.0}).utterance for k in range(50)]
    assert sum("commit" in row.lower() for row in rows) > 33


@given(st.integers(0, 2**40), st.sets(st.sampled_from(sorted(NAMES))), st.lists(st.text(max_size=40), max_size=3))
def test_any_turn_is_said_and_repeats(seed: int, manners: set[str], said: list[str]) -> None:
    one, two = (free_turn(said, "", Habits(), frozenset(manners), seed, {}) for _ in range(2))
    assert one == two and one.utterance.strip()
