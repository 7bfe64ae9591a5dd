"""Realism: measures see what they are for, real versus real is quiet, obviously different simulators are ordered."""

import json
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from users_support import SAY, models, population, services, workspace

from autointeract.cli.progress import table_lines
from autointeract.errors import ConfigError, InputError
from autointeract.records import rng
from autointeract.users import label_stage, learn_stage, profile_stage, realism_stage
from autointeract.users import similarity as sim
from autointeract.users.comparison import compare, nearer
from autointeract.users.corpus import Item, item, of_messages
from autointeract.users.dialogues import read_dialogues
from autointeract.users.realism_table import ratio_cell, summary
from autointeract.users.session_measures import swapped_p
from autointeract.users.settings import LabelSettings, LearnPromptSettings, ProfileSettings, RealismSettings
from autointeract.users.text_measures import auc_of, clusters, match_lengths
from autointeract.users.turn_measures import MEASURES, calibration_error, termination

QUICK = RealismSettings(
    floor_splits=12, permutations=39, resamples=20, clusters=3, instances=16, sessions=4, max_turns=3
)
WORDS = (
    "parser",
    "table",
    "rows",
    "cache",
    "index",
    "file",
    "order",
    "sum",
    "test",
    "login",
    "page",
    "filter",
    "export",
)


@cache
def turns(users: int, per_user: int, seed: int, kind: str = "real") -> list[Item]:
    """Generated dialogues: every user has a pushback rate and a length of its own; `kind` shifts one thing."""
    rows = []
    for u in range(users):
        habits = rng("habits", u)
        rate, extra = habits.random() * 0.6, habits.randrange(8)
        draw = rng("turns", kind, seed, u)
        said: list[str] = []
        for n in range(per_user):
            push = draw.random() < (rate if kind != "agreeable" else 0.0)
            text = draw.choice(SAY["correct"] if push else SAY["accept"] + SAY["new_request"])
            text += " " + " ".join(draw.choice(WORDS) for _ in range(extra + (25 if kind == "wordy" else 0)))
            if kind == "polite":
                text = f"Certainly! Please {text}. Thank you!"
            if kind == "collapsed":
                text = "Looks good, thanks."
            rows.append(item(f"u{u}", f"u{u}-{n // 4}", n % 4 + 1, text, last=n % 4 == 3, earlier=said[-3:]))
            said.append(text)
    return rows


def test_a_distance_to_itself_is_zero_and_never_negative() -> None:
    real = turns(6, 8, 0)
    for name, measure in MEASURES.items():
        assert measure(real, real) == pytest.approx(0.0, abs=1e-9), name
        for kind in ("wordy", "polite", "agreeable", "collapsed"):
            assert measure(real, turns(6, 8, 1, kind)) >= 0.0, name


@settings(max_examples=10, deadline=None)
@given(st.integers(0, 3), st.integers(1, 6))
def test_measures_do_not_depend_on_order(seed: int, users: int) -> None:
    real, other = turns(users, 4, seed), turns(users, 4, seed + 1, "polite")
    mixed = list(other)
    rng("shuffle", seed).shuffle(mixed)
    for name in ("length_w1", "surface", "reaction", "intent", "cells", "pushback_calibration", "short_rate"):
        assert MEASURES[name](real, other) == pytest.approx(MEASURES[name](real, mixed)), name


@pytest.mark.parametrize(
    ("kind", "name"),
    [
        ("wordy", "length_w1"), ("polite", "surface"), ("agreeable", "reaction"), ("agreeable", "pushback_calibration"),
        ("collapsed", "diversity"), ("collapsed", "unigrams"), ("collapsed", "cells"),
    ],
)  # fmt: skip
def test_a_planted_shift_is_found_where_it_is(kind: str, name: str) -> None:
    real = turns(16, 8, 0)
    found = compare(real, turns(16, 8, 1, kind), QUICK, 0)["measures"][name]
    assert found["p"] <= 0.05 and found["gap"] > found["floor_p95"], found


def test_simulators_are_ordered_and_real_against_real_is_quiet() -> None:
    real = turns(16, 8, 0)
    scores = {}
    for kind in ("real", "polite", "collapsed"):
        found = compare(real, turns(16, 8, 7, kind), QUICK, 0)
        ratios = [row["ratio"] for row in found["measures"].values() if row["ratio"] is not None]
        scores[kind] = float(np.mean(ratios))
        if kind == "real":
            assert not [name for name, row in found["measures"].items() if row["p_adjusted"] < 0.05]
            low, high = found["classifiers"]["turn_words"]["floor"]
            assert low - 0.1 <= found["classifiers"]["turn_words"]["auc"] <= high + 0.1
        else:
            assert found["classifiers"]["turn_words"]["auc"] > 0.8
    assert scores["real"] < 1.5 < scores["polite"] < scores["collapsed"]


def test_two_classifiers_see_different_things() -> None:
    real = turns(20, 8, 0)
    shouted = [item(t.group, t.dialogue, t.number, t.text.upper(), last=t.last) for t in turns(20, 8, 1)]
    ours, theirs = [(t.group, t.text) for t in real], [(t.group, t.text) for t in shouted]
    words, characters = auc_of(ours, theirs, "words"), auc_of(ours, theirs, "characters")
    assert words is not None and characters is not None
    assert abs(words - 0.5) < 0.15 and characters > 0.9  # case is invisible to words
    assert auc_of(ours[:5], theirs[:5], "words") is None


def test_matched_lengths_are_equal() -> None:
    ours = [(f"u{k}", "w " * (k + 1)) for k in range(40)]
    theirs = [(f"u{k}", "w " * (3 * k + 1)) for k in range(40)]
    a, b = match_lengths(ours, theirs, 0)
    size = [[int(np.log(1 + len(text.split())) / np.log(1.5)) for _, text in side] for side in (a, b)]
    assert sorted(size[0]) == sorted(size[1]) and a


def test_clusters_name_what_is_missed_and_invented() -> None:
    real = [item(f"u{k % 8}", f"d{k}", 1, f"fix the failing parser test number {k % 5}", last=False) for k in range(40)]
    other = [
        item(f"u{k % 8}", f"d{k}", 1, f"wonderful thank you dear assistant {k % 5}", last=False) for k in range(40)
    ]
    assert {row["verdict"] for row in clusters(real, other, 4, 0)} == {"missed", "invented"}
    assert clusters(real[:3], other[:3], 4, 0) == []


def test_too_few_users_are_said() -> None:
    found = compare(turns(2, 4, 0), turns(2, 4, 1), QUICK, 0)
    assert found["too_few"] and "p" not in found["measures"]["length_w1"]
    assert compare([], [], QUICK, 0)["too_few"]
    few, shifted = turns(3, 32, 0), turns(3, 32, 1, "polite")  # three users, eight dialogues each
    found = compare(few, shifted, QUICK, 0)
    assert found["by_dialogue"] and not found["too_few"] and found["groups"] == 24
    assert found["measures"]["surface"]["p"] <= 0.05 and "pushback_calibration" not in found["measures"]
    assert not compare(turns(16, 8, 0), turns(16, 8, 1), QUICK, 0)["by_dialogue"]


def test_the_table_has_no_row_that_says_nothing() -> None:
    few, many = (turns(users, 8, 1) for users in (1, 12))
    found = {kind: compare(rows, rows, QUICK, 0) for kind, rows in (("few", few[:8]), ("many", many))}
    table = summary({"next_turns": {"seed": found["few"]}, "sessions": {}, "outside": {}})["table"]
    assert table["rows"] == []
    table = summary({"next_turns": {"seed": found["many"]}, "sessions": {"seed": found["few"]}, "outside": {}})["table"]
    assert {"length_w1", "median of these"} <= {row[0] for row in table["rows"]}
    assert all(set(row[1:]) != {"–"} for row in table["rows"])


def test_termination_and_calibration_by_hand() -> None:
    assert termination([True, True, False], [True, False, False])["f1"] == pytest.approx(2 * 0.5 / 1.5, abs=1e-4)
    assert termination([False], [False]) == {"precision": None, "recall": None, "f1": None}
    bad = [item("u", "d", 1, SAY["correct"][0], last=False)]
    good = [item("u", "d", 1, SAY["accept"][0], last=False)]
    assert calibration_error(bad, good) == 1.0 and calibration_error(bad, bad) == 0.0


def test_similarity_by_hand() -> None:
    assert sim.jsd({"a": 1}, {"b": 3}) == pytest.approx(1.0) and sim.jsd({"a": 2}, {"a": 5}) == 0.0
    assert sim.jsd({}, {"a": 1}) == 0.0
    assert sim.wasserstein([0, 1], [1, 2], 2.0) == pytest.approx(0.5)
    rows = np.array([[0.0], [1.0]])
    assert sim.energy(rows, rows) == 0.0 and sim.energy(rows, rows + 5) > 1
    assert sim.auc(np.array([1, 2, 3, 4]), np.array([0, 0, 1, 1])) == 1.0
    assert sim.discoveries({"a": 0.01, "b": 0.04, "c": 0.9}) == {"a": 0.03, "b": 0.06, "c": 0.9}
    measure = sim.energy_of({k: np.array([float(k)]) for k in range(6)})
    assert measure({0, 1, 2}, {3, 4, 5}) == pytest.approx(sim.energy(np.arange(3)[:, None], np.arange(3, 6)[:, None]))


def test_grouped_folds_do_not_flatter() -> None:
    # Each user repeats one text of their own on both sides: only folds that keep users whole stay at chance.
    texts = [f"user {u} says word{u} again" for u in range(30)]
    rows = [(f"u{u}", text) for u, text in enumerate(texts) for _ in range(2)]
    value = auc_of(rows, rows, "words")
    assert value is not None and 0.3 < value < 0.7


def test_any_jsonl_can_be_measured(tmp_path) -> None:
    path = tmp_path / "d.jsonl"
    talk = [
        {"role": "user", "content": "a b"},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": "no"},
    ]
    path.write_text(json.dumps({"user": "u", "messages": talk}) + "\n" + json.dumps({"turns": ["x y z"]}) + "\n")
    rows = read_dialogues(path)
    assert [(r.group, r.number, r.last) for r in rows] == [("u", 0, False), ("u", 1, True), ("2", 0, True)]
    assert len(of_messages("g", "d", talk, first=1)) == 1
    parts = [{"type": "text", "text": "x y"}, {"type": "image"}]
    path.write_text(json.dumps({"turns": [{"role": "assistant", "content": None}, {"role": "user", "content": parts}]}))
    assert [r.text for r in read_dialogues(path)] == ["x y"]
    with pytest.raises(InputError, match="cannot be read"):
        read_dialogues(tmp_path / "missing.jsonl")


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ('{"nothing": 1}', "line 1 has neither `messages` nor `turns`; keys there: nothing"),
        ('{"turns": ["a"]}\n{"turns": ["a"', "line 2 is not JSON (Expecting ',' delimiter)"),
        ("[1]", "line 1 is no JSON object"),
        ('{"messages": "hello"}', "line 1 `messages` must be a list"),
        ('{"messages": ["hello"]}', 'entry 1 needs a "role" and a "content"'),
        ('{"messages": [{"role": "user", "content": 7}]}', "entry 1 has a content that is no text"),
        ('{"turns": ["a"], "first": "x"}', "`first` must be a whole number"),
        ('{"id": "x", "turns": ["a"]}\n{"id": "x", "turns": ["b"]}', "line 2 has the id 'x' of line 1"),
        ('{"messages": [{"role": "assistant", "content": "hi"}]}', "holds no user turn"),
        ('{"messages": [{"role": "assistant", "content": "hi"}]}', "roles there: assistant"),
        ("", "holds no user turn"),
    ],
)
def test_a_bad_file_of_dialogues_is_one_clear_line(tmp_path, lines: str, said: str) -> None:
    (tmp_path / "d.jsonl").write_text(lines)
    with pytest.raises(InputError) as error:
        read_dialogues(tmp_path / "d.jsonl")
    assert said in str(error.value) and str(tmp_path / "d.jsonl") in str(error.value) and "\n" not in str(error.value)


def test_people_whom_a_file_does_not_share_are_not_compared_with_themselves() -> None:
    real, named = turns(8, 6, 0), turns(8, 6, 1)
    others = [item(f"v{t.group}", t.dialogue, t.number, t.text, last=t.last) for t in named]
    assert "pushback_calibration" in compare(real, named, QUICK, 0)["measures"]
    assert "pushback_calibration" not in compare(real, others, QUICK, 0)["measures"]


def test_swapped_pairs_see_a_shift_and_nothing_else() -> None:
    def apart(a, b):
        return abs(sum(a) - sum(b))

    longer, shorter = [float(n) + 2 for n in range(12)], [float(n) for n in range(12)]
    assert (swapped_p(longer, shorter, apart, 99, 0) or 1.0) <= 0.02
    assert swapped_p(shorter, shorter, apart, 99, 0) == 1.0
    assert swapped_p([], [], lambda a, b: None, 99, 0) is None


async def test_stage_compares_arms_resumes_for_nothing_and_is_reproducible(tmp_path) -> None:
    space = workspace(tmp_path / "w", population(24, 3))
    async with models(space.root) as door:
        tools = services(door)
        await label_stage.run(LabelSettings(), space, tools)
        quick = ProfileSettings(resamples=50, audit=False, splits=10, permutations=20)
        await profile_stage.run(quick, space, tools)
        scored = await learn_stage.run(LearnPromptSettings(max_instances=8, judge_checks=0), space, tools)
        first = await realism_stage.run(QUICK, space, tools)
        calls = first.usage["calls"]
        second = await realism_stage.run(QUICK, space, services(door, concurrency=1))
    assert first.complete and set(first.details["next_turns"]) == {"seed", "no_profile"}
    assert second.usage["calls"] == calls and second.details == first.details
    found = first.details["next_turns"]["seed"]
    assert found["groups"] >= 4 and found["measures"]["length_w1"]["floor"] > 0
    assert first.details["sessions"]["seed"]["sessions"]["turns_mean"][0] > 1
    assert any("lowest is " in note for note in first.notes)
    assert any("the selected prompt is the seed prompt: no prompt was learned" in note for note in first.notes)
    assert any("the judge was not checked" in note for note in scored.notes)
    head, rows = first.details["table"]["head"], first.details["table"]["rows"]
    assert head[1:] == [
        f"{arm}, {where}" for where in ("next turns", "whole sessions") for arm in ("seed", "no_profile")
    ]
    assert {row[0] for row in rows} >= {*MEASURES, "median of these", "turns, real / simulated"}
    assert "no_profile - seed" in first.details["nearer"]["next_turns"]
    assert "draws" not in first.details["next_turns"]["seed"]["measures"]["length_w1"]


def test_the_nearer_of_two_arms_is_named_with_its_interval() -> None:
    real = turns(12, 8, 0)
    near, again, far = (compare(real, turns(12, 8, 1, kind), QUICK, 0) for kind in ("real", "real", "polite"))
    found = nearer(near, far)
    assert found is not None and found["high"] < 0 and found["low"] >= -2
    assert nearer(near, again) == {"value": 0.0, "low": 0.0, "high": 0.0}
    other = nearer(far, near)
    assert other is not None and other["value"] == -found["value"]
    assert nearer(near, compare(real, turns(10, 8, 1), QUICK, 0)) is None


def test_a_cell_says_its_ratio_and_whether_it_is_chance() -> None:
    item = {"gap": 0.3, "ratio": 1.5, "p_adjusted": 0.2}
    assert ratio_cell(item) == "1.50" and ratio_cell({**item, "p_adjusted": 0.01}) == "1.50*"
    assert ratio_cell({**item, "ratio": None}) == "+0.300" and ratio_cell({"value": 1.0}) == "–"
    assert ratio_cell({"gap": 0.0, "ratio": None, "p_adjusted": 1.0}) == "same"
    lines = table_lines({"title": "t", "head": ["m", "a, b", "c"], "rows": [["long name", "1", "2"]]})
    assert lines == ["t", "m          a  c", "           b", "long name  1  2"] and table_lines(None) == []


async def test_unknown_arm_is_named(tmp_path) -> None:
    space = workspace(tmp_path / "w", population(4, 2))
    async with models(space.root) as door:
        with pytest.raises(ConfigError, match="'magic'"):
            await realism_stage.run(RealismSettings(arms=["magic"]), space, services(door))
