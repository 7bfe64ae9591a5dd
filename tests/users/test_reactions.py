"""The trained part of the rule labeller: its file, its words, what it does without words that it knows."""

import importlib
import random
from typing import get_args

import pytest

from autointeract.records.vocabulary import Reaction
from autointeract.users import reactions, rules
from autointeract.users.turns import TypedTurn


def turn(text: str, before: str = "Done.") -> TypedTurn:
    return TypedTurn(index=3, number=1, text=text, kind="human", before=before, acted=True, reactive=True)


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ("Thanks, but the importer still dies on the umlaut file.", "report_failure"),
        ("You turned the bounds around, the upper one must be exclusive.", "correct"),
        ("Please roll all of that back, I will not have a new dependency for this.", "reject"),
        ("On second thoughts, weekly is enough, not daily.", "change_requirement"),
        ("What does the second pass in `merge_rows` do?", "clarify"),
        ("Wonderful, the totals agree with the ledger now.", "accept"),
        ("Alright, that is everything for today, goodbye!", "end"),
        ("Now write a small script that exports the members.", "new_request"),
        ("Could you make it somehow nicer?", "vague"),
    ],
)
def test_words_decide(text: str, reaction: str) -> None:
    assert rules.reaction_of(turn(text)) == reaction


def test_background_after_the_reaction_does_not_decide() -> None:
    failure = "It crashes as soon as the list is empty."
    more = " We have about forty users. The office runs on Debian. It was perfect last year, everybody was happy."
    assert rules.reaction_of(turn(failure + more)) == "report_failure"


def test_unknown_words_fall_back_on_structure() -> None:
    german = "nein das ist leider wieder ganz falsch geworden"
    assert reactions.predict([german], asked=False, pasted=False) is None
    assert rules.reaction_of(turn(german, before="Welche Reihenfolge?")) == "answer"
    assert rules.reaction_of(turn("wieso wurde hier nichts sortiert?")) == "clarify"
    assert rules.reaction_of(turn('```\nTraceback (most recent call last):\n  File "x"\n```')) == "report_failure"


def test_what_the_assistant_asked_counts() -> None:
    text = "It should keep the given order."
    assert rules.reaction_of(turn(text, before="Which order do you want?")) == "answer"
    assert rules.reaction_of(turn(text)) != "answer"


def test_a_tie_goes_to_the_earlier_class(monkeypatch) -> None:
    model = reactions.load()
    even = model._replace(intercepts=model.intercepts * 0, weights=model.weights * 0)
    monkeypatch.setattr(reactions, "load", lambda: even)
    assert reactions.predict(["it works"], asked=False, pasted=False) == model.classes[0] == "accept"


def script(root, monkeypatch):
    pytest.importorskip("sklearn", reason="training needs scikit-learn")
    monkeypatch.syspath_prepend(str(root / "data"))
    return importlib.import_module("train_reactions")


def rows(text: str) -> dict[str, list[int]]:
    table = (line.split("\t") for line in text.splitlines()[1:])
    return {name: [int(number) for number in numbers.split(" ")] for name, numbers in table}


@pytest.mark.slow
def test_the_file_in_the_tree_is_what_the_script_builds(root, monkeypatch) -> None:
    built, there = script(root, monkeypatch).train(), reactions.MODEL.read_text(encoding="utf-8")
    assert built.splitlines()[0] == there.splitlines()[0] == "classes\t" + " ".join(get_args(Reaction))
    ours, kept = rows(built), rows(there)
    # Another linear algebra library may round the other way on an edge, and trade the last features kept.
    assert len(ours) == len(kept) and len(ours.keys() - kept.keys()) <= len(kept) / 500
    both = ours.keys() & kept.keys()
    assert max(abs(a - b) for name in both for a, b in zip(ours[name], kept[name], strict=True)) <= 2


def test_patterns_expand_to_plain_wordings(root, monkeypatch) -> None:
    expand = script(root, monkeypatch).expand
    drawn = {expand("{a|b {c|d}} {t}{|, {r}}", random.Random(n)) for n in range(60)}
    assert drawn == {head + tail for head in ("a {t}", "b c {t}", "b d {t}") for tail in ("", ", {r}")}


def test_the_classifier_was_not_trained_on_the_held_out_wording(root, monkeypatch) -> None:
    wordings = script(root, monkeypatch).wordings(random.Random(0))
    banks = importlib.import_module("loggen.wording").REACTIONS

    def plain(text: str) -> str:
        return " ".join(text.lower().split()).strip(".!? ")

    theirs = {plain(text.removeprefix("T:").removeprefix("L:")) for bank in banks.values() for text in bank["heldout"]}
    # Two or three words ("works now") are anybody's.
    shared = {text for text in theirs & {plain(text) for text, _ in wordings} if len(text.split()) > 3}
    assert not shared, len(shared)
