"""`autointeract verify serve`: judges for other machines over HTTP.

POST /verify   {format, settings, spec, submission, state} -> a Verdict
PUT  /blobs/D  a test archive whose sha256 is D (asked for with 424)
GET  /health   {status: ok | draining, waiting, room}

Every request but /health needs the token. At most `queue` requests are held; more get 503 with Retry-After. SIGTERM or
Ctrl-C drains: no new work, what is under way is finished; a second signal ends at once. Never logs what it judges.
"""

import asyncio
import contextlib
import hashlib
import hmac
import json
import re
import signal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from autointeract.errors import ConfigError, InputError, SandboxUnavailableError
from autointeract.execution.cache import FORMAT
from autointeract.execution.service import Execution
from autointeract.records import State, StdioFilesSpec, Submission, VerifierSpec, canonical_json

if TYPE_CHECKING:
    from aiohttp import web

MAX_BODY = 64 << 20
MAX_BLOB = 2 << 30
DRAIN_S = 900.0
_SPEC: TypeAdapter[VerifierSpec] = TypeAdapter(VerifierSpec)


class Service:
    """The handlers, and how many requests are held.

    Args:
        execution: judges.
        secret: the token that callers must show; empty = none is asked for.
        queue: requests held at once, those being judged included.
        blobs: folder of test archives; None = specs that need one are refused.
    """

    def __init__(self, execution: Execution, secret: str, queue: int, blobs: Path | None):
        self._execution = execution
        self._secret = secret
        self._queue = queue
        self._blobs = blobs
        self._held = 0
        self._empty = asyncio.Event()
        self.draining = False

    def application(self) -> "web.Application":
        """The aiohttp application; raises ConfigError without aiohttp."""
        try:
            from aiohttp import web
        except ImportError as error:
            raise ConfigError("verify serve needs aiohttp: pip install 'autointeract[pipeline]'") from error
        app = web.Application(client_max_size=MAX_BODY)
        app.add_routes(
            [
                web.get("/health", self._health),
                web.post("/verify", self._verify),
                web.put("/blobs/{digest}", self._blob),
            ]
        )
        return app

    async def drained(self) -> None:
        """Refuses new work and returns when what is under way is done."""
        self.draining = True
        if self._held == 0:
            self._empty.set()
        await self._empty.wait()

    async def _health(self, request: "web.Request") -> "web.Response":
        status = "draining" if self.draining else "ok"
        return _json(200, {"status": status, "waiting": self._held, "room": self._queue - self._held})

    async def _verify(self, request: "web.Request") -> "web.Response":
        if refused := self._refused(request):
            return refused
        if self.draining or self._held >= self._queue:
            why = "draining" if self.draining else "the queue is full"
            return _json(503, {"error": why}, {"Retry-After": "1"})
        self._held += 1
        try:
            return await self._judged(await request.read())
        finally:
            self._held -= 1
            if self.draining and self._held == 0:
                self._empty.set()

    async def _judged(self, body: bytes) -> "web.Response":
        try:
            asked = json.loads(body)
            spec = _SPEC.validate_python(asked["spec"])
            submission = Submission.model_validate(asked["submission"])
            state = State.model_validate(asked["state"]) if asked.get("state") else None
        except (ValueError, TypeError, KeyError, RecursionError, ValidationError) as error:
            return _json(400, {"error": f"not a request to verify: {str(error)[:300]}"})
        ours = {"format": FORMAT, "settings": self._execution.settings.result_view()}
        if canonical_json({key: asked.get(key) for key in ours}) != canonical_json(ours):
            return _json(409, {"error": f"this host judges by other rules: {canonical_json(ours)}"})
        if isinstance(spec, StdioFilesSpec) and self._blobs and not (self._blobs / spec.archive_sha256).is_file():
            return _json(424, {"error": "the test archive is not here", "blob": spec.archive_sha256})
        try:
            verdict = await self._execution.verify(spec, submission, state)
        except SandboxUnavailableError as error:
            return _json(503, {"error": str(error)}, {"Retry-After": "30"})
        except InputError as error:
            return _json(422, {"error": str(error)})
        return _json(200, verdict.model_dump(mode="json"))

    async def _blob(self, request: "web.Request") -> "web.Response":
        if refused := self._refused(request):
            return refused
        digest = request.match_info["digest"]
        if self._blobs is None or not re.fullmatch(r"[0-9a-f]{64}", digest):
            return _json(400, {"error": "no blob folder here, or no sha256"})
        self._blobs.mkdir(parents=True, exist_ok=True)
        part = self._blobs / f".{digest}.{id(request)}.part"
        found, size = hashlib.sha256(), 0
        try:
            with part.open("wb") as file:
                async for chunk in request.content.iter_chunked(1 << 20):
                    size += len(chunk)
                    if size > MAX_BLOB:
                        return _json(413, {"error": f"more than {MAX_BLOB >> 30} GB"})
                    found.update(chunk)
                    file.write(chunk)
            if found.hexdigest() != digest:
                return _json(400, {"error": "the content has another sha256"})
            part.replace(self._blobs / digest)
            return _json(200, {})
        finally:
            part.unlink(missing_ok=True)

    def _refused(self, request: "web.Request") -> "web.Response | None":
        shown = request.headers.get("Authorization", "").removeprefix("Bearer ")
        if self._secret and not hmac.compare_digest(shown.encode(), self._secret.encode()):
            return _json(401, {"error": "wrong or missing token: set execution.remote_token"})
        return None


def _json(status: int, data: dict[str, Any], headers: dict[str, str] | None = None) -> "web.Response":
    from aiohttp import web

    return web.Response(
        status=status, body=canonical_json(data).encode("utf-8", "surrogatepass"), headers=headers,
        content_type="application/json",
    )  # fmt: skip


async def serve(
    execution: Execution, *, host: str, port: int, secret: str, queue: int, blobs: Path | None, ready: Any = None
) -> None:
    """Serves until SIGTERM or SIGINT, then drains.

    Args:
        execution: judges; closed by the caller.
        host: address to listen on; without a token only a loopback address is accepted.
        port: 0 = any free one.
        secret: the token.
        queue: requests held at once.
        blobs: folder of test archives.
        ready: called with the port once it listens.
    """
    if not secret and host not in ("127.0.0.1", "::1", "localhost"):
        raise ConfigError("verify serve without a token listens on 127.0.0.1 only: set AUTOINTERACT_VERIFY_TOKEN")
    from aiohttp import web

    service = Service(execution, secret, queue, blobs)
    runner = web.AppRunner(service.application(), access_log=None, shutdown_timeout=1.0)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
    except OSError as error:
        await runner.cleanup()
        said = f"cannot listen on {host}:{port} ({error.strerror}): take another --host or --port"
        raise ConfigError(said) from error
    stop, now = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()

    def signalled() -> None:
        (now if stop.is_set() else stop).set()

    for number in (signal.SIGTERM, signal.SIGINT):
        with contextlib.suppress(ValueError, RuntimeError):  # not the main thread: the caller ends it
            loop.add_signal_handler(number, signalled)
    if ready is not None:
        ready(runner.addresses[0][1])
    try:
        await stop.wait()
        work = [asyncio.ensure_future(service.drained()), asyncio.ensure_future(now.wait())]
        await asyncio.wait(work, timeout=DRAIN_S, return_when=asyncio.FIRST_COMPLETED)
        for task in work:
            task.cancel()
    finally:
        await runner.cleanup()
