"""Engine: runs the owed items of a plan on one event loop, a bounded number at a time.

The engine decides when items run, never what comes out: results are handed to `done` as they finish and order is
restored from the plan by the workspace. A spent budget, a passed deadline or a signal stops the intake, lets what is in
flight finish or be cancelled, and is reported as `Stop`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import Annotated, Any, TypeVar

from pydantic import Field

from autointeract.errors import BudgetError
from autointeract.records import RUN_ONLY, Record, SettingsModel

T = TypeVar("T")
Progress = Callable[[int, int], None]


class EngineSettings(SettingsModel):
    """How items are run; nothing here changes results."""

    concurrency: Annotated[int, RUN_ONLY] = Field(default=64, ge=1)
    """Items in flight at once. Calls are limited per endpoint by the models' limiter, not here."""
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

    def request_stop(self, reason: str) -> None:
        """Asks the running map to take no further items (signal handlers call this)."""
        self._stop_reason = reason

    async def map(
        self, items: Iterable[T], work: Callable[[T], Awaitable[Any]], done: Callable[[T, Any], bool | None],
        total: int | None = None,
    ) -> Stop | None:  # fmt: skip
        """Runs `work` on every item, at most `concurrency` at once, drawing items only when there is room.

        Args:
            done: called on the event loop with (item, result) as each finishes; returning True asks for no more items.
            total: for progress alone.

        Returns:
            null when every item was run, else why not. An exception of `work` other than `BudgetError` cancels what is
            in flight and is raised.
        """
        started = time.monotonic()
        source = iter(items)
        running: dict[asyncio.Task[Any], T] = {}
        finished, exhausted, stop = 0, False, None
        try:
            while True:
                if stop is None:
                    stop = self._why_stop(started)
                while stop is None and not exhausted and len(running) < self.settings.concurrency:
                    try:
                        item = next(source)
                    except StopIteration:
                        exhausted = True
                        break
                    running[asyncio.ensure_future(work(item))] = item
                if not running:
                    return stop
                ready, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED, timeout=0.5)
                for task in ready:
                    item = running.pop(task)
                    try:
                        result = task.result()
                    except BudgetError as error:
                        stop = Stop(reason=str(error))
                        continue
                    if done(item, result):
                        exhausted = True
                    finished += 1
                    if self.progress:
                        self.progress(finished, total if total is not None else finished)
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
