"""The rule labeller, agreement, and the label stage."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from users_support import SAY, models, parts, population, services, session, workspace

from autointeract.models.simulated.scripted import say, say_json, script
from autointeract.users import rules
from autointeract.users.agreement import cohen_kappa
from autointeract.users.label_stage import run
from autointeract.users.settings import LabelSettings
from autointeract.users.turns import TypedTurn, typed_turns


def turn(text: str, **fields: object) -> TypedTurn:
    data = {"index": 1, "number": 1, "kind": "human", "before": "Done.", "acted": True, "reactive": True}
    return TypedTurn.model_validate({**data, **fields, "text": text})


@pytest.mark.parametrize(("reaction", "text"), [(name, text) for name, texts in SAY.items() for text in texts])
def test_reactions(reaction: str, text: str) -> None:
    assert rules.label(turn(text)).reaction == reaction


@pytest.mark.parametrize(
    ("text", "level"),
    [
        ("make it better", 0), ("hmm", 0), ("add a login page", 1), ("in parser.py, ignore blank lines", 2),
        ("return 0 when n < 2", 3), ("first sort the rows, then drop the last, then print them", 3),
        ("```\nx = 1\n```", 3),
    ],
)  # fmt: skip
def test_specificity(text: str, level: int) -> None:
    assert rules.specificity_of(text) == level


def test_structure_decides_without_words() -> None:
    assert rules.label(turn("No, wrong!", number=0, reactive=False)).reaction == "new_request"
    assert rules.label(turn("irgendwas", kind="rejection")).reaction == "reject"
    assert rules.label(turn("2", before="Which option do you prefer?")).reaction == "answer"
    assert rules.label(turn('Traceback (most recent call last):\n  File "x"')).reaction == "report_failure"
    assert rules.label(turn("all good, no errors any more")).reaction == "accept"


@settings(deadline=None)
@given(st.text(max_size=400), st.text(max_size=200))
def test_labels_any_text(text: str, before: str) -> None:
    found = rules.label(turn(text, before=before))
    assert rules.label(turn(text, before=before)) == found
    assert found.specificity in (0, 1, 2, 3)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=60))
def test_kappa_bounds_and_symmetry(pairs: list[tuple[str, str]]) -> None:
    left, right = [a for a, _ in pairs], [b for _, b in pairs]
    kappa = cohen_kappa(left, right)
    assert kappa is not None and -1 - 1e-9 <= kappa <= 1 + 1e-9
    assert kappa == pytest.approx(cohen_kappa(right, left))
    assert cohen_kappa(left, left) == 1.0


def test_kappa_of_a_textbook_table() -> None:
    # 20 both yes, 5 and 10 split, 15 both no: observed 0.7, chance 0.5.
    left = ["y"] * 25 + ["n"] * 25
    right = ["y"] * 20 + ["n"] * 5 + ["y"] * 10 + ["n"] * 15
    assert cohen_kappa(left, right) == pytest.approx(0.4)


def test_earlier_turns_are_the_users_own() -> None:
    turns = list(typed_turns(session("s", "u", ["a b", "c d", "e f"])))
    assert [t.earlier for t in turns] == [[], ["a b"], ["a b", "c d"]]
    assert [t.reactive for t in turns] == [False, True, True]


async def test_stage_labels_every_typed_turn_and_resumes(tmp_path) -> None:
    rows = population(4, 2)
    space = workspace(tmp_path / "w", rows)
    async with models(space.root) as door:
        report = await run(LabelSettings(labellers=["rules", "model"]), space, services(door))
        first = parts(space.root / "labels")
        again = await run(LabelSettings(labellers=["rules", "model"]), space, services(door, concurrency=1))
    assert report.complete and report.counts["typed_turns"] == 4 * 2 * 6
    assert report.counts["labels"] == 2 * report.counts["typed_turns"]
    assert again.usage["calls"] == report.usage["calls"]  # nothing was asked twice
    assert parts(space.root / "labels") == first
    kappas = {item["field"]: item["kappa"] for item in report.details["agreement"]}
    assert kappas["reaction"] == 1.0 and 0.8 < kappas["specificity"] < 1.0


async def test_a_judge_that_never_answers_well_is_counted(tmp_path) -> None:
    space = workspace(tmp_path / "w", population(2, 1, turns=2))
    with script("judge", [say("I would rather not.")]):
        async with models(space.root, judge={"model": "scripted/judge"}) as door:
            report = await run(LabelSettings(labellers=["rules", "model"]), space, services(door))
    assert report.faults == {"judge": 4}
    assert {row.labeller for row in space.labels.rows()} == {"rules"}


async def test_a_judge_that_always_says_one_thing_shows_in_kappa(tmp_path) -> None:
    space = workspace(tmp_path / "w", population(6, 2))
    same = say_json({"intent": "other", "reaction": "accept", "specificity": 1})
    with script("judge", [same]):
        async with models(space.root, judge={"model": "scripted/judge"}) as door:
            report = await run(LabelSettings(labellers=["rules", "model"]), space, services(door))
    assert any("agree only at kappa 0.00" in note for note in report.notes)


async def test_source_labels_are_read(tmp_path) -> None:
    row = session("s", "u", ["please sort the list", "hm ok then"])
    turns = [
        t.model_copy(update={"flags": ["source_intent:debug", "source_pushback:correction"]}) if t.index == 4 else t
        for t in row.turns
    ]
    space = workspace(tmp_path / "w", [row.model_copy(update={"turns": turns})])
    async with models(space.root) as door:
        await run(LabelSettings(), space, services(door))
    given = [(r.intent, r.reaction) for r in space.labels.rows() if r.labeller == "source"]
    assert given == [("debug", "correct")]


async def test_other_languages_are_said(tmp_path) -> None:
    texts = ["bitte schreibe eine Funktion die alle Zeilen zählt", "nein das ist leider wieder ganz falsch geworden"]
    space = workspace(tmp_path / "w", [session("s", "u", texts)])
    async with models(space.root) as door:
        report = await run(LabelSettings(), space, services(door))
    assert report.counts["turns_not_english"] == 2
    assert any("not English" in note for note in report.notes)
