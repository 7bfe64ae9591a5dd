"""A default instance for callers that do not compose one: `verify` in a running event loop, `verify_sync` anywhere."""

import asyncio
import atexit
import threading

from autointeract.execution.service import Execution
from autointeract.records import State, Submission, Verdict, VerifierSpec

_lock = threading.Lock()
_loop: asyncio.AbstractEventLoop | None = None
_execution: Execution | None = None


async def verify(spec: VerifierSpec, submission: Submission, state: State | None = None) -> Verdict:
    """The verdict, from a default `Execution` that lives in a thread of its own until the process ends."""
    return await asyncio.wrap_future(_submit(spec, submission, state))


def verify_sync(spec: VerifierSpec, submission: Submission, state: State | None = None) -> Verdict:
    """As `verify`, for code without an event loop; any thread may call it."""
    return _submit(spec, submission, state).result()


def _submit(spec: VerifierSpec, submission: Submission, state: State | None):
    loop, execution = _started()
    return asyncio.run_coroutine_threadsafe(execution.verify(spec, submission, state), loop)


def _started() -> tuple[asyncio.AbstractEventLoop, Execution]:
    global _loop, _execution
    with _lock:
        if _loop is None or _execution is None:
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="autointeract-execution", daemon=True).start()
            _loop, _execution = loop, asyncio.run_coroutine_threadsafe(_make(), loop).result()
            atexit.register(_stop)
        return _loop, _execution


async def _make() -> Execution:
    return Execution()


def _stop() -> None:
    global _loop, _execution
    with _lock:
        loop, execution = _loop, _execution
        _loop = _execution = None
    if loop and execution:
        asyncio.run_coroutine_threadsafe(execution.close(), loop).result(timeout=30)
        loop.call_soon_threadsafe(loop.stop)
