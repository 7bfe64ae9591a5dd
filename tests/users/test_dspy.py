"""The behavior prompt as a DSPy program (needs the extra `dspy`)."""

import asyncio
from typing import Any

import pytest
from test_gepa import RULES, SETTINGS, judge, prepared
from users_support import models, parts, services

from autointeract.errors import ConfigError
from autointeract.models.simulated.registry import SimulatedRequest, respond
from autointeract.models.simulated.scripted import say, script
from autointeract.records import Message, load_json
from autointeract.records.vocabulary import ModelRole
from autointeract.users import dspy_run, learn_stage
from autointeract.users.dspy_simulated import fields_of

ROLES = {role: {"model": f"scripted/{role}"} for role in ("simulator", "judge", "writer")}


def speak(body):
    """Answers both routes: DSPy's field markers, and our JSON."""
    system = body["messages"][0]["content"]
    said = "did " + (" ".join(name for name, rule in RULES.items() if rule in system) or "nothing")
    if "[[ ##" in system:
        return say(f"[[ ## utterance ## ]]\n{said}\n\n[[ ## completed ## ]]")
    return say(f'{{"strategy": "confirmation", "utterance": "{said}", "facts": []}}')


@pytest.mark.parametrize("optimizer", ["dspy.GEPA", "dspy.MIPROv2"])
async def test_without_the_extra_nothing_is_spent_and_nothing_is_moved(tmp_path, monkeypatch, optimizer) -> None:
    space = await prepared(tmp_path / "w")
    with script("simulator", speak), script("judge", judge), script("writer", [say("x")]):
        async with models(space.root, **ROLES) as door:
            await learn_stage.run(SETTINGS.model_copy(update={"optimizer": "none"}), space, services(door))
            before = {path: path.read_bytes() for path in sorted(space.root.rglob("*")) if path.is_file()}
            assert any(path.name == "learn-prompt.jsonl" for path in before)
            monkeypatch.setattr(learn_stage, "find_spec", lambda name: None)
            with pytest.raises(ConfigError, match=r"autointeract\[dspy\]"):
                await learn_stage.run(SETTINGS.model_copy(update={"optimizer": optimizer}), space, services(door))
            after = {path: path.read_bytes() for path in sorted(space.root.rglob("*")) if path.is_file()}
            assert after == before


async def test_dspy_gepa_through_our_door(tmp_path) -> None:
    pytest.importorskip("dspy", reason="optional extra: pip install 'autointeract[dspy]'")
    from autointeract.users.dspy_program import BehaviorProgram, DoorLM

    space = await prepared(tmp_path / "w")
    better = "You play a developer who talks to an assistant and stays in the conversation.\n" + "\n".join(
        RULES.values()
    )

    def write(body):
        return say(f'{{"new_instruction": {better!r}, "improved_instruction": "x"}}'.replace("'", '"'))

    settings = SETTINGS.model_copy(update={"optimizer": "dspy.GEPA", "metric_calls": 80})
    with script("simulator", speak) as spoken, script("judge", judge), script("writer", write):
        async with models(space.root, **ROLES) as door:
            report = await learn_stage.run(settings, space, services(door))

            async def ask(role, name, rows, number):
                return [rows[-1].content] * number

            lm = DoorLM(ask, asyncio.get_running_loop(), "simulator")
            assert (
                (await asyncio.to_thread(lm, "hello"))[0] == "hello" and lm.model == "autointeract/simulator" and spoken
            )
    rows = list(space.prompts.rows())
    assert report.complete and sum(load_json(row.optimizer_json)["selected"] for row in rows) == 1
    program = BehaviorProgram("nothing yet")
    program.load(str(space.root / "reports" / "behavior_program.json"))
    assert program.behavior != "nothing yet"


SIMULATED = SETTINGS.model_copy(update={"metric_calls": 60, "judge_checks": 2})


async def learn_simulated(space, optimizer):
    """One run on the simulated provider alone."""
    settings = SIMULATED.model_copy(update={"optimizer": optimizer})
    async with models(space.root) as door:
        return await learn_stage.run(settings, space, services(door))


@pytest.mark.parametrize("optimizer", ["dspy.GEPA", "dspy.MIPROv2"])
async def test_on_the_simulated_provider_killed_and_resumed_and_free_at_last(
    tmp_path, monkeypatch, capsys, caplog, optimizer
) -> None:
    pytest.importorskip("dspy", reason="optional extra: pip install 'autointeract[dspy]'")
    pytest.importorskip("optuna", reason="optional extra: pip install 'autointeract[dspy]'")
    whole, cut = await prepared(tmp_path / "whole"), await prepared(tmp_path / "cut")
    report = await learn_simulated(whole, optimizer)
    assert report.complete and report.counts["optimizer_rollouts"] >= 20
    said = capsys.readouterr()
    assert "Metric" not in said.out + said.err and "conversation" not in said.out + said.err  # made from private logs
    real, left = dspy_run.judge, 12

    async def dying(*args, **kwargs):
        nonlocal left
        left -= 1
        if left < 0:
            raise asyncio.CancelledError
        return await real(*args, **kwargs)

    monkeypatch.setattr(dspy_run, "judge", dying)
    with pytest.raises(BaseException):  # noqa: B017 - whatever ended it, the journal is what counts
        await asyncio.wait_for(learn_simulated(cut, optimizer), 120)
    monkeypatch.setattr(dspy_run, "judge", real)
    again = await learn_simulated(cut, optimizer)
    assert parts(cut.root / "prompts") == parts(whole.root / "prompts")
    program = "reports/behavior_program.json"
    assert (cut.root / program).read_bytes() == (whole.root / program).read_bytes()
    assert again.usage["calls"] < report.usage["calls"]
    caplog.clear()
    last = await learn_simulated(cut, optimizer)
    assert last.usage["calls"] == 0 and "0 calls ahead" in caplog.text
    assert last.counts["optimizer_rollouts"] == report.counts["optimizer_rollouts"]


@pytest.mark.parametrize("optimizer", ["dspy.GEPA", "dspy.MIPROv2"])
async def test_a_spent_budget_stops_dspy_too(tmp_path, optimizer) -> None:
    pytest.importorskip("dspy", reason="optional extra: pip install 'autointeract[dspy]'")
    pytest.importorskip("optuna", reason="optional extra: pip install 'autointeract[dspy]'")
    roles = {role: {"model": f"scripted/{role}"} for role in ("simulator", "judge")}
    budget: dict[str, Any] = {}
    for name in ("none", optimizer):
        space = await prepared(tmp_path / name)
        with script("simulator", speak), script("judge", judge):
            async with models(space.root, **roles, **budget) as door:
                settings = SIMULATED.model_copy(update={"optimizer": name})
                report = await learn_stage.run(settings, space, services(door))
        if name == "none":  # enough for the seed and a little more
            budget = {"budget": {"tokens": int(1.3 * report.usage["tokens"])}}
        else:  # DSPy by itself would count what could not be asked as zeros, and go on to the end
            assert not report.complete and any("stopped early" in note for note in report.notes)
    with script("simulator", speak), script("judge", judge):
        async with models(space.root, **roles) as door:
            assert (await learn_stage.run(settings, space, services(door))).complete


def test_a_prompt_that_may_not_be_used_is_not_played_and_says_why() -> None:
    dspy = pytest.importorskip("dspy", reason="optional extra: pip install 'autointeract[dspy]'")
    from autointeract.users.dspy_program import BehaviorProgram

    program = BehaviorProgram("Mail jo.", lambda text: ["names a person"] if "jo" in text else [])
    found = program(profile="p", conversation="user: hi")  # no model is set: nothing may be asked
    assert isinstance(found, dspy.Prediction) and found.objections == ["names a person"] and found.utterance == ""


def asked(role: ModelRole, system: str, user: str):
    rows = [Message(role="system", content=system), Message(role="user", content=user)]
    return respond(
        SimulatedRequest(
            role=role, model="default", messages=rows, variables=None, system=system, tools=None, seed=1, book=None
        )
    ).text  # fmt: skip


def test_the_simulated_writer_answers_in_the_form_that_dspy_asks_for() -> None:
    system = (
        "Your input fields are:\n1. `current_instruction` (str):\n"
        "Your output fields are:\n1. `new_instruction` (str): x\n"
        "All interactions will be structured\n\nOutputs will be a JSON object with the following fields."
    )
    user = (
        "[[ ## current_instruction ## ]]\nPlay a user.\n\n[[ ## examples_with_feedback ## ]]\n"
        '[{"Feedback": "Too long: 40 words where the person typed 3."}]\n\n'
        "Respond with a JSON object: `new_instruction`."
    )
    assert fields_of(user)["current_instruction"] == "Play a user."
    found = load_json(asked("writer", system, user))
    assert list(found) == ["new_instruction"]
    assert found["new_instruction"].startswith("Play a user.\n- ") and "short" in found["new_instruction"].lower()
    marks = system.replace("Outputs will be a JSON object", "").replace("new_instruction", "program_description")
    assert fields_of(asked("writer", marks, user)).keys() == {"program_description", "completed"}


def test_the_simulated_user_heeds_dspys_instructions() -> None:
    fields = (
        "Your output fields are:\n1. `utterance` (str): x\nAll interactions will be structured\nyour objective is: "
    )
    talk = "user: Parse the rows.\n\nassistant: Done."
    user = f"[[ ## profile ## ]]\np\n\n[[ ## conversation ## ]]\n{talk}\n\nRespond with x"
    plain = fields_of(asked("simulator", fields + "Play a user.", user))["utterance"]
    terse = fields_of(
        asked("simulator", fields + "Be short. No courtesy. No preamble. Leave details out. Do not agree.", user)
    )["utterance"]
    assert 0 < len(terse) < len(plain)
