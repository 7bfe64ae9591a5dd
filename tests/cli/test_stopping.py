"""Signals and deadlines, sent to the real command: a dead, a silent and a rate-limiting endpoint end promptly, and the
same command goes on.
"""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.models.http_server import HttpServer

from autointeract.models.simulated.scripted import Script, Step, http, say_json
from autointeract.workspace import Workspace

LOG = '{"user": "u1", "messages": [{"role": "user", "content": "%s"}, {"role": "assistant", "content": "Done."}]}\n'
LABEL = {"intent": "create", "reaction": "new_request", "specificity": 2}
LONG_S = 40.0
"""A test that comes near this waited for retries (about 90 s by default) or for an answer that never comes."""
HANG = Step(headers={"x-hang": "1"})


CLI = [sys.executable, "-m", "autointeract"]


@pytest.fixture(scope="module")
def ingested(tmp_path_factory) -> Path:
    """A folder with the workspace `w`, which holds four sessions to label."""
    folder = tmp_path_factory.mktemp("stopping")
    texts = ("add a cache to the page", "fix the failing test", "why is it slow", "rename the module")
    (folder / "log.jsonl").write_text("".join(LOG % text for text in texts))
    done = subprocess.run([*CLI, "ingest", "log.jsonl", "-w", "w"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture
def world(ingested: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(ingested / "w", tmp_path / "w")
    return tmp_path


def words(url: str, *more: str) -> list[str]:
    return [*CLI, "label", "-w", "w", "-c", 'label.labellers=["model"]', "-c", "models.default.model=m", "-c",
            f"models.default.api_base={url}", "-c", "models.default.served_as=one", *more]  # fmt: skip


async def told(
    world: Path, steps: Script, numbers: list[signal.Signals], *more: str, gap_s: float = 0.3
) -> tuple[int, float, str]:
    """(exit code, seconds after the last signal, all output) of `label`, told to stop once the server is asked."""
    async with HttpServer(steps) as server:
        process = await asyncio.create_subprocess_exec(
            *words(server.url, *more), cwd=world, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
        )
        try:
            while not server.log:
                assert process.returncode is None, "it ended before it asked"
                await asyncio.sleep(0.02)
            for number in numbers:
                await asyncio.sleep(gap_s)
                if process.returncode is None:
                    process.send_signal(number)
            begun = time.monotonic()
            out, _ = await asyncio.wait_for(process.communicate(), LONG_S)
        finally:
            if process.returncode is None:
                process.kill()
        assert process.returncode is not None
        return process.returncode, time.monotonic() - begun, out.decode()


@pytest.mark.parametrize(
    ("number", "step"),
    [(signal.SIGINT, http(500)), (signal.SIGTERM, http(429, retry_after=3600)), (signal.SIGINT, Step(broken=True))],
)
async def test_the_first_signal_ends_waiting_and_the_same_command_goes_on(world, step, number):
    code, _, out = await told(world, [step], [number])
    assert code == 3, out
    assert "Traceback" not in out and number.name in out
    async with HttpServer([say_json(LABEL)]) as server:
        again = await asyncio.create_subprocess_exec(*words(server.url), cwd=world, stdout=asyncio.subprocess.PIPE)
        said, _ = await again.communicate()
    assert (again.returncode, b"4 labels" in said) == (0, True), said


async def test_requests_in_flight_have_their_grace(world):
    code, _, out = await told(world, [HANG], [signal.SIGTERM], "-c", "models.grace_s=0.5")
    assert code == 3 and "0.5 s to end" in out


async def test_the_second_signal_drops_them_at_once(world):
    code, _, out = await told(world, [HANG], [signal.SIGINT, signal.SIGINT], "-c", "models.grace_s=3600")
    assert code == 3, out
    assert "Traceback" not in out and "goes on from here" in out


@pytest.mark.parametrize("gap_s", [0.01, 0.1, 0.6])
async def test_many_signals_still_end_with_3(world, gap_s):
    code, _, out = await told(world, [http(500)], [signal.SIGINT] * 4, gap_s=gap_s)
    assert code == 3, out
    assert "Traceback" not in out


async def test_a_deadline_ends_what_waits_for_ever(world):
    async with HttpServer([http(429, retry_after=3600)]) as server:
        process = await asyncio.create_subprocess_exec(
            *words(server.url, "-c", "engine.deadline_s=1"), cwd=world, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await asyncio.wait_for(process.communicate(), LONG_S)
    assert process.returncode == 3
    assert "deadline of 1 s" in out.decode()


def test_a_stage_that_never_lets_the_loop_in_can_be_stopped(tmp_path):
    """The second signal ends it; the first is acknowledged."""
    code = (
        "import time, asyncio\nfrom autointeract import config\nfrom autointeract.cli import runner\n"
        "async def busy(*_):\n    print('busy', flush=True)\n    while True: time.sleep(0.05)\n"
        "work = runner.with_services('ingest', config.load([]), 'auto', busy)\n"
        "runner.exit_with(lambda: asyncio.run(work))"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    process.send_signal(signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None
    process.send_signal(signal.SIGTERM)
    _, err = process.communicate(timeout=LONG_S)
    assert process.returncode == 3
    assert "stopping" in err and "Traceback" not in err


def test_stdout_that_is_closed_is_no_fault(world):
    line = " ".join(f"'{word}'" for word in [*CLI, "status", "-w", "w"])
    done = subprocess.run(f"{line} | head -1; exit ${{PIPESTATUS[0]}}", shell=True, executable="/bin/bash", cwd=world,
                          capture_output=True, text=True, env=dict(os.environ))  # fmt: skip
    assert done.stderr == "" and done.returncode == 0


@pytest.mark.parametrize("how", ["| true", ">&-", ">&- 2>&- <&-", "> /dev/full"])
def test_work_goes_on_where_nobody_reads(world, how):
    line = " ".join(f"'{word}'" for word in [*CLI, "label", "-w", "w"])
    done = subprocess.run(f"{line} {how}; exit ${{PIPESTATUS[0]}}", shell=True, executable="/bin/bash", cwd=world)
    assert done.returncode == 0
    assert Workspace(world / "w").labels.manifest().rows == 4
    assert Workspace(world / "w").load_report("label") is not None
