"""Learning on the simulated provider: a better prompt gives nearer turns, on users that taught nothing."""

from users_support import models, parts, people, services, workspace

from autointeract.records import load_json
from autointeract.symbolic.manners import dropped
from autointeract.users import label_stage, learn_stage, profile_stage
from autointeract.users.cases import MIN_VAL_USERS, collect
from autointeract.users.settings import LabelSettings, LearnPromptSettings, ProfileSettings
from autointeract.users.simulated_writer import ADVICE, advise
from autointeract.users.splits import user_splits

SETTINGS = LearnPromptSettings(
    optimizer="gepa", max_instances=64, metric_calls=320, patience=8, judge_checks=6, finalists=2
)
QUICK = ProfileSettings(resamples=50, audit=False, splits=10, permutations=20)


async def learned(path, concurrency: int = 8):
    space = workspace(path, people(16, 3))
    async with models(space.root) as door:
        tools = services(door, concurrency=concurrency)
        await label_stage.run(LabelSettings(), space, tools)
        await profile_stage.run(QUICK, space, tools)
        return space, await learn_stage.run(SETTINGS, space, tools)


async def test_a_learned_prompt_is_nearer_to_held_out_users_at_any_concurrency(tmp_path) -> None:
    space, report = await learned(tmp_path / "a")
    gain = report.details["gains"][report.details["selected"]]["test"]
    assert gain["users"] >= 3 and gain["low"] > 0, gain
    rows = list(space.prompts.rows())
    chosen = next(row for row in rows if load_json(row.optimizer_json)["selected"])
    assert dropped(chosen.text) > dropped(rows[0].text)
    other, _ = await learned(tmp_path / "b", concurrency=1)
    assert parts(space.root / "prompts") == parts(other.root / "prompts")


def test_the_simulated_writer_knows_the_feedback_and_nothing_else() -> None:
    assert advise([], "text", 0) is None and advise(["Nothing to change."], "text", 0) is None
    feedback = ["Too long: 40 words where the person typed 3."]
    first = {advise(feedback, "text", seed) for seed in range(20)}
    assert first == set(ADVICE[0][1])
    assert advise(feedback, f"text\n- {ADVICE[0][1][1]}", 0) is None  # said already, in other words
    both = [advise([*feedback * 9, "Say more detail."], "text", seed) for seed in range(60)]
    assert sum(text in ADVICE[0][1] for text in both) > 40  # what is heard more often is answered more often


async def test_validation_borrows_sessions_where_it_has_too_few_users(tmp_path) -> None:
    space = workspace(tmp_path / "w", people(6, 4))
    async with models(space.root) as door:
        await label_stage.run(LabelSettings(), space, services(door))
        await profile_stage.run(QUICK, space, services(door))
        report = await learn_stage.run(LearnPromptSettings(max_instances=60), space, services(door))
    split = {user: row.split for user, row in user_splits(space).items()}
    cases = collect(space, split, LearnPromptSettings(max_instances=60), 3)
    by_split = {name: {item.session_id for item in cases.of(name)} for name in ("train", "val", "test")}
    assert cases.lent > 0 and len({item.user_id for item in cases.of("val")}) >= MIN_VAL_USERS
    assert not by_split["train"] & by_split["val"]
    assert {item.user_id for item in cases.of("test")} == {user for user, name in split.items() if name == "test"}
    assert any("lent to it" in note for note in report.notes)
