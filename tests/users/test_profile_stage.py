"""The profile and learn-prompt stages end to end on made-up users, with the simulated provider."""

import json
from typing import Any

import pytest
from users_support import models, parts, population, services, session, workspace

from autointeract.models.simulated.scripted import say_json, script
from autointeract.records import load_json
from autointeract.users import cases, label_stage, learn_stage, profile_stage
from autointeract.users.settings import LabelSettings, LearnPromptSettings, ProfileSettings

QUICK = ProfileSettings(resamples=60)


async def walk(path, rows, settings=QUICK, learn: LearnPromptSettings | None = None, **kwargs) -> Any:
    space = workspace(path, rows)
    async with models(space.root) as door:
        tools = services(door, **kwargs)
        await label_stage.run(LabelSettings(), space, tools)
        report = await profile_stage.run(settings, space, tools)
        taught = await learn_stage.run(learn, space, tools) if learn else None
    return space, report, taught


async def test_profiles_come_from_train_and_val_only_and_weights_sum_to_one(tmp_path) -> None:
    space, report, _ = await walk(tmp_path / "w", population(20, 4))
    split = {row.id: row.split for row in space.splits.rows()}
    rows = list(space.profiles.rows())
    assert report.complete and len(rows) == 16
    assert all(split[row.user_id] != "test" for row in rows)
    assert sum(row.weight for row in rows) == pytest.approx(1.0)
    assert len(list(space.fingerprints.rows())) == 20
    assert {"pushback", "requirement_change", "verbosity"} <= set(report.details["axes"])


async def test_same_seed_same_bytes_at_any_concurrency(tmp_path) -> None:
    rows = population(8, 3)
    learn = LearnPromptSettings(max_instances=12, judge_checks=3)
    a, _, _ = await walk(tmp_path / "a", rows, learn=learn, concurrency=1)
    b, _, _ = await walk(tmp_path / "b", rows, learn=learn, concurrency=16)
    for name in ("splits", "fingerprints", "profiles", "prompts"):
        assert parts(a.root / name) == parts(b.root / name), name


async def test_settings_are_the_measured_ones(tmp_path) -> None:
    space, _, _ = await walk(tmp_path / "w", population(10, 4))
    prints = {row.user_id: row for row in space.fingerprints.rows()}
    for row in space.profiles.rows():
        settings = load_json(row.settings_json)
        style = load_json(prints[row.user_id].style_json)
        assert settings["style"] == style
        assert all(0 <= settings[axis] <= 1 for axis in ("expertise", "vagueness", "pushback", "verbosity"))


async def test_one_user_and_no_user_are_said(tmp_path) -> None:
    _, report, _ = await walk(tmp_path / "one", population(1, 2))
    assert report.counts["profiles"] == 1
    assert any("one user" in note for note in report.notes)
    anonymous = [row.model_copy(update={"user_id": None}) for row in population(3, 1)]
    space, report, taught = await walk(tmp_path / "none", anonymous, learn=LearnPromptSettings(judge_checks=0))
    assert report.counts["profiles"] == 0 and any("no user can be measured" in note for note in report.notes)
    assert taught.counts["instances_test"] > 0 and next(iter(space.prompts.rows())).test_score is not None


async def test_users_alike_have_no_level(tmp_path) -> None:
    space, report, _ = await walk(tmp_path / "w", population(12, 4, alike=True))
    pushback = [axis.known for row in space.fingerprints.rows() for axis in row.axes if axis.axis == "pushback"]
    assert not any(pushback) and any("pushback: users differ no more" in note for note in report.notes)


async def test_a_writer_that_leaks_ends_in_a_card(tmp_path) -> None:
    rows = population(3, 3)
    leak = "Says: please write tests for the parser module it should keep the given order of rows, in src/x.py."
    space = workspace(tmp_path / "w", rows)
    with script("writer", [say_json({"text": leak})]) as seen:
        async with models(space.root, writer={"model": "scripted/writer"}) as door:
            tools = services(door)
            await label_stage.run(LabelSettings(), space, tools)
            report = await profile_stage.run(QUICK, space, tools)
    assert report.details["texts_from_card"] == len(list(space.profiles.rows()))
    assert any("plain cards" in note for note in report.notes)
    asked = json.dumps(seen)
    assert "a file or path name" in asked  # the writer was told what was wrong, not shown what leaked elsewhere


async def test_a_judge_that_always_disagrees_costs_fidelity_not_the_profile(tmp_path) -> None:
    space = workspace(tmp_path / "w", population(3, 4))
    wrong = {axis: "unknown" for axis in ("expertise", "vagueness", "pushback", "requirement_change", "verbosity")}
    with script("judge", [say_json({**wrong, "unsupported": [], "specific": [], "stereotype": []})]):
        async with models(space.root, judge={"model": "scripted/judge"}) as door:
            tools = services(door)
            await label_stage.run(LabelSettings(), space, tools)
            report = await profile_stage.run(QUICK, space, tools)
    assert report.complete and report.counts["profiles"] > 0


async def test_an_instance_sees_the_users_other_sessions_only(tmp_path) -> None:
    loud = session("s-loud", "u", ["PLEASE COUNT THE VOWELS!", "THANKS A LOT!", "PLEASE DO MORE!"])
    calm = session("s-calm", "u", ["count the vowels", "good", "do some more of it"])
    space, _, _ = await walk(tmp_path / "w", [loud, calm, *population(4, 2)])
    split = {row.id: row.split for row in space.splits.rows()}
    found = cases.collect(space, split, LearnPromptSettings(max_instances=100, max_per_session=9), 3)
    polite = {
        item.session_id: (item.settings or {})["style"]["polite"] for item in found.instances if item.user_id == "u"
    }
    assert polite["s-calm"] > 0.5 > polite["s-loud"]
    places = {(item.session_id, item.split, split[item.user_id]) for item in found.instances}
    assert len(places) == len({name for name, _, _ in places})
    # Sessions of training users may be lent to validation (it has one user here); nothing else crosses.
    assert {(mine, users) for _, mine, users in places if mine != users} <= {("val", "train")}
    assert any(mine == "test" for _, mine, _ in places)


async def test_learn_prompt_scores_the_seed_and_checks_its_judge(tmp_path) -> None:
    rows = population(6, 2)
    space, _, taught = await walk(tmp_path / "w", rows, learn=LearnPromptSettings(max_instances=20, judge_checks=4))
    assert taught.complete and taught.counts["instances"] + taught.counts["dropped_twins"] == 20
    row = next(iter(space.prompts.rows()))
    assert json.loads(row.optimizer_json)["selected"] is True and row.test_score is not None
    assert taught is not None
    checks = taught.details["judge"]
    assert checks["real_itself"] > 0.9 and checks["gap"] > 0.1 and checks["repeat_sd"] < 0.1


async def test_single_session_users_have_no_profile_in_instances(tmp_path) -> None:
    _, _, taught = await walk(
        tmp_path / "w", population(6, 1), learn=LearnPromptSettings(max_instances=9, judge_checks=0)
    )
    assert any("carry no profile" in note for note in taught.notes)


async def test_real_logs(tmp_path, shared) -> None:
    from autointeract.logs import stage as ingest
    from autointeract.logs.settings import LogsSettings
    from autointeract.workspace import Workspace

    space = Workspace(tmp_path / "w", configured_key="test")
    async with models(space.root) as door:
        tools = services(door)
        await ingest.run(LogsSettings(paths=[str(shared / "logs" / "claude_code")]), space, tools)
        await label_stage.run(LabelSettings(), space, tools)
        report = await profile_stage.run(QUICK, space, tools)
        taught = await learn_stage.run(LearnPromptSettings(max_instances=20), space, tools)
    notes = " ".join(report.notes)
    assert "3 of 6 users have one session" in notes and "cannot be claimed from so few" in notes
    assert "says nothing about people in general" in " ".join(taught.notes)
    assert session("s", "u", ["x"]).turns  # the made-up shape stays a valid session
