"""The small real model serves the whole `run`, killed and resumed once. Shapes only: what it says is worth nothing."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from autointeract.models.ledger import read_lines
from autointeract.models.local_server import LocalServer

TINY = [
    "synthesize.items=2", "synthesize.rounds=0", "synthesize.null_share=0", "synthesize.confirm_share=0",
    "synthesize.full_share=0", "synthesize.fault_retries=0", "synthesize.band.samples=1",
    "learn_prompt.max_instances=2", "learn_prompt.judge_checks=0",
    "learn_prompt.judge_repeats=1", "profile.revisions=0", "engine.concurrency=2",
    "models.default.max_tokens=48", "models.default.context_tokens=4096", "models.default.timeout_s=900",
    "models.budget.tokens=2000000",
]  # fmt: skip
USERS = ("bapapa",)


def command(root: Path, workspace: Path, server: LocalServer) -> list[str]:
    paths = json.dumps([str(root / "data" / "sample" / "logs" / user) for user in USERS])
    tasks = f'tasks.sources=[{{path="{root / "data" / "sample" / "tasks.jsonl"}", limit=2}}]'
    model = [
        tasks,
        f"models.default.model={server.alias}",
        f"models.default.api_base={server.url}",
        f"logs.paths={paths}",
    ]
    words = [word for setting in [*model, *TINY] for word in ("-c", setting)]
    program = "from autointeract.cli import main; main()"
    return [
        sys.executable,
        "-c",
        program,
        "run",
        "-c",
        str(root / "examples" / "demo.toml"),
        *words,
        "-w",
        str(workspace),
    ]


def keys(workspace: Path) -> dict[str, list[str]]:
    """Journal lines by stage, whole ones only."""
    return {path.name: path.read_bytes().decode().split("\n")[:-1] for path in (workspace / "journal").glob("*.jsonl")}


@pytest.mark.skipif(
    os.environ.get("AUTOINTERACT_REQUIRE_LOCAL") != "1",
    reason="minutes long: set AUTOINTERACT_REQUIRE_LOCAL=1 (CI does)",
)
@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_the_whole_run_on_a_real_model_killed_and_resumed(root: Path, local_model: LocalServer, tmp_path: Path) -> None:
    workspace = tmp_path / "w"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    first = subprocess.Popen(command(root, workspace, local_model), cwd=root, env=environment, start_new_session=True,
                             stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)  # fmt: skip
    end = time.monotonic() + 1500
    while time.monotonic() < end and first.poll() is None:
        if sum(len(read_lines(path)) for path in (workspace / "ledger").glob("*.jsonl")) >= 3:
            break
        time.sleep(0.2)
    assert first.poll() is None, (first.stderr and first.stderr.read().decode()[-3000:]) or "it ended before the kill"
    os.killpg(first.pid, signal.SIGKILL)
    first.wait()
    before = keys(workspace)
    paid = sum(len(read_lines(path)) for path in (workspace / "ledger").glob("*.jsonl"))
    assert paid > 0 and before

    second = subprocess.run(command(root, workspace, local_model), cwd=root, env=environment, timeout=1800,
                            capture_output=True, text=True)  # fmt: skip
    # 2 where the small model brought no accepted conversation, and only there.
    accepted = sum(pq.read_table(part).num_rows for part in (workspace / "trajectories").glob("part-*.parquet"))
    told = second.stderr[-3000:] + second.stdout[-1000:]
    assert second.returncode == (0 if accepted else 2), told
    assert accepted or "no conversation was accepted" in second.stderr, told
    after = keys(workspace)
    for name, lines in before.items():
        assert after[name][: len(lines)] == lines, f"{name}: finished work was done again"
    attempts = [
        row for part in (workspace / "attempts").glob("part-*.parquet") for row in pq.read_table(part).to_pylist()
    ]
    assert attempts and {row["outcome"] for row in attempts} <= {
        "accepted", "too_easy", "too_hard", "leak", "invalid", "unrealistic", "incoherent", "inconsistent", "fault",
    }  # fmt: skip
    assert all(row["conversation"] or row["fault"] for row in attempts)
    lines = [line for path in (workspace / "ledger").glob("*.jsonl") for line in read_lines(path)]
    assert {line["role"] for line in lines} >= {"simulator", "judge", "writer"}
    assert (workspace / "reports" / "index.html").stat().st_size > 1000
