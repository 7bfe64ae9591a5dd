"""Addresses that are no model server's: doctor says so before a run, and a run ends at once with what to change."""

import asyncio
import shutil
import ssl
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from autointeract.errors import ConfigError, ProviderError
from autointeract.models import Call, Models, ModelsSettings, RoleSettings, doctor
from autointeract.models.settings import LimitSettings
from autointeract.records import Message

ASK = [Message(role="user", content="What is it?")]
FAST = LimitSettings(backoff_s=0.002, max_backoff_s=0.02, retries=1)


@asynccontextmanager
async def server(status: int, body: bytes, kind: str = "application/json", tls: ssl.SSLContext | None = None,
                 extra: str = "") -> AsyncIterator[int]:  # fmt: skip
    """Answers everything with one answer; gives its port."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = f"HTTP/1.1 {status} X\r\ncontent-type: {kind}\r\ncontent-length: {len(body)}\r\n{extra}connection: close"
        writer.write(head.encode() + b"\r\n\r\n" + body)
        await writer.drain()
        writer.close()

    listening = await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls)
    try:
        yield listening.sockets[0].getsockname()[1]
    finally:
        listening.close()


def settings(url: str, **more: float) -> ModelsSettings:
    return ModelsSettings(default=RoleSettings(model="m", api_base=url, **more), limits=FAST)  # type: ignore[arg-type]


async def call(folder: Path, chosen: ModelsSettings) -> None:
    async with Models(chosen, folder=folder, seed=0) as models:
        await models.complete("judge", ASK, call=Call(item="i", purpose="test"))


HTML = b"<html><h1>nginx</h1></html>"


@pytest.mark.parametrize(
    ("status", "body", "kind", "extra", "healthy", "error", "text"),
    [
        (404, HTML, "text/html", "", False, ConfigError, "api_base (up to /v1)"),
        (405, b"{}", "application/json", "", False, ConfigError, "api_base (up to /v1)"),
        (301, b"", "text/html", "location: http://127.0.0.1:9/v1\r\n", False, ConfigError, "to where it leads"),
        (200, HTML, "text/html", "", False, ProviderError, "api_base end in /v1"),
        (401, b"{}", "application/json", "", False, ConfigError, "api_key_env"),
        (400, b'{"error": {"message": "no model"}}', "application/json", "", True, ProviderError, "no model"),
    ],
)
async def test_what_is_no_model_server_is_told_from_one(
    tmp_path, status, body, kind, extra, healthy, error, text
) -> None:
    async with server(status, body, kind, extra=extra) as port:
        chosen = settings(f"http://127.0.0.1:{port}/v1")
        findings = await doctor(chosen)
        assert {finding.ok for finding in findings} == {healthy}, findings[0].detail
        assert "\n" not in findings[0].detail
        with pytest.raises(error) as found:
            await call(tmp_path, chosen)
        assert text in str(found.value)


async def test_a_certificate_that_nobody_signed_ends_the_run(tmp_path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("no openssl to make a certificate with")
    words = "req -x509 -newkey rsa:2048 -nodes -keyout k.pem -out c.pem -days 1 -subj /CN=localhost"
    subprocess.run(["openssl", *words.split()], cwd=tmp_path, check=True, capture_output=True)
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "c.pem", tmp_path / "k.pem")
    async with server(200, b"{}", tls=tls) as port:
        chosen = settings(f"https://127.0.0.1:{port}/v1")
        with pytest.raises(ConfigError, match=r"certificate is not valid.*check models\.judge\.api_base"):
            await call(tmp_path, chosen)
        assert not any(finding.ok for finding in await doctor(chosen))


async def test_a_handshake_that_never_ends_is_no_slow_answer(tmp_path) -> None:
    async with server(200, b"{}") as port:
        chosen = settings(f"https://127.0.0.1:{port}/v1", connect_timeout_s=0.2)
        with pytest.raises(ProviderError) as found:
            await asyncio.wait_for(call(tmp_path, chosen), 100)
        assert "600" not in str(found.value)


async def test_a_missing_key_is_said_by_doctor_and_ends_a_run_at_once(tmp_path, monkeypatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY"):
        monkeypatch.delenv(name, raising=False)
    chosen = ModelsSettings(default=RoleSettings(model="openai/gpt-5"), limits=LimitSettings(retries=7))
    assert all("OPENAI_API_KEY is not set" in finding.detail for finding in await doctor(chosen))
    with pytest.raises(ConfigError, match="api_key_env"):
        await asyncio.wait_for(call(tmp_path, chosen), 100)
