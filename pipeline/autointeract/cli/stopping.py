"""What a stop does: the first SIGINT or SIGTERM, the second, and a deadline.

The first signal stops the intake and every model call that waits; requests in flight may take `models.grace_s` to end,
and what they bring is kept. The second drops all at once, the third does not even clean up (sandboxes of a killed run
end by themselves). All leave a workspace that the same command goes on from.
A deadline (`engine.deadline_s`) does to a stage what the first signal does to the run.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

LAST_S = 10.0
"""After the second signal, sandboxes and threads have this long to end; then the process ends without them."""
SIGNALS = (signal.SIGINT, signal.SIGTERM)


@contextmanager
def signals(engine: Any, models: Any, grace_s: float) -> Iterator[None]:
    """Handles the signals for the block; on the main thread, with a running loop.

    Handlers are Python's own, not the loop's, so that a stage that computes without letting the loop in can be stopped.
    """
    loop = asyncio.get_running_loop()
    seen: list[int] = []

    def stop(name: str) -> None:
        engine.request_stop(name)
        models.halt(f"stopped by {name}; the same command goes on from here")

    def on_signal(number: int, _: FrameType | None) -> None:
        seen.append(number)
        if len(seen) == 1:
            # os.write, because the signal may have come in the middle of a print.
            _say(f"stopping: what is in flight has {grace_s:g} s to end (once more to drop it)")
            loop.call_soon_threadsafe(stop, signal.Signals(number).name)
            return
        if len(seen) > 2:
            _leave()
        _leave_later()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, on_signal) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, _after_stop if seen else handler)


@contextmanager
def deadline(models: Any, seconds: float | None) -> Iterator[None]:
    """Halts the model calls of one stage after `seconds`; the engine stops the intake by itself."""
    if seconds is None:
        yield
        return
    passed: list[bool] = []

    def stop() -> None:
        passed.append(True)
        models.halt(f"deadline of {seconds:g} s; the same command goes on from here")

    timer = asyncio.get_running_loop().call_later(seconds, stop)
    try:
        yield
    finally:
        timer.cancel()
        if passed:
            models.halt(None)


def seal() -> None:
    """Called last: after a stop, signals no longer change the exit code (Python would die of them while it shuts down),
    and threads that do not end are left behind.
    """
    if getattr(signal.getsignal(signal.SIGINT), "__name__", "") == _after_stop.__name__:
        for number in SIGNALS:
            signal.signal(number, signal.SIG_IGN)
        _leave_later()


def _after_stop(*_: object) -> None:
    """Handler while things are closed: all is written by now."""
    _leave()


def _leave_later() -> None:
    last = threading.Timer(LAST_S, _leave)
    last.daemon = True
    last.start()


def _leave() -> None:
    _say("autointeract: interrupted; the same command goes on from here")
    os._exit(3)


def _say(text: str) -> None:
    try:
        os.write(sys.stderr.fileno(), f"{text}\n".encode())
    except (OSError, ValueError, AttributeError):  # nobody listens; the stop matters more
        pass
