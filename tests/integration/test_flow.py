"""The whole way, as a user walks it: one command, real code paths, and the promises about what comes out."""

import asyncio
import itertools
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import Attempt, SourceTask, Submission, Trajectory, parse_spec
from autointeract.workspace import Workspace

SMALL = ["-c", "tasks.pool.limit=14", "-c", "learn_prompt.max_instances=12", "-c", "synthesize.null_share=0.5"]


def command(workspace: Path, *more: str) -> list[str]:
    words = ["run", "-c", "examples/demo.toml", *SMALL, "-w", str(workspace), *more]
    return [sys.executable, "-m", "autointeract", *words]


def run(root: Path, workspace: Path, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(workspace, *more), cwd=root, capture_output=True, text=True, timeout=300)


def parquet(workspace: Path) -> dict[str, bytes]:
    return {str(path.relative_to(workspace)): path.read_bytes() for path in sorted(workspace.rglob("*.parquet"))}


@pytest.fixture(scope="module")
def finished(root, tmp_path_factory) -> Path:
    """A workspace in which the flow has run once."""
    workspace = tmp_path_factory.mktemp("flow") / "w"
    done = run(root, workspace)
    assert done.returncode == 0, done.stdout + done.stderr
    return workspace


@pytest.fixture(scope="module")
def trajectories(finished) -> list[Trajectory]:
    rows = list(Workspace(finished).trajectories.rows())
    assert rows, "nothing was accepted"
    return rows


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_second_run_with_another_concurrency_gives_the_same_bytes(root, finished, tmp_path):
    done = run(root, tmp_path / "w", "-c", "engine.concurrency=3", "-c", "models.limits.max_in_flight=2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert parquet(tmp_path / "w") == parquet(finished)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_a_run_killed_half_way_and_resumed_gives_the_same_bytes(root, finished, tmp_path):
    workspace = tmp_path / "w"
    journal = workspace / "journal" / "synthesize.jsonl"
    process = subprocess.Popen(command(workspace), cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 200
    while process.poll() is None and time.monotonic() < deadline:
        if journal.exists() and journal.read_bytes().count(b"\n") > 12:
            break
        time.sleep(0.02)
    assert process.poll() is None, "the run ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = journal.read_bytes()
    done = run(root, workspace)
    assert done.returncode == 0, done.stdout + done.stderr
    assert journal.read_bytes().startswith(before[: before.rfind(b"\n") + 1]), "a finished attempt was drawn again"
    assert parquet(workspace) == parquet(finished)


@pytest.mark.slow
@pytest.mark.timeout(400)
def test_ctrl_c_stops_cleanly_and_the_same_command_goes_on(root, finished, tmp_path):
    workspace = tmp_path / "w"
    journal = workspace / "journal" / "synthesize.jsonl"
    process = subprocess.Popen(command(workspace), cwd=root, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 200
    while process.poll() is None and time.monotonic() < deadline and not journal.exists():
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 3, out + err
    assert "Traceback" not in err
    assert "run the same command again" in out + err
    done = run(root, workspace)
    assert done.returncode == 0, done.stdout + done.stderr
    assert parquet(workspace) == parquet(finished)


def test_every_prompt_is_fit_to_train_on(trajectories):
    for row in trajectories:
        roles = [message.role for message in row.prompt]
        assert roles[-1] == "user"
        assert roles[0] == "user"
        assert all(before != after for before, after in itertools.pairwise(roles))
        assert all(message.content.strip() for message in row.prompt)
        assert row.weak_score <= 0.40 + 1e-9  # a mean of binary fractions may end a hair above
        assert row.strong_score >= 0.70 - 1e-9
        assert len(row.weak_scores) == len(row.strong_scores) == 3
        assert row.trajectory_id == Trajectory.make_id(row.prompt, row.verifier_json, row.repo_state)


def test_no_prompt_holds_hidden_assertions_or_the_reference(finished, trajectories):
    tasks = {task.task_id: task for task in Workspace(finished).tasks.rows()}
    for row in trajectories:
        task: SourceTask = tasks[row.source_task_id]
        assert row.verifier_json == task.verifier_json
        shown = " ".join(" ".join(message.content.split()) for message in row.prompt if message.role == "user")
        assertions = json.loads(task.verifier_json)["assertions"]
        quoted = [text for text in assertions if text.removeprefix("assert ").strip() in shown]
        allowed = 2 if row.scenario == "bug_iteration" else 0
        assert len([text for text in quoted if text not in task.public_cases]) <= min(allowed, len(assertions) / 5)
        body = [line.strip() for line in task.reference["code"].split("\n")[1:] if len(line.strip()) > 25]
        assert not [line for line in body if line in shown]


def test_verifying_again_gives_the_stored_scores(finished, trajectories):
    ids = {
        (row.source_task_id, row.profile_id, tuple(row.weak_scores), tuple(row.strong_scores)) for row in trajectories
    }
    accepted: list[Attempt] = [
        row
        for row in Workspace(finished).attempts.rows()
        if row.outcome == "accepted"
        and (row.task_id, row.profile_id, tuple(row.weak_scores), tuple(row.strong_scores)) in ids
    ]
    assert len(accepted) >= len(trajectories)
    specs = {row.source_task_id: row.verifier_json for row in trajectories}

    async def again() -> None:
        async with Execution(ExecutionSettings(), cache_path=None, blob_path=None, run_id="again") as execution:
            for row in accepted:
                answers = [answer for answer in json.loads(row.responses_json) if answer["role"] in ("weak", "strong")]
                spec = parse_spec(specs[row.task_id])
                verdicts = await execution.verify_many([(spec, Submission(text=answer["text"])) for answer in answers])
                for answer, verdict in zip(answers, verdicts, strict=True):
                    assert verdict.score == answer["verdict"]["score"]

    asyncio.run(again())


def test_rows_say_that_they_are_simulated(trajectories):
    for row in trajectories:
        assert all(entry["simulated"] for entry in json.loads(row.models_json).values())


def test_planted_private_strings_are_nowhere_in_the_workspace(root, finished):
    canaries = json.loads((root / "data/sample/logs/traits.json").read_text())["canaries"]
    values = re.findall(r"[\w.+-]+@example\.org|sk-test-\w+|AKIA\w+", " ".join(entry["text"] for entry in canaries))
    assert len(values) >= 3
    for path in finished.rglob("*"):
        if path.is_file() and path.suffix != ".parquet":
            data = path.read_bytes()
            assert not [value for value in values if value.encode() in data], path
    for row in Workspace(finished).sessions.rows():
        text = row.model_dump_json()
        assert not [value for value in values if value in text]


@pytest.mark.slow
@pytest.mark.timeout(500)
def test_the_job_runs_on_real_logs_and_tasks(root, shared, tmp_path):
    words = [
        "run", "-c", "examples/real.toml", "-w", str(tmp_path / "w"), "-c", f'logs.paths=["{shared}/logs/claude_code"]',
        "-c", f'tasks.sources=["{shared}/tasks/humaneval_assertions.jsonl"]', "-c", "tasks.pool.limit=25",
    ]  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "autointeract", *words], cwd=root, capture_output=True, text=True, timeout=400,
        env=os.environ | {"NO_COLOR": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    workspace = Workspace(tmp_path / "w")
    assert len({row.user_id for row in workspace.sessions.rows()}) == 6
    assert len(list(workspace.trajectories.rows())) >= 3
    assert "3 of 6 users have one session" in done.stdout
    page = (tmp_path / "w" / "reports" / "index.html").read_text()
    assert "3 of 6 users have one session" in page
