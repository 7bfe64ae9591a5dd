"""Faults of the machinery: the score is unknown or had again, never 0; nothing is left behind."""

import asyncio
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from engine_proxy import EngineProxy

from autointeract.errors import SandboxUnavailableError
from autointeract.execution import Execution, ExecutionSettings, bubblewrap, containers
from autointeract.records import AssertionsSpec, PytestSpec, State, Submission, Verdict

SPEC = AssertionsSpec(entry_point="f", assertions=["assert f(2) == 4"], time_limit_s=5)
SLOW = "import time\ndef f(x):\n    time.sleep(1.5)\n    return x * 2"
RUN = """
import asyncio, sys
from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import AssertionsSpec, Submission
async def main():
    spec = AssertionsSpec(entry_point="f", assertions=["assert f(2) == 4"] * 50, time_limit_s=60)
    text = "```python\\nimport time\\ndef f(x): time.sleep(50)\\n```"
    settings = ExecutionSettings(backend=sys.argv[1], lanes=1)
    async with Execution(settings, run_id=sys.argv[2]) as execution:
        quick = AssertionsSpec(entry_point="f", assertions=["assert f(2) == 2"])
        await execution.verify(quick, Submission(text="```python\\ndef f(x): return x\\n```"))
        print("ready", flush=True)
        await execution.verify(spec, Submission(text=text))
asyncio.run(main())
"""


async def judge(execution: Execution, code: str) -> Verdict:
    return await execution.verify(SPEC, Submission(text=f"```python\n{code}\n```"))


def below(pid: int) -> list[int]:
    """All processes below one."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid="], capture_output=True, text=True, check=True).stdout.split()
    parents = dict(zip(map(int, listed[::2]), map(int, listed[1::2]), strict=True))
    found, new = [], [pid]
    while new:
        new = [child for child, parent in parents.items() if parent in new]
        found += new
    return found


def kill_all(role: str) -> None:
    """Kills every process of that role that this test started."""
    for pid in below(os.getpid()):
        try:
            words = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
            if role in words:
                os.kill(pid, signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass  # ended meanwhile


async def test_a_killed_lane_is_replaced_and_the_verdict_had_again(bwrap: Execution) -> None:
    assert (await judge(bwrap, "def f(x): return x * 2")).score == 1
    waiting = asyncio.ensure_future(judge(bwrap, SLOW))
    await asyncio.sleep(0.5)
    kill_all("router")
    assert (await waiting).score == 1
    waiting = asyncio.ensure_future(judge(bwrap, SLOW + "\n"))
    await asyncio.sleep(0.7)
    kill_all("server")  # as when the kernel's out-of-memory killer takes them
    assert (await waiting).score == 1


async def test_lanes_that_never_hold_give_no_score(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "works", lambda: None)
    monkeypatch.setattr("autointeract.execution.choose.works", lambda: None)
    monkeypatch.setattr(bubblewrap, "binary", lambda: "/bin/false")
    async with Execution(ExecutionSettings(backend="bubblewrap", lanes=1)) as execution:
        verdict = await judge(execution, "def f(x): return x * 2")
        assert (verdict.score, verdict.status, verdict.fault) == (None, "fault", "sandbox")


@pytest.mark.docker
async def test_removed_containers_are_replaced(docker: Execution, docker_engine: str) -> None:
    assert (await judge(docker, "def f(x): return x * 2")).score == 1
    waiting = asyncio.ensure_future(judge(docker, SLOW))
    await asyncio.sleep(0.5)
    for name in _containers(docker.run_id):
        subprocess.run(["docker", "rm", "-f", name], check=True, capture_output=True)
    assert (await waiting).score == 1


@pytest.mark.docker
async def test_a_killed_router_in_its_container_is_replaced(docker: Execution, docker_engine: str) -> None:
    assert (await judge(docker, "def f(x): return x * 2")).score == 1
    waiting = asyncio.ensure_future(judge(docker, SLOW))
    await asyncio.sleep(0.5)
    for name in _containers(docker.run_id):
        subprocess.run(["docker", "kill", name], check=True, capture_output=True)
    assert (await waiting).score == 1


async def test_no_engine_is_said_with_the_remedy() -> None:
    settings = ExecutionSettings(backend="docker", docker_host="unix:///nonexistent.sock")
    async with Execution(settings) as execution:
        with pytest.raises(SandboxUnavailableError, match="sandbox build"):
            await judge(execution, "def f(x): return x")


@pytest.mark.docker
async def test_an_engine_that_dies_while_judging_gives_no_score_until_it_is_back(
    docker_engine: str, tmp_path: Path
) -> None:
    proxy = EngineProxy(tmp_path / "engine.sock", docker_engine)
    settings = ExecutionSettings(backend="docker", docker_host=proxy.address, lanes=1)
    async with Execution(settings) as execution:
        assert (await judge(execution, "def f(x): return x * 2")).score == 1
        waiting = asyncio.ensure_future(judge(execution, SLOW))
        await asyncio.sleep(0.7)
        proxy.die()
        verdict = await asyncio.wait_for(waiting, 120)
        assert (verdict.score, verdict.fault) == (None, "sandbox")
        proxy.revive()
        assert (await judge(execution, "def f(x): return x + x")).score == 1
    proxy.die()


@pytest.mark.docker
async def test_a_missing_task_image_is_a_fault(docker: Execution) -> None:
    spec = PytestSpec(fail_to_pass=["a.py::a"], pass_to_pass=[])
    verdict = await docker.verify(spec, Submission(patch=""), State(image="autointeract-no-such-image:1"))
    assert (verdict.score, verdict.fault) == (None, "sandbox")


def _containers(run_id: str) -> list[str]:
    label = f"label={containers.RUN_LABEL}={run_id}"
    return subprocess.run(
        ["docker", "ps", "-aq", "--filter", label], capture_output=True, text=True, check=True
    ).stdout.split()


def _gone(check, seconds: float = 15) -> bool:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if not check():
            return True
        time.sleep(0.1)
    return False


@pytest.mark.parametrize("how", ["SIGINT", "SIGINT twice", "SIGTERM", "SIGKILL"])
@pytest.mark.parametrize("backend", ["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def test_nothing_survives_its_owner(backend: str, how: str, root: Path, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue("docker_engine" if backend == "docker" else "bwrap_works")
    run_id = f"test{os.getpid()}{how.replace(' ', '')}"
    process = subprocess.Popen(
        [sys.executable, "-c", RUN, backend, run_id], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env={**os.environ, "PYTHONPATH": str(root / "pipeline")},
        # A test run started in the background inherits an ignored SIGINT, and would hand it on.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )  # fmt: skip
    assert process.stdout is not None and process.stdout.readline().strip() == "ready"
    time.sleep(0.3)
    family = below(process.pid)
    assert family if backend == "bubblewrap" else _containers(run_id)
    process.send_signal(getattr(signal, how.split()[0]))
    if how.endswith("twice"):
        time.sleep(0.05)
        process.send_signal(signal.SIGINT)
    process.wait(timeout=30)
    assert _gone(lambda: any(Path(f"/proc/{pid}").exists() for pid in family)), [
        Path(f"/proc/{pid}/cmdline").read_text() for pid in family if Path(f"/proc/{pid}").exists()
    ]
    if backend == "docker":
        assert _gone(lambda: _containers(run_id))


@pytest.mark.docker
def test_sweep_removes_what_a_killed_owner_left_and_nothing_else(docker_engine: str) -> None:
    import docker

    client = docker.DockerClient(base_url=docker_engine)
    gone = {containers.RUN_LABEL: "swept", containers.OWNER_LABEL: containers.labels("x")[containers.OWNER_LABEL] + "0"}
    left = client.containers.create("autointeract-python:latest", ["sleep", "60"], labels=gone)
    ours = client.containers.create("autointeract-python:latest", ["sleep", "60"], labels=containers.labels("kept"))
    try:
        removed = containers.sweep(ExecutionSettings(docker_host=docker_engine))
        assert left.name in removed and ours.name not in removed
    finally:
        for one in (ours, left):
            try:
                one.remove(force=True)
            except docker.errors.NotFound:  # type: ignore[attr-defined]
                pass
        client.close()
