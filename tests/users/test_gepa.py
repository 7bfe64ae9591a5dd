"""Learning the behavior prompt: planted rules are found, a killed run goes on exactly, a finished one costs nothing."""

import asyncio
import json
from typing import Any

import pytest
from users_support import models, parts, people, services, workspace

from autointeract.errors import BudgetError, ProviderError
from autointeract.models.simulated.scripted import say, say_json, script
from autointeract.prompts import parse_variables
from autointeract.records import load_json
from autointeract.users import label_stage, learn_stage, profile_stage
from autointeract.users.candidates import Guard
from autointeract.users.gepa_run import cost_ahead
from autointeract.users.learn_stage import SEED
from autointeract.users.settings import LabelSettings, LearnPromptSettings, ProfileSettings

RULES = {
    "R1": "When the work is wrong, say so bluntly.", "R2": "When you are done, leave without a word.",
    "R3": "When asked for details, give one and hold the rest back.", "R4": "When you are unsure, type a fragment.",
}  # fmt: skip
ROLES = {role: {"model": f"scripted/{role}"} for role in ("simulator", "judge", "writer")}
SETTINGS = LearnPromptSettings(
    optimizer="gepa", max_instances=40, max_per_session=9, metric_calls=400, minibatch=4, patience=30, judge_checks=0,
    finalists=2,
)  # fmt: skip


def simulator(body: dict[str, Any]) -> Any:
    """Obeys each planted rule that its instructions hold, on those instances where the rule matters."""
    obeyed = [name for name, rule in RULES.items() if rule in body["messages"][0]["content"]]
    return say_json({"strategy": "confirmation", "utterance": f"did {' '.join(obeyed) or 'nothing'}", "facts": []})


def judge(body: dict[str, Any]) -> Any:
    data = parse_variables(body["messages"][-1]["content"]) or {}
    # Which two rules matter depends on the instance, so that the front has several members.
    wanted = sorted(RULES)[len(data["real"]) % 3 :][:2]
    missing = [name for name in wanted if name not in data["simulated"]]
    share = 1 - len(missing) / len(wanted)
    aspects = {name: share for name in ("intent", "reaction", "specificity", "persona", "realism")}
    return say_json({**aspects, "differences": " ".join(f"MISSING<{name}>" for name in missing)})


def writer(body: dict[str, Any]) -> Any:
    data = parse_variables(body["messages"][-1]["content"]) or {}
    feedback = " ".join(example["feedback"] for example in data["examples"])
    missing = [name for name in RULES if f"MISSING<{name}>" in feedback and RULES[name] not in data["current"]]
    return say_json({"text": data["current"] + (f"\n- {RULES[missing[0]]}" if missing else "")})


async def prepared(path):
    space = workspace(path, people(10, 3))
    async with models(space.root) as door:
        tools = services(door)
        await label_stage.run(LabelSettings(), space, tools)
        await profile_stage.run(ProfileSettings(resamples=50, audit=False, splits=10, permutations=20), space, tools)
    return space


async def learn(space, settings=SETTINGS, write=writer, speak=simulator):
    with script("simulator", speak) as a, script("judge", judge) as b, script("writer", write) as c:
        async with models(space.root, **ROLES) as door:
            report = await learn_stage.run(settings, space, services(door))
    return report, len(a) + len(b) + len(c)


async def test_planted_rules_are_recovered_and_a_finished_run_is_free(tmp_path) -> None:
    space = await prepared(tmp_path / "w")
    report, calls = await learn(space)
    rows = list(space.prompts.rows())
    chosen = [row for row in rows if load_json(row.optimizer_json)["selected"]]
    assert len(chosen) == 1 and all(rule in chosen[0].text for rule in RULES.values())
    seed = rows[0]
    assert chosen[0].val_score > seed.val_score and chosen[0].test_score > seed.test_score
    assert any("the selected prompt scores +" in note for note in report.notes)
    assert report.details["lineage"][0]["parent"] is None
    assert all(line.startswith("+") for node in report.details["lineage"][1:] for line in node["changes"])
    before = parts(space.root / "prompts")
    (space.root / "cache" / "replies.sqlite").unlink()  # the journal alone must do
    again, spent = await learn(space)
    assert spent == 0 and parts(space.root / "prompts") == before
    assert again.details["lineage"] == report.details["lineage"] and calls > 100


async def test_a_killed_run_goes_on_byte_for_byte(tmp_path) -> None:
    whole = await prepared(tmp_path / "whole")
    await learn(whole)
    space = await prepared(tmp_path / "cut")
    for limit in (25, 60):  # killed twice: in the first evaluation and in the middle of the search
        seen = 0

        def dying(body, limit=limit):
            nonlocal seen
            seen += 1
            if seen > limit:
                raise asyncio.CancelledError
            return simulator(body)

        with pytest.raises(BaseException):  # noqa: B017 - whatever ended it, the journal is what counts
            await asyncio.wait_for(learn(space, speak=dying), 60)
        (space.root / "cache" / "replies.sqlite").unlink(missing_ok=True)
    await learn(space)
    assert parts(space.root / "prompts") == parts(whole.root / "prompts")


async def test_a_reflection_that_never_works_ends_the_run_with_its_error(tmp_path) -> None:
    space = await prepared(tmp_path / "w")
    with pytest.raises(ProviderError, match="no usable rewrite"):
        await learn(space, write=[say("I cannot help with that.")])


async def test_a_reflection_that_failed_is_kept_and_one_that_ended_the_run_is_asked_anew(tmp_path) -> None:
    space, asked = await prepared(tmp_path / "w"), 0

    def fails_at_first(body):
        nonlocal asked
        asked += 1
        return say("I cannot help with that.") if asked <= 3 else writer(body)

    report, _ = await learn(space, write=fails_at_first)
    assert report.faults == {"writer": 1} and report.counts["proposals"] > 1
    before = parts(space.root / "prompts")
    (space.root / "cache" / "replies.sqlite").unlink()
    again, spent = await learn(space)
    assert spent == 0 and again.faults == {"writer": 1} and parts(space.root / "prompts") == before
    other = await prepared(tmp_path / "other")
    with pytest.raises(ProviderError, match="no usable rewrite"):
        await learn(other, write=[say("I cannot help with that.")])
    mended, _ = await learn(other)  # the model works now; the first two failures stay in the journal
    assert mended.complete and mended.faults == {"writer": 2} and mended.counts["prompts"] > 1


async def test_a_text_that_was_proposed_before_is_not_proposed_again(tmp_path) -> None:
    space, told = await prepared(tmp_path / "w"), []

    def one_idea(body):
        data = parse_variables(body["messages"][-1]["content"]) or {}
        told.extend(data["objections"])
        return say_json({"text": f"{SEED.text.strip()}\n- Mind the weather, and speak as the day is."})

    report, _ = await learn(space, write=one_idea, settings=SETTINGS.model_copy(update={"metric_calls": 120}))
    assert any("was proposed before" in item for item in told)
    assert report.counts["prompts"] == 1 and report.counts["refused"] == report.counts["proposals"] - 1 > 0


async def test_a_spent_budget_stops_and_says_so(tmp_path) -> None:
    space = await prepared(tmp_path / "w")
    with script("simulator", simulator), script("judge", judge), script("writer", writer):
        door = models(space.root, **ROLES, budget={"tokens": 9000})
        async with door:
            report = await learn_stage.run(SETTINGS, space, services(door))
    assert not report.complete and any("stopped early" in note for note in report.notes)
    assert next(iter(space.prompts.rows())).text  # the seed prompt is there to go on with
    assert issubclass(BudgetError, Exception)


async def test_leaking_rewrites_are_refused(tmp_path) -> None:
    space = await prepared(tmp_path / "w")
    leak = "You are a user. Work in src/app/main.py and mail jo@example.org whenever the assistant is done with it all."
    report, _ = await learn(
        space, write=[say_json({"text": leak})], settings=SETTINGS.model_copy(update={"metric_calls": 80})
    )
    assert report.counts["refused"] > 0 and report.counts["prompts"] == 1


def test_guard_says_why() -> None:
    guard = Guard(
        "You play a developer. Write short messages in your own way and stay inside the conversation you see.", [], 40
    )
    fine = (
        "You play a developer. When work is wrong, say so bluntly. When it is right, go on with the next thing at once."
    )
    assert guard.objections(fine) == []
    assert any("output format" in item for item in guard.objections(fine + " Answer in plain text, never return JSON."))
    assert any("words" in item for item in guard.objections(fine * 4))
    assert guard.objections("Be nice.") == ["is too short to be instructions"]


def test_cost_is_an_upper_bound_and_small_budgets_are_named() -> None:
    ahead = cost_ahead(SETTINGS.model_copy(update={"finalists": 3, "finalist_samples": 2}), 10, 5)
    assert ahead["rollouts_at_most"] == 400 + 8 + 10 + 4 * (10 * 2 + 5 * 3) and ahead["iterations_at_most"] == 48
    assert json.dumps(ahead)
