"""Remote judging: the same verdicts, several hosts, refusals by name, and outages that never become zeros."""

import asyncio
import hashlib
import socket
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from backends import bubblewrap_or_skip
from pydantic import SecretStr

from autointeract.errors import ConfigError
from autointeract.execution import Execution, ExecutionSettings
from autointeract.execution.serve import Service
from autointeract.records import AssertionsSpec, StdioFilesSpec, Submission

SPEC = AssertionsSpec(entry_point="f", assertions=["assert f(2) == 4", "assert f(3) == 6"])
GOOD = Submission(text="```python\ndef f(x): return x * 2\n```")


@asynccontextmanager
async def host(secret: str = "s", queue: int = 8, port: int = 0, blobs: Path | None = None) -> AsyncIterator[tuple]:
    from aiohttp import web

    bubblewrap_or_skip()
    async with Execution(ExecutionSettings(backend="bubblewrap", lanes=1), blob_path=blobs) as execution:
        service = Service(execution, secret, queue, blobs)
        runner = web.AppRunner(service.application(), access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        try:
            yield f"http://127.0.0.1:{runner.addresses[0][1]}", service
        finally:
            await runner.cleanup()


def remote(*urls: str, secret: str = "s", timeout_s: float = 20.0, **more) -> Execution:
    settings = ExecutionSettings(remote_urls=list(urls), remote_token=SecretStr(secret), remote_timeout_s=timeout_s)
    return Execution(settings, **more)


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return sock.getsockname()[1]


async def test_same_verdict_as_here() -> None:
    async with host() as (url, _), remote(url) as there, Execution(ExecutionSettings(backend="bubblewrap")) as here:
        verdicts = await asyncio.gather(there.verify(SPEC, GOOD), here.verify(SPEC, GOOD))
        first, second = (verdict.model_copy(update={"seconds": 0}) for verdict in verdicts)
        assert first == second and first.score == 1


async def test_wrong_token_and_other_rules_are_named() -> None:
    async with host() as (url, _):
        async with remote(url, secret="x") as there:
            with pytest.raises(ConfigError, match="token"):
                await there.verify(SPEC, GOOD)
        settings = ExecutionSettings(remote_urls=[url], remote_token=SecretStr("s"), ban_words=True)
        async with Execution(settings) as there:
            with pytest.raises(ConfigError, match="other rules"):
                await there.verify(SPEC, GOOD)


async def test_an_outage_is_waited_out_and_never_a_zero() -> None:
    port = free_port()
    async with remote(f"http://127.0.0.1:{port}", timeout_s=1.5) as there:
        verdict = await there.verify(SPEC, GOOD)
        assert (verdict.score, verdict.fault) == (None, "sandbox")
    async with remote(f"http://127.0.0.1:{port}") as there:
        waiting = asyncio.ensure_future(there.verify(SPEC, GOOD))
        await asyncio.sleep(0.5)
        async with host(port=port):
            assert (await waiting).score == 1


async def test_a_dead_host_costs_nothing_where_another_lives() -> None:
    async with host() as (url, _), remote(f"http://127.0.0.1:{free_port()}", url) as there:
        texts = [Submission(text=f"```python\ndef f(x): return x * 2 + 0 * {n}\n```") for n in range(6)]
        verdicts = await there.verify_many([(SPEC, text) for text in texts])
        assert [verdict.score for verdict in verdicts] == [1] * 6


async def test_full_queue_and_draining_are_waited_for() -> None:
    async with host(queue=1) as (url, service), remote(url) as there:
        texts = [Submission(text=f"```python\ndef f(x): return x * 2 + 0 * {n}\n```") for n in range(4)]
        verdicts = await there.verify_many([(SPEC, text) for text in texts])
        assert [verdict.score for verdict in verdicts] == [1] * 4
        await service.drained()
        async with remote(url, timeout_s=1.5) as late:
            assert (await late.verify(SPEC, GOOD)).score is None


async def test_a_fault_there_stays_a_fault_here(monkeypatch: pytest.MonkeyPatch) -> None:
    async with host() as (url, _), remote(url, timeout_s=3) as there:
        monkeypatch.setenv("PATH", "/nonexistent")
        monkeypatch.setattr("autointeract.execution.bubblewrap.binary", lambda: "/bin/false")
        verdict = await there.verify(SPEC, GOOD)
        assert (verdict.score, verdict.fault) == (None, "sandbox")


async def test_archives_are_sent_where_they_are_missing(tmp_path: Path) -> None:
    path = tmp_path / "here" / "x.zip"
    path.parent.mkdir()
    with zipfile.ZipFile(path, "w") as made:
        made.writestr("testdata/1.in", "2 3")
        made.writestr("testdata/1.ans", "5")
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.rename(path.parent / digest)
    spec = StdioFilesSpec(language="python", archive_sha256=digest)
    text = Submission(text="```python\nprint(sum(map(int, input().split())))\n```")
    async with host(blobs=tmp_path / "there") as (url, _), remote(url, blob_path=tmp_path / "here") as there:
        assert (await there.verify(spec, text)).score == 1
    assert (tmp_path / "there" / digest).is_file()
