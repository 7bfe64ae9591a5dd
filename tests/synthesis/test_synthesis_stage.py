"""The stage end to end on simulated models: what is written, that it can be reproduced, and that nothing is lost."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autointeract.engine import Engine, EngineSettings
from autointeract.errors import BudgetError, InputError, ResumeError, SandboxError, WorkspaceError
from autointeract.models import Call
from autointeract.models.door import Models
from autointeract.models.settings import ModelsSettings, RoleSettings
from autointeract.records import Submission, load_json, parse_spec
from autointeract.synthesis import generator
from autointeract.synthesis.cases import parse_assertion, shows
from autointeract.synthesis.leaks import Secrets
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.synthesis.shape import form_problem
from autointeract.workspace import Workspace
from synthesis_world import InProcess, dataset_bytes, door, profiles, run_stage, sample_tasks, workspace

SETTINGS = SynthesisSettings(rounds=3, null_share=0.5, confirm_share=0.3, full_share=0.2, draws=2)
HERE = Path(__file__).resolve().parent


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """One finished run."""
    where = workspace(tmp_path_factory.mktemp("made"), sample_tasks(12))
    report = asyncio.run(run_stage(where, SETTINGS))
    return where, report


def test_report_and_rows_agree(made):
    where, report = made
    attempts, rows = list(where.attempts.rows()), list(where.trajectories.rows())
    assert report.complete and report.counts["items"] == 24
    assert report.counts["attempts"] == len(attempts) and report.counts["accepted"] == len(rows) > 5
    accepted = [a for a in attempts if a.outcome == "accepted" and a.arm == "guided"]
    assert [row.prompt for row in rows] == [a.conversation for a in accepted]
    assert len({row.trajectory_id for row in rows}) == len(rows)
    shares = report.details["acceptance"]["guided"]
    assert shares == sorted(shares) and round(shares[-1] * 24) == len(rows)
    assert report.details["paper"] is None  # never beside simulated models
    assert report.details["solver_calls"]["ratio"] <= 0.7
    assert json.loads(json.dumps(report.model_dump(mode="json")))
    cost, whole = report.details["cost_by_round"], report.details["cost"]["guided"]
    guided = [row for row in attempts if row.arm == "guided"]
    for parts in (cost, list(report.details["scenarios"].values())):
        assert sum(part["accepted"] for part in parts) == len(rows)
        assert sum(part["calls"] for part in parts) == whole["calls"] and whole["calls"] > len(guided)
    assert [part["attempts"] for part in cost] == [sum(row.round == k for row in guided) for k in range(len(cost))]
    assert sum(sum(part["first"].values()) for part in report.details["scenarios"].values()) == 24
    assert any("every check was made on" in note for note in report.notes)


def test_accepted_rows_are_in_the_band_and_leak_nothing(made):
    where, _ = made
    tasks = {task.task_id: task for task in where.tasks.rows()}
    for row in where.trajectories.rows():
        task = tasks[row.source_task_id]
        assert form_problem(row.prompt) is None and row.verifier_json == task.verifier_json
        assert len(row.weak_scores) == len(row.strong_scores) == 3
        assert row.weak_score <= 0.4 + 1e-9 and row.strong_score >= 0.7 - 1e-9
        said = "\n".join(message.content for message in row.prompt if message.role == "user")
        assert task.reference["code"].strip() not in "\n".join(message.content for message in row.prompt)
        assert task.entry_point in said
        hidden = [text for text in task.verifier.assertions if text not in task.public_cases]
        shown = [text for text in hidden if shows(said, parse_assertion(text))]
        allowed = load_json(row.checks_json).get("revealed_cases", [])
        assert set(shown) <= set(allowed) and len(allowed) <= max(2, len(task.verifier.assertions) // 5)
        assert not allowed or row.scenario == "bug_iteration"
        assert all(turn.visible_chars == len(row.prompt[turn.index].content) for turn in row.turns)


async def test_scores_are_those_that_verifying_again_gives(made):
    where, _ = made
    verifier = InProcess()
    for row in where.trajectories.rows():
        attempt = next(a for a in where.attempts.rows() if a.conversation == row.prompt and a.outcome == "accepted")
        for role, scores in (("weak", row.weak_scores), ("strong", row.strong_scores)):
            texts = [entry["text"] for entry in load_json(attempt.responses_json) if entry["role"] == role]
            again = [await verifier.verify(parse_spec(row.verifier_json), Submission(text=text)) for text in texts]
            assert [verdict.score for verdict in again] == scores


async def test_a_solver_asked_with_visible_messages_alone_says_the_same(made, tmp_path):
    """Whatever was private to the item (profile, guidance, plan, task) is unknown to this door, and changes nothing."""
    where, _ = made
    async with door(tmp_path, 3, where.root / "tasks") as models:
        for row in list(where.attempts.rows())[:25]:
            for entry in load_json(row.responses_json):
                if entry["role"] in ("weak", "strong"):
                    call = Call(item=row.item_id, round=row.round, turn=entry["sample"], purpose=entry["role"])
                    reply = (await models.complete(entry["role"], row.conversation, call=call))[0]
                    assert reply.text == entry["text"]


@pytest.mark.parametrize("concurrency", [1, 32])
async def test_bytes_do_not_depend_on_concurrency(made, tmp_path, concurrency):
    where = workspace(tmp_path, sample_tasks(12))
    await run_stage(where, SETTINGS, concurrency=concurrency)
    assert dataset_bytes(where) == dataset_bytes(made[0])


async def test_killed_and_resumed_gives_the_same_bytes(made, tmp_path):
    workspace(tmp_path, sample_tasks(12))
    for lines in (7, 20, 11):
        code = (
            f"import asyncio, os, signal, sys; sys.path.insert(0, {str(HERE.parent)!r})\n"
            "from synthesis_world import *\nfrom autointeract.workspace.journal import Journal\n"
            f"left, put = [{lines}], Journal.put\n"
            "def dying(self, *args):\n"
            "    put(self, *args); left[0] -= 1\n"
            "    if left[0] == 0:\n"
            '        self._file.write(b\'{"len": 9, "it\'); self._file.flush(); os.kill(os.getpid(), signal.SIGKILL)\n'
            "Journal.put = dying\n"
            f"settings = SynthesisSettings.model_validate_json({SETTINGS.model_dump_json()!r})\n"
            f"asyncio.run(run_stage(workspace(Path({str(tmp_path)!r})), settings, concurrency=5))\n"
        )
        done = subprocess.run([sys.executable, "-c", code], env={**os.environ}, capture_output=True, timeout=60)
        assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-2000:]
    where = Workspace(tmp_path)
    await run_stage(where, SETTINGS, resume="require")
    assert dataset_bytes(where) == dataset_bytes(made[0])


async def test_a_finished_run_makes_no_call(made):
    where, _ = made
    before, execution = dataset_bytes(where), InProcess()
    report = await run_stage(where, SETTINGS, execution=execution)
    assert execution.ran == 0 and report.usage["calls"] == 0 and dataset_bytes(where) == before


class Spent(Models):
    """A door whose budget is spent after some calls."""

    left = 60

    async def complete(self, *args: Any, **options: Any) -> Any:
        self.left -= 1
        await asyncio.sleep(0)
        if self.left < 0:
            raise BudgetError("the token budget is spent")
        return await super().complete(*args, **options)


async def test_a_spent_budget_stops_cleanly_and_can_be_resumed(made, tmp_path):
    where = workspace(tmp_path, sample_tasks(12))
    settings = ModelsSettings(default=RoleSettings(model="simulated/default"))
    poor = Spent(settings, folder=where.root, seed=3, answer_book=where.root / "tasks")
    report = await run_stage(where, SETTINGS, models=poor)
    assert not report.complete and "budget" in report.notes[-1] and not report.faults
    assert where.attempts.manifest().complete is False
    rows = [len(list(where.attempts.rows()))]
    report = await run_stage(where, SETTINGS, resume="require")
    assert report.complete and rows[0] < report.counts["attempts"]
    assert dataset_bytes(where) == dataset_bytes(made[0])


class Outage(InProcess):
    """A sandbox that is away for a while, again and again."""

    def __init__(self, every: int, length: int):
        super().__init__()
        self.every, self.length, self.asked = every, length, 0

    async def verify(self, spec: Any, submission: Any, state: Any = None):
        self.asked += 1
        if self.asked % self.every < self.length:
            raise SandboxError("no container answers")
        return await super().verify(spec, submission, state)


async def test_what_the_sandbox_broke_is_taken_up_again_and_comes_out_as_if_nothing_had_happened(made, tmp_path):
    where = workspace(tmp_path, sample_tasks(12))
    report = await run_stage(where, SETTINGS, execution=Outage(60, 25))
    assert report.faults["sandbox"] > 3 and "run again to take them up" in report.notes[-1]
    broken = [row for row in where.attempts.rows() if row.outcome == "fault"]
    assert broken and all(not row.strong_scores or row.fault == "sandbox" for row in broken)
    report = await run_stage(where, SETTINGS)
    rows = list(where.attempts.rows())
    assert [row for row in rows if row.outcome == "fault"] == broken  # history
    healed = [row for row in rows if row.outcome != "fault"]
    same = {"retry"}
    expected = [row.model_dump(exclude=same) for row in made[0].attempts.rows()]
    assert [row.model_dump(exclude=same) for row in healed] == expected
    assert list(where.trajectories.rows()) == list(made[0].trajectories.rows())
    assert "run again" not in " ".join(report.notes)
    for name in ("acceptance", "comparison", "scenarios", "cost_by_round", "solver_calls", "full_diagnosis"):
        assert report.details[name] == made[1].details[name]  # history changes no figure but the count of faults
    execution = InProcess()
    report = await run_stage(where, SETTINGS, execution=execution)
    assert execution.ran == 0 and report.usage["calls"] == 0


async def test_an_outage_that_lasts_loses_nothing_and_ends(tmp_path):
    where = workspace(tmp_path, sample_tasks(3))
    settings = SynthesisSettings(rounds=1, null_share=0, outage_tries=5)
    for most in (1, 3, 4, 4):  # one repeat in each run, five tries in all
        report = await run_stage(where, settings, execution=Outage(1, 1))
        tries = [row.retry for row in where.attempts.rows() if row.round == 0 and row.outcome == "fault"]
        assert report.counts["accepted"] == 0 and max(tries) == most
        again = "left alone after 5" if most == 4 else "run again to take them up"
        assert again in report.notes[-1]
    report = await run_stage(where, settings.model_copy(update={"outage_tries": 6}))
    assert set(report.faults) <= {"sandbox", "assistant"} and report.counts.get("ended fault", 0) == 0


async def test_other_settings_are_refused_with_the_difference(made):
    where, _ = made
    with pytest.raises(ResumeError, match="rounds: 3 -> 2"):
        await run_stage(where, SETTINGS.model_copy(update={"rounds": 2}))


async def test_target_keeps_the_shortest_prefix(made, tmp_path):
    where = workspace(tmp_path, sample_tasks(12))
    report = await run_stage(where, SETTINGS.model_copy(update={"target": 5}), concurrency=7)
    assert report.complete and report.counts["accepted"] == 5 and report.counts["items"] < 24
    full = [row.trajectory_id for row in made[0].trajectories.rows()]
    assert [row.trajectory_id for row in where.trajectories.rows()] == full[:5]


async def test_guided_beats_null_with_an_interval_above_zero(tmp_path):
    where = workspace(tmp_path, sample_tasks(36))
    settings = SynthesisSettings(rounds=3, null_share=1.0, confirm_share=0, full_share=0)
    report = await run_stage(where, settings)
    comparison = report.details["comparison"]
    assert comparison["items"] == 36 and comparison["difference"][0] == 0.0
    assert comparison["low"][-1] > 0.0
    first = next(e["outcomes"] for e in report.details["failures"] if (e["arm"], e["round"]) == ("guided", 0))
    failed = {kind: count for kind, count in first.items() if kind != "accepted"}
    assert max(failed, key=lambda kind: failed[kind]) == "too_easy"  # as in the paper


async def test_a_deadline_stops_cleanly_and_can_be_resumed(made, tmp_path):
    where = workspace(tmp_path, sample_tasks(12))
    engine = Engine(EngineSettings(concurrency=4, deadline_s=0.2))
    report = await run_stage(where, SETTINGS, engine=engine)
    assert not report.complete and "deadline" in report.notes[-1] and not report.faults
    report = await run_stage(where, SETTINGS, resume="require")
    assert report.complete and dataset_bytes(where) == dataset_bytes(made[0])


@pytest.mark.parametrize("name", ["multi_turn", "user_models", "executable_verification"])
async def test_ablations_change_what_they_should_and_nothing_else(tmp_path, name):
    where, whole = workspace(tmp_path / "off", sample_tasks(6)), workspace(tmp_path / "on", sample_tasks(6))
    execution = InProcess()
    settings = SynthesisSettings.model_validate({"rounds": 1, "ablation": {name: False}})
    await run_stage(where, settings, execution=execution)
    await run_stage(whole, SynthesisSettings(rounds=1))
    rows = list(where.attempts.rows())
    first = {row.task_id: row for row in whole.attempts.rows() if row.round == row.retry == 0}
    for row in rows:
        base = first[row.task_id]
        assert (row.scenario, row.domain) == (base.scenario, base.domain)  # the same plan
        assert (row.profile_id == base.profile_id) == (name != "user_models")
        assert (row.prompt_id, row.seed) == (base.prompt_id, base.seed) or name == "user_models"
        if name == "executable_verification" and row.round == row.retry == 0 and row.scenario != "bug_iteration":
            assert row.conversation == base.conversation  # only the verdicts are others
    turns = [len(row.turns) for row in rows if row.outcome != "fault"]
    assert (max(turns) == 1) == (name == "multi_turn")
    assert all((row.profile_id == "") == (name == "user_models") for row in rows)
    assert (execution.ran == 0) == (name == "executable_verification")
    assert all("consistency" not in row.checks_json for row in rows) or name != "user_models"


async def test_clear_refusals(tmp_path):
    empty = Workspace(tmp_path / "empty")
    with pytest.raises(WorkspaceError, match="no dataset 'tasks'"):
        await run_stage(empty, SETTINGS)
    where = workspace(tmp_path / "full", sample_tasks(2))
    with pytest.raises(InputError, match="leave nothing to do"):
        await run_stage(where, SETTINGS.model_copy(update={"domains": ("swe",)}))
    where.profiles.write([[]], stage="profile", stage_digest="p", inputs={}, complete=True)
    with pytest.raises(InputError, match="no profile"):
        await run_stage(where, SETTINGS)
    assert profiles()


def test_hidden_canaries_reach_no_accepted_row(tmp_path):
    tasks = [
        task.model_copy(
            update={
                "reference_json": json.dumps(
                    {"code": task.reference["code"] + "\n# CANARY_reference\n", "notes": "CANARY_notes"}
                )
            }
        )
        for task in sample_tasks(8)
    ]
    where = workspace(tmp_path, tasks)
    asyncio.run(run_stage(where, SynthesisSettings(rounds=2)))
    rows = list(where.trajectories.rows())
    assert rows and all("CANARY" not in "".join(message.content for message in row.prompt) for row in rows)


async def test_what_slips_through_the_first_look_is_held_back_at_the_last(tmp_path, monkeypatch):
    """Users that show a line of the reference are accepted where the first look is blind; their rows are not
    written (unless the assistant had shown the line before).
    """
    speak = generator.next_turn

    async def leaking(models: Models, *, task: Any, **options: Any) -> Any:
        reply = await speak(models, task=task, **options)
        if reply.value is None:
            return reply
        line = max(task["reference"]["code"].splitlines(), key=len).strip()
        words = f"{reply.value.utterance}\n{line}" if options["plan"]["last"] else reply.value.utterance
        return reply.model_copy(update={"value": reply.value.model_copy(update={"utterance": words})})

    monkeypatch.setattr(generator, "next_turn", leaking)
    settings = SynthesisSettings(rounds=2, draws=2, null_share=0, confirm_share=0, full_share=0)
    seeing = workspace(tmp_path / "seeing", sample_tasks(8))
    await run_stage(seeing, settings)
    assert sum(row.outcome == "leak" for row in seeing.attempts.rows()) > 5
    monkeypatch.setattr(Secrets, "find", lambda self, conversation: [])
    where = workspace(tmp_path / "blind", sample_tasks(8))
    report = await run_stage(where, settings)
    held = [row for row in where.attempts.rows() if row.outcome == "accepted"]
    dropped = len(held) - len(list(where.trajectories.rows()))
    assert dropped > 2 and f"{dropped} accepted rows were held back by the last look" in " ".join(report.notes)
