"""The service around the judges: cache, single flight, order, the sync twin, verbs, and what may be imported."""

import asyncio
import json
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from backends import bubblewrap_or_skip

from autointeract.errors import ConfigError, InputError
from autointeract.execution import Execution, ExecutionSettings, commands, default, doctor, logs, verify_sync
from autointeract.execution.cache import keepable
from autointeract.records import AssertionsSpec, Submission, Verdict

SPEC = AssertionsSpec(entry_point="f", assertions=["assert f(2) == 4"])
GOOD = Submission(text="```python\ndef f(x): return x * 2\n```")


async def test_verdicts_are_remembered_across_instances(bwrap_works: None, tmp_path: Path) -> None:
    path = tmp_path / "cache" / "verdicts.sqlite"
    async with Execution(ExecutionSettings(backend="bubblewrap"), cache_path=path) as first:
        made = await first.verify(SPEC, GOOD)
    async with Execution(ExecutionSettings(backend="docker", docker_host="unix:///none"), cache_path=path) as second:
        assert await second.verify(SPEC, GOOD) == made.model_copy(update={"seconds": 0.0})


def test_only_lasting_verdicts_are_kept() -> None:
    assert keepable(Verdict(score=0.5, details=[{"status": "passed"}, {"status": "failed"}]))
    assert not keepable(Verdict(score=None, fault="sandbox", status="fault"))
    assert not keepable(Verdict(score=0.5, details=[{"status": "passed"}, {"status": "timeout"}]))
    assert not keepable(Verdict(score=0, status="timeout"))


async def test_equal_requests_are_judged_once_and_order_is_kept(bwrap: Execution) -> None:
    codes = [f"def f(x): return x * {n}" for n in (2, 3, 2, 3, 2)]
    requests = [(SPEC, Submission(text=f"```python\n{code}\n```")) for code in codes]
    verdicts = await bwrap.verify_many(requests)
    assert [verdict.score for verdict in verdicts] == [1, 0, 1, 0, 1]
    assert len({id(verdict) for verdict in verdicts}) == 2


async def test_same_answers_at_any_number_of_lanes(bwrap_works: None) -> None:
    code = "import random\nS = {'a', 'b', 'c', 'd'}\ndef f(n): return (random.random(), list(S), n)[n]"
    spec = AssertionsSpec(entry_point="f", assertions=[f"assert f({n}) is None" for n in range(3)] * 3)
    seen = []
    for lanes in (1, 3):
        async with Execution(ExecutionSettings(backend="bubblewrap", lanes=lanes)) as execution:
            texts = [Submission(text=f"```python\n{code}\n# {n % 2}\n```") for n in range(4)]
            seen += [verdict.details for verdict in await execution.verify_many([(spec, text) for text in texts])]
    assert all(details == seen[0] for details in seen)


def test_sync_twin(bwrap_works: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "unix:///none")  # auto then takes bubblewrap
    try:
        assert verify_sync(SPEC, GOOD).score == 1

        async def inside() -> Verdict:
            return await default.verify(SPEC, GOOD)

        assert asyncio.run(inside()).score == 1
    finally:
        default._stop()


async def test_verify_files(bwrap_works: None, tmp_path: Path) -> None:
    spec, answer = tmp_path / "spec.json", tmp_path / "answer.md"
    spec.write_text(SPEC.model_dump_json())
    answer.write_text(GOOD.text or "")
    verdict = await commands.verify_files(spec, answer, settings=ExecutionSettings(backend="bubblewrap"))
    assert verdict.score == 1
    with pytest.raises(InputError, match="missing"):
        await commands.verify_files(spec, tmp_path / "missing")
    spec.write_text(json.dumps({"kind": "dance"}))
    with pytest.raises(InputError, match="^" + re.escape(f"{spec}: verifier spec: ")):
        await commands.verify_files(spec, answer)


async def test_a_port_in_use_is_told(bwrap_works: None) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"cannot listen on 127.0.0.1:{port} .*take another"):
            await commands.serve(ExecutionSettings(backend="bubblewrap"), port=port)


def test_doctor_names_every_backend() -> None:
    names = [finding.name for finding in doctor(ExecutionSettings(docker_host="unix:///none"))]
    assert {"sandbox docker", "sandbox bubblewrap"} <= set(names)
    assert all(line for line in commands.doctor_lines())


def test_how_it_is_run_is_no_part_of_results() -> None:
    assert ExecutionSettings(lanes=7, backend="docker", swe_lanes=9).result_view() == ExecutionSettings().result_view()
    assert ExecutionSettings(ban_words=True).result_view() != ExecutionSettings().result_view()


def test_imports_are_light(root: Path) -> None:
    code = (
        "import sys, autointeract.execution\n"
        "heavy = {'litellm', 'dspy', 'datasets', 'torch', 'pandas', 'docker', 'aiohttp', 'yaml', 'typer'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(root / "pipeline")}
    )
    assert ended.stdout.strip() == "[]", ended.stdout + ended.stderr


def test_logs_of_the_swe_smith_shape() -> None:
    text = (
        "junk PASSED\n>>>>> Start Test Output\ntests/a.py::test_x PASSED   [ 10%]\n"
        "tests/a.py::test_y[one two] FAILED\n[gw1] [ 30%] PASSED tests/b.py::C::test_z\n"
        "ERROR tests/c.py - ImportError: no\n>>>>> End Test Output\n"
    )
    assert logs.parse_pytest_log(text) == {
        "tests/a.py::test_x": "PASSED", "tests/a.py::test_y[one two]": "FAILED", "tests/b.py::C::test_z": "PASSED",
        "tests/c.py": "ERROR",
    }  # fmt: skip
    assert logs.parse_pytest_log(">>>>> Start Test Output\ntests/a.py::t PASSED\n") is None


async def test_real_tasks(shared: Path, bwrap: Execution) -> None:
    bubblewrap_or_skip()
    rows = [json.loads(line) for line in (shared / "tasks" / "humaneval_assertions.jsonl").read_text().splitlines()]
    requests = [
        (
            AssertionsSpec(entry_point=row["entry_point"], assertions=json.loads(row["ground_truth"][0])),
            Submission(text=f"```python\n{row['reference']}\n```"),
        )
        for row in rows
    ]
    verdicts = await bwrap.verify_many(requests)
    assert [row["id"] for row, v in zip(rows, verdicts, strict=True) if v.score != 1 or not v.trusted] == []
