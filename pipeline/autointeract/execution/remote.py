"""The remote backend: the same verdicts from hosts that run `autointeract verify serve`.

An outage is waited out and other hosts are tried; when none answers in time the score is unknown (SandboxError), never
0. Standard library only, so that it works inside a trainer's process.
"""

import asyncio
import http.client
import json
import os
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from autointeract.errors import ConfigError, InputError, SandboxError
from autointeract.execution.cache import FORMAT
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import State, Submission, Verdict, VerifierSpec, canonical_json

TOKEN_VARIABLE = "AUTOINTERACT_VERIFY_TOKEN"
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
CONNECTIONS = 64


def token(settings: ExecutionSettings) -> str:
    """The shared secret; empty if none is set."""
    if settings.remote_token is not None:
        return settings.remote_token.get_secret_value()
    return os.environ.get(TOKEN_VARIABLE, "")


def health(url: str, timeout_s: float = 5.0) -> str:
    """`ok`, or what is wrong with a host, in a few words; never raises."""
    try:
        status, body, _ = _request(url, "GET", "/health", b"", "", timeout_s)
        return str(json.loads(body).get("status", f"HTTP {status}"))
    except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
        return f"{type(error).__name__}: {error}"


@dataclass
class _Host:
    url: str
    busy: int = 0
    pause_s: float = 0.0
    down_until: float = 0.0
    trouble: list[str] = field(default_factory=list)

    def failed(self, why: str, retry_after: float | None = None) -> None:
        """Leaves the host alone for a while, longer each time."""
        self.pause_s = min(LONGEST_PAUSE_S, self.pause_s * 2 or FIRST_PAUSE_S)
        self.down_until = time.monotonic() + (self.pause_s if retry_after is None else retry_after)
        self.trouble = [why]


class RemoteJudge:
    """Sends each submission to the least busy host that is not known to be down."""

    def __init__(self, settings: ExecutionSettings, blob_path: Path | None):
        if not settings.remote_urls:
            raise ConfigError("execution.backend is remote, but execution.remote_urls is empty")
        for url in settings.remote_urls:
            if urlsplit(url).scheme not in ("http", "https") or not urlsplit(url).hostname:
                raise ConfigError(f"execution.remote_urls: {url!r} is no http(s) address")
        self._settings = settings
        self._blob_path = blob_path
        self._hosts = [_Host(url.rstrip("/")) for url in settings.remote_urls]
        self._token = token(settings)
        self._threads = ThreadPoolExecutor(CONNECTIONS, "autointeract-remote")

    async def judge(self, spec: VerifierSpec, submission: Submission, state: State | None) -> Verdict:
        """The verdict of some host; raises as `Judge.judge` says."""
        body = canonical_json(
            {
                "format": FORMAT, "settings": self._settings.result_view(), "spec": spec.model_dump(mode="json"),
                "submission": submission.model_dump(mode="json"),
                "state": state.model_dump(mode="json") if state else None,
            }
        ).encode("utf-8", "surrogatepass")  # fmt: skip
        give_up = time.monotonic() + self._settings.remote_timeout_s
        faults = 0
        while (left := give_up - time.monotonic()) > 0:
            host = min(self._hosts, key=lambda one: (one.down_until > time.monotonic(), one.busy, one.down_until))
            wait = host.down_until - time.monotonic()
            if wait > 0:
                await asyncio.sleep(min(wait, left, 1.0))
                continue
            verdict = await self._once(host, body, left)
            if verdict is None:
                continue
            if verdict.fault == "sandbox" and faults < self._settings.retries:
                faults += 1  # the host is there, its sandbox is not: elsewhere it may be
                host.failed("its sandbox fails")
                continue
            return verdict
        reasons = "; ".join(f"{host.url}: {host.trouble[-1] if host.trouble else 'busy'}" for host in self._hosts)
        raise SandboxError(f"no host gave a verdict within {self._settings.remote_timeout_s:.0f} s ({reasons})")

    async def _once(self, host: _Host, body: bytes, limit_s: float) -> Verdict | None:
        host.busy += 1
        try:
            status, data, retry_after = await self._send(host, "POST", "/verify", body, limit_s)
            answer = json.loads(data)
            if not isinstance(answer, dict):
                raise ValueError("no JSON object")
        except (OSError, ValueError, http.client.HTTPException) as error:
            host.failed(f"{type(error).__name__}: {str(error)[:200]}")
            return None
        finally:
            host.busy -= 1
        if status == 200:
            host.pause_s = 0.0
            return Verdict.model_validate(answer)
        message = str(answer.get("error", ""))[:500]
        if status == 424 and await self._upload(host, str(answer.get("blob")), limit_s):
            return None
        if status in (401, 403, 409):
            raise ConfigError(f"{host.url}: {message}")
        if status in (400, 413, 422, 424):
            raise InputError(f"{host.url}: {message}")
        host.failed(f"HTTP {status} {message}", retry_after)
        return None

    async def _upload(self, host: _Host, digest: str, limit_s: float) -> bool:
        from autointeract.execution import archive

        path = await asyncio.to_thread(archive.find, digest, self._blob_path)
        data = await asyncio.to_thread(path.read_bytes)
        try:
            status, _, _ = await self._send(host, "PUT", f"/blobs/{digest}", data, limit_s)
        except (OSError, http.client.HTTPException) as error:
            host.failed(f"{type(error).__name__}: {str(error)[:200]}")
            return True
        return status == 200

    async def _send(self, host: _Host, method: str, path: str, body: bytes, limit_s: float) -> Any:
        loop = asyncio.get_running_loop()
        call = (_request, host.url, method, path, body, self._token, limit_s)
        return await loop.run_in_executor(self._threads, *call)

    async def close(self) -> None:
        """Lets go of the connections; what is under way on hosts ends there by itself."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _request(
    url: str, method: str, path: str, body: bytes, secret: str, timeout_s: float
) -> tuple[int, bytes, float | None]:
    """(status, body, Retry-After) of one exchange; raises OSError, ValueError or HTTPException."""
    parts = urlsplit(url)
    make = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    options: dict[str, Any] = {"context": ssl.create_default_context()} if parts.scheme == "https" else {}
    connection = make(parts.hostname or "", parts.port, timeout=timeout_s, **options)
    headers = {"Content-Type": "application/json"} | ({"Authorization": f"Bearer {secret}"} if secret else {})
    try:
        connection.request(method, parts.path.rstrip("/") + path, body, headers)
        response = connection.getresponse()
        wait = response.headers.get("Retry-After", "")
        return response.status, response.read(), float(wait) if wait.isdigit() else None
    finally:
        connection.close()
