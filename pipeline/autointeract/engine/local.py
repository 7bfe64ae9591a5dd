"""Engine: runs the owed items of a plan on one event loop, a bounded number at a time.

The engine decides when items run, never what comes out: results are handed to `done` as they finish and order is
restored from the plan by the workspace. A spent budget, a passed deadline or a signal stops the intake, lets what is in
flight finish or be cancelled, and is reported as `Stop`.

The loop must never stand still for long, or slots of an endpoint stay empty: items are begun one a turn of the loop,
and while they run the garbage collector leaves alone what was there before.
"""

import asyncio
import gc
import math
import time
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from pydantic import Field

from autointeract.errors import StoppedError
from autointeract.records import RUN_ONLY, Record, SettingsModel

T = TypeVar("T")
DEFAULT_CONCURRENCY = 64
_GC_THRESHOLDS = (20_000, 20, 20)
"""Objects between collections: with Python's own (700, 10, 10) a full collection stopped the loop for 0.3 s at a
time, and all of them took a tenth of a run (measured with 384 conversations in flight)."""
Progress = Callable[[int, int], None]


class EngineSettings(SettingsModel):
    """How items are run; nothing here changes results."""

    concurrency: Annotated[int | None, RUN_ONLY] = Field(default=None, ge=1)
    """Items in flight at once; null = what the stage needs to keep the endpoints full, 64 where it does not say. Calls
    are limited per endpoint by the models' limiter, not here."""
    deadline_s: Annotated[float | None, RUN_ONLY] = Field(default=None, gt=0)
    """Stop cleanly after this many seconds of a stage; null = no deadline."""


class Stop(Record):
    """Why a stage ended before its plan did."""

    reason: str


class Engine:
    """Runs items; one per process.

    Attributes:
        settings: concurrency and deadline.
        progress: called with (finished, total) after each item, or null.
    """

    def __init__(self, settings: EngineSettings, progress: Progress | None = None):
        self.settings = settings
        self.progress = progress
        self._stop_reason: str | None = None
        self._started = math.inf

    @property
    def stopping(self) -> bool:
        """Whether nothing new should begin: a stop was asked for, or the deadline of the latest map has passed. May be
        asked from any thread."""
        return self._why_stop(self._started) is not None

    def request_stop(self, reason: str) -> None:
        """Asks the running map to take no further items (signal handlers call this)."""
        self._stop_reason = reason

    async def map(
        self, items: Iterable[T], work: Callable[[T], Awaitable[Any]], done: Callable[[T, Any], bool | None],
        total: int | None = None, wanted: int = DEFAULT_CONCURRENCY,
    ) -> Stop | None:  # fmt: skip
        """Runs `work` on every item, at most `concurrency` at once, drawing items only when there is room.

        Args:
            done: called on the event loop with (item, result) as each finishes; returning True says that nothing more
                is needed: no item is drawn any more, and what is in flight is cancelled.
            total: for progress alone.
            wanted: items in flight at once where the settings leave it open.

        Returns:
            null when every item was run, else why not. `StoppedError` from `work` (a spent budget is one) takes no
            further item; any other exception cancels what is in flight and is raised.
        """
        with _calm_collector():
            return await self._map(iter(items), work, done, total, self.settings.concurrency or wanted)

    async def _map(
        self, source: Iterator[T], work: Callable[[T], Awaitable[Any]], done: Callable[[T, Any], bool | None],
        total: int | None, most: int,
    ) -> Stop | None:  # fmt: skip
        started = self._started = time.monotonic()
        running: dict[asyncio.Task[Any], T] = {}
        ended: asyncio.Queue[asyncio.Task[Any]] = asyncio.Queue()
        finished, exhausted, stop = 0, False, None
        try:
            while True:
                stop = stop or self._why_stop(started)
                if stop is None and not exhausted and len(running) < most:
                    try:
                        item = next(source)
                    except StopIteration:
                        exhausted = True
                        continue
                    task = asyncio.ensure_future(work(item))
                    running[task] = item
                    task.add_done_callback(ended.put_nowait)
                    await asyncio.sleep(0)  # or many beginnings in a row would keep replies and timers waiting
                elif not running:
                    return stop
                elif ended.empty():
                    await _wait(ended, 0.5)
                while not ended.empty():
                    task = ended.get_nowait()
                    item = running.pop(task)
                    try:
                        result = task.result()
                    except StoppedError as error:
                        stop = Stop(reason=str(error))
                        continue
                    enough = done(item, result)
                    finished += 1
                    if self.progress:
                        self.progress(finished, total if total is not None else finished)
                    if enough:
                        return stop
        finally:
            for task in running:
                task.cancel()
            await asyncio.gather(*running, return_exceptions=True)

    def _why_stop(self, started: float) -> Stop | None:
        if self._stop_reason:
            return Stop(reason=self._stop_reason)
        deadline = self.settings.deadline_s
        if deadline is not None and time.monotonic() - started > deadline:
            return Stop(reason=f"deadline of {deadline:g} s")
        return None


async def _wait(ended: "asyncio.Queue[asyncio.Task[Any]]", seconds: float) -> None:
    """Until a task has ended, or for so long."""
    try:
        async with asyncio.timeout(seconds):
            ended.put_nowait(await ended.get())
    except TimeoutError:
        pass


@contextmanager
def _calm_collector() -> Iterator[None]:
    """Few and short collections; what was there before is not looked at again."""
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(*_GC_THRESHOLDS)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
