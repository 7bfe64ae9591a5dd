"""The behavior prompt as a DSPy program (needs the extra `dspy`)."""

import asyncio

import pytest
from test_gepa import RULES, SETTINGS, judge, prepared
from users_support import models, services

from autointeract.errors import ConfigError
from autointeract.models.simulated.scripted import say, script
from autointeract.records import load_json
from autointeract.users import learn_stage

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
            lm = DoorLM(door, asyncio.get_running_loop(), "simulator")
            assert lm.model == "autointeract/simulator" and spoken
    rows = list(space.prompts.rows())
    assert report.complete and sum(load_json(row.optimizer_json)["selected"] for row in rows) == 1
    program = BehaviorProgram("nothing yet")
    program.load(str(space.root / "reports" / "behavior_program.json"))
    assert program.behavior != "nothing yet"
