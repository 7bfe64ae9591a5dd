"""Repository conversations: the agent's loop, the cumulative state, closing, hidden tests, patches as answers."""

import contextlib
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from repository_world import BAD, GOOD, FolderBench, FolderSession, RunsTests, diff, task

from autointeract.models import Call
from autointeract.models.simulated.agents import broken
from autointeract.models.simulated.scripted import call_tool, say, say_json, script
from autointeract.prompts import parse_variables
from autointeract.records import Attempt, Message, State, Submission, load_json
from autointeract.synthesis import judge_rules  # noqa: F401 - registers the judges
from autointeract.synthesis.guidance import Guidance
from autointeract.synthesis.leaks import Secrets
from autointeract.synthesis.loop import Loop
from autointeract.synthesis.settings import SweSettings, SynthesisSettings
from autointeract.synthesis.swe import agent
from autointeract.synthesis.swe.play import changed_files, open_plans
from autointeract.synthesis.usage import UsedTokens
from synthesis_world import cast, door, workspace

FACTS = ["f0", "f1", "f2"]
CALL = Call(item="i", purpose="assistant")


async def attempts(tmp_path, *, rounds: int = 0, seed: int = 3, bench: Any = None, **scripts: Any) -> list[Attempt]:
    where = workspace(tmp_path, [task()])
    settings = SynthesisSettings(rounds=rounds, confirm_share=0, fault_retries=0, max_user_turns=3)
    execution: Any = RunsTests()
    with contextlib.ExitStack() as stack:
        for role, steps in scripts.items():
            stack.enter_context(script(role, steps))
        async with door(tmp_path, seed, where.root / "tasks", **{r: f"scripted/{r}" for r in scripts}) as models:
            loop = Loop(
                models, execution, settings, seed, lambda *_: None, lambda *_: None, bench=bench or FolderBench()
            )
            return await loop.run(cast(task(), scenario="open"))


async def test_a_whole_item_on_simulated_models(tmp_path):
    outcomes = set()
    for seed in (3, 4):
        rows = await attempts(tmp_path / str(seed), rounds=1, seed=seed)
        outcomes |= {row.outcome for row in rows}
        for row in rows:
            assert row.conversation[0].role == "system" and row.conversation[-1].role == "user"
            assert row.repo_state and "max(value, high)" in row.repo_state  # the bug is part of the state
            assert [turn.index for turn in row.turns] == [n for n, m in enumerate(row.conversation) if m.role == "user"]
            assert all(turn.origin == "reactive" for turn in row.turns)
            if len(row.turns) > 1:
                assert "NOTES.md" in row.repo_state  # and so is what the assistant did
            for entry in load_json(row.responses_json):
                verdict = await RunsTests().verify(
                    None, Submission(patch=entry["patch"]), State(image="shop", repo_state=row.repo_state)
                )
                assert verdict.score == entry["verdict"]["score"]
    assert outcomes - {"fault"}


async def test_closing_cuts_back_to_the_last_request_and_its_state(tmp_path):
    """The assistant's work after the last request is what the model to be trained is asked for."""
    told = {"strategy": "reveal_piece", "facts": FACTS, "utterance": task().statement}
    turns = [say_json(told), say_json({"strategy": "close", "facts": [], "utterance": "great, thanks"})]

    def simulator(body: dict[str, Any]):
        variables = parse_variables(body["messages"][1]["content"])
        assert variables is not None
        return turns[min(sum(turn["role"] == "user" for turn in variables["conversation"]), 1)]

    (row,) = await attempts(tmp_path, simulator=simulator)
    assert [message.role for message in row.conversation] == ["system", "user"]
    assert "NOTES.md" not in (row.repo_state or "") and row.outcome != "fault"


@pytest.mark.parametrize("strategy", ["close", "confirmation"])
async def test_nobody_ends_a_conversation_before_the_assistant_has_worked(tmp_path, strategy):
    told = {"strategy": strategy, "facts": FACTS, "utterance": task().statement}
    (row,) = await attempts(tmp_path, simulator=[say_json(told)], judge=[say("no")])
    assert [message.role for message in row.conversation][:2] == ["system", "user"]
    assert row.turns[0].strategy == ("reveal_piece" if strategy == "close" else "confirmation")
    assert (len(row.turns) > 1) == (strategy == "confirmation")  # a mere confirmation ends nothing; a later close does


async def test_the_user_sees_words_and_changed_files_but_no_tool_output(tmp_path):
    seen: list[Any] = []
    told = {"strategy": "reveal_piece", "facts": FACTS, "utterance": task().statement}

    def simulator(body: dict[str, Any]):
        seen.append(parse_variables(body["messages"][1]["content"]))
        return say_json(told)

    await attempts(tmp_path, simulator=simulator)
    second = seen[1]["conversation"]
    assert "files changed so far: NOTES.md (+1 -0), calc.py (+1 -1)]" in second[-1]["content"]
    assert "exit code" not in str(second) and "test_clamp" not in str(second)


def test_the_summary_counts_lines_and_quotes_none():
    state = diff(GOOD, BAD) + "diff --git a/x.bin b/x.bin\nnew file mode 100644\nGIT binary patch\nliteral 3\n"
    state += (
        "diff --git a/b.txt b/b.txt\n--- a/b.txt\n+++ b/b.txt\n@@ -1,2 +1 @@\n--- gone\n-diff --git a/q b/q\n+new\n"
    )
    assert changed_files(state) == ["b.txt (+1 -2)", "calc.py (+1 -1)", "x.bin"]
    assert changed_files("") == []


async def test_a_silent_assistant_is_its_fault(tmp_path):
    (row,) = await attempts(tmp_path, assistant=[call_tool("bash", {"command": "true"})])
    assert (row.outcome, row.fault) == ("fault", "assistant") and "limit" in row.diagnosis


@pytest.mark.parametrize(
    ("step", "shown"),
    [
        (call_tool("bash", {"command": "echo hello; exit 3"}), "hello\n\n[exit code 3]"),
        (call_tool("bash", "{not json"), "are not JSON"),
        (call_tool("browse", {"url": "x"}), "there is no tool 'browse'"),
        (call_tool("bash", {"cmd": "ls"}), "needs command"),
        (call_tool("edit", {"path": "calc.py", "old": "nowhere", "new": "x"}), "occurs 0 times"),
        (call_tool("edit", {"path": "calc.py", "old": "max(", "new": "min("}), "done"),
        (call_tool("edit", {"path": "new/a.py", "old": "", "new": "x = 1\n"}), "done"),
    ],
)
async def test_tools_answer_and_bad_calls_are_explained(tmp_path, step, shown):
    session = FolderSession(diff(GOOD, BAD), [])
    steps = iter([step, say("finished")])
    with script("assistant", lambda body: next(steps)):
        async with door(tmp_path, assistant="scripted/assistant") as models:
            conversation = [Message(role="user", content="fix it")]
            run = await agent.work(models, "assistant", conversation, session, CALL, SweSettings(), UsedTokens())
    await session.close()
    assert [message.role for message in run.messages] == ["assistant", "tool", "assistant"]
    assert shown in run.messages[1].content and run.text == "finished"
    assert load_json(run.messages[0].tool_calls_json)[0]["id"] == run.messages[1].tool_call_id


async def test_steps_are_limited(tmp_path):
    session = FolderSession("", [])
    with script("assistant", [call_tool("bash", {"command": "echo x >> a.txt"})]) as seen:
        async with door(tmp_path, assistant="scripted/assistant") as models:
            conversation = [Message(role="user", content="go")]
            run = await agent.work(models, "assistant", conversation, session, CALL, SweSettings(steps=3), UsedTokens())
            assert run.fault == "limit" and len(seen) == 3
            assert (await session.patch()).count("+x") == 3  # what was done still counts
    await session.close()


def test_implementation_details_of_the_patch_are_private():
    secrets = Secrets(task(), "", [], 8)
    assert not secrets.find([Message(role="user", content="clamp returns more than high, please look")])
    assert not secrets.find(
        [Message(role="user", content="it says return max(value, high) there")]
    )  # the code as it is
    assert secrets.find([Message(role="user", content="make test_high pass")])


@given(st.integers(0, 999), st.integers(1, 4))
def test_broken_patches_are_patches(seed, faults):
    patch = task().reference["patch"]
    text = broken(patch, seed, faults)
    assert text != patch and text.count("\n@@") == patch.count("\n@@")


@given(st.integers(0, 9999), st.sets(st.sampled_from(FACTS)), st.integers(2, 6))
def test_open_plans_tell_everything_by_the_end(seed, withhold, most):
    plans = open_plans(FACTS, Guidance(withhold=sorted(withhold)), {}, most, Random(seed))
    assert sorted(name for plan in plans for name in plan.due) == FACTS
    assert 2 <= len(plans) <= max(most, 2) and plans[-1].last and "f0" in plans[0].due
