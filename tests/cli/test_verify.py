"""`verify` on files, and `verify serve` as another machine uses it, told to stop in the middle of a judgement."""

import asyncio
import json
import os
import signal
import subprocess
import sys

import pytest

from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import AssertionsSpec, Submission

SPEC = AssertionsSpec(entry_point="f", assertions=["assert f(2) == 4", "assert f(3) == 6"], time_limit_s=10)
COMMAND = [sys.executable, "-m", "autointeract", "verify"]


def answer(code: str) -> str:
    return f"```python\n{code}\n```"


@pytest.mark.parametrize(
    ("code", "score"), [("def f(x):\n    return x * 2", 1.0), ("def f(x):\n    return 4", 0.5), ("", 0.0)]
)
def test_a_response_is_judged_and_printed_as_one_json_line(tmp_path, code, score):
    (tmp_path / "spec.json").write_text(SPEC.model_dump_json())
    (tmp_path / "response.md").write_text(answer(code))
    words = [*COMMAND, "--spec", "spec.json", "--response", "response.md"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=100)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("\n") == 1
    assert json.loads(done.stdout)["score"] == score


@pytest.mark.parametrize(
    ("spec", "text"), [("{}", "kind"), ('{"kind": "assertions"}', "assertions"), (None, "spec.json: No such file")]
)
def test_a_wrong_spec_is_named(tmp_path, spec, text):
    if spec is not None:
        (tmp_path / "spec.json").write_text(spec)
    (tmp_path / "response.md").write_text("x")
    words = [*COMMAND, "--spec", "spec.json", "--response", "response.md"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path, timeout=100)
    assert done.returncode == 2
    assert text in done.stderr
    assert "Traceback" not in done.stderr


async def test_a_served_judgement_under_way_is_finished_before_the_server_ends(tmp_path):
    environment = {**os.environ, "AUTOINTERACT_VERIFY_TOKEN": "a-token-for-this-test"}
    server = subprocess.Popen(
        [*COMMAND, "serve", "--port", "0", "-c", "execution.lanes=1"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        text=True, env=environment, cwd=tmp_path,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        address = (await asyncio.to_thread(server.stdout.readline)).split()[-1]
        os.environ["AUTOINTERACT_VERIFY_TOKEN"] = environment["AUTOINTERACT_VERIFY_TOKEN"]
        async with Execution(ExecutionSettings(backend="remote", remote_urls=[address])) as execution:
            quick = await execution.verify(SPEC, Submission(text=answer("def f(x):\n    return x + x")))
            assert quick.score == 1
            slow = answer("import time\ndef f(x):\n    time.sleep(1)\n    return x * 2")
            waiting = asyncio.ensure_future(execution.verify(SPEC, Submission(text=slow)))
            await asyncio.sleep(0.7)
            server.send_signal(signal.SIGTERM)
            assert (await waiting).score == 1
        assert await asyncio.to_thread(server.wait, 30) == 0, server.stderr and server.stderr.read()
    finally:
        os.environ.pop("AUTOINTERACT_VERIFY_TOKEN", None)
        server.kill()
        server.wait()
