"""Limiter: how many samples may be in flight at one endpoint, learned from its answers. It delays; it never drops.

Additive increase, multiplicative decrease, with TCP's slow start: the limit doubles each round trip up to a threshold,
then grows by a sixteenth of the cap a round trip. A sign of overload cuts it once for all requests that were in flight
together. Retry-After pauses the endpoint; after a pause one request probes it and slow start follows, so there is no
spike. Refusals of a request's content (400, 401 ...) say nothing about load.
"""

import asyncio
import random
import time
from collections import deque
from collections.abc import Callable
from typing import Literal

from autointeract.errors import HaltedError
from autointeract.models.settings import LimitSettings

Outcome = Literal["ok", "load", "neutral"]
_CUT = 0.7
_STORM_CUT = 0.5


class Ticket:
    """Leave to send one request of `weight` samples."""

    __slots__ = ("epoch", "weight")

    def __init__(self, weight: int, epoch: int):
        self.weight, self.epoch = weight, epoch


class Limiter:
    """The limiter of one endpoint; used on one event loop.

    Attributes:
        limit: samples allowed in flight now (fractional while it grows).
        busy: samples in flight.
    """

    def __init__(self, settings: LimitSettings, clock: Callable[[], float] = time.monotonic):
        self.settings, self._clock = settings, clock
        self.most = settings.max_in_flight
        self.limit = float(min(settings.start_in_flight, self.most))
        self.busy = 0
        self._threshold = float(self.most)
        self._step = max(1.0, self.most / 16)
        self._epoch = 0
        self._fruitless = 0
        self._paused_until = 0.0
        self._shunned_until = 0.0
        self._unreached = 0
        self._waiting: deque[tuple[asyncio.Future[Ticket], int, float]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._requests = _Pace(settings.requests_per_minute)
        self._tokens = _Pace(settings.tokens_per_minute)
        self._jitter = random.Random()  # of waits only, never of results

    @property
    def pressure(self) -> float:
        """How loaded the endpoint is, for choosing among replicas; a paused or unreachable one comes last."""
        late = max(0.0, max(self._paused_until, self._shunned_until) - self._clock())
        return (self.busy + len(self._waiting)) / self.limit + 1e6 * (late > 0) + late

    async def acquire(self, weight: int = 1, tokens: int = 0, first: bool = False) -> Ticket:
        """Waits until `weight` samples may be sent.

        Args:
            tokens: estimate that counts against tokens_per_minute.
            first: goes before those that wait (a retry has waited already).

        Raises:
            HaltedError: while it waited, the run was told to stop.
        """
        if not self._waiting and self._room(weight) and self._wait_s(tokens) <= 0:
            return self._grant(weight, tokens)
        future: asyncio.Future[Ticket] = asyncio.get_running_loop().create_future()
        entry = (future, weight, float(tokens))
        self._waiting.appendleft(entry) if first else self._waiting.append(entry)
        self._dispatch()
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self.release(future.result(), "neutral")
            raise

    def release(self, ticket: Ticket, outcome: Outcome, retry_after: float | None = None) -> None:
        """Gives a ticket back and learns from what became of its request.

        Args:
            retry_after: seconds the endpoint asked for; pauses the whole endpoint.
        """
        self.busy -= ticket.weight
        if outcome == "ok":
            self._fruitless = self._unreached = 0
            grown = ticket.weight if self.limit < self._threshold else self._step * ticket.weight / self.limit
            self.limit = min(float(self.most), self.limit + grown)
        elif outcome == "load":
            self._shrink(ticket, retry_after)
        self._dispatch()

    def shun(self) -> None:
        """Could not be reached: other replicas go first, for longer each time, until it answers again."""
        wait = min(self.settings.max_backoff_s, self.settings.backoff_s * 2.0 ** min(self._unreached, 10))
        self._shunned_until = self._clock() + wait
        self._unreached += 1

    def halt(self, reason: str) -> None:
        """Sends away all that wait."""
        while self._waiting:
            future = self._waiting.popleft()[0]
            if not future.done():
                future.set_exception(HaltedError(reason))

    def pause(self, seconds: float) -> None:
        """Sends nothing for `seconds`, then probes."""
        until = self._clock() + seconds
        if until > self._paused_until:
            self._paused_until = until

    def _shrink(self, ticket: Ticket, retry_after: float | None) -> None:
        if retry_after is not None:
            # A little late on purpose: clients that obey to the millisecond come back as one wave.
            self.pause(retry_after * (1 + 0.1 * self._jitter.random()) + 0.05)
        if ticket.epoch != self._epoch:
            return  # this request was in flight when the limit was cut for its neighbour
        self._epoch += 1
        if self._fruitless:
            self._threshold = max(1.0, self.limit * _STORM_CUT, self._threshold * _STORM_CUT)
            self.limit = 1.0
            if retry_after is None:
                wait = self.settings.backoff_s * 2.0 ** min(self._fruitless - 1, 10)
                self.pause(min(wait, self.settings.max_backoff_s) * (0.5 + 0.5 * self._jitter.random()))
        else:
            self._threshold = max(1.0, self.limit * _CUT)
            self.limit = 1.0 if retry_after is not None else self._threshold
        self._fruitless += 1

    def _room(self, weight: int) -> bool:
        return self.busy == 0 or self.busy + weight <= self.limit

    def _wait_s(self, tokens: float) -> float:
        now = self._clock()
        return max(self._paused_until, self._requests.at(now), self._tokens.at(now) if tokens else 0.0) - now

    def _grant(self, weight: int, tokens: float) -> Ticket:
        self.busy += weight
        now = self._clock()
        self._requests.take(now, 1)
        self._tokens.take(now, tokens)
        return Ticket(weight, self._epoch)

    def _dispatch(self) -> None:
        while self._waiting:
            future, weight, tokens = self._waiting[0]
            if future.done():
                self._waiting.popleft()
                continue
            if not self._room(weight):
                return  # the next release comes back here
            wait = self._wait_s(tokens)
            if wait > 0:
                if self._timer is not None:
                    self._timer.cancel()
                self._timer = asyncio.get_running_loop().call_later(wait + 0.001, self._dispatch)
                return
            self._waiting.popleft()
            future.set_result(self._grant(weight, tokens))


class _Pace:
    """A rate cap by the minute, spread evenly: the virtual time at which what was taken so far is paid off."""

    def __init__(self, per_minute: float | None):
        self.interval = 60.0 / per_minute if per_minute else 0.0
        self.paid_at = 0.0

    def at(self, now: float) -> float:
        return self.paid_at if self.interval else 0.0

    def take(self, now: float, amount: float) -> None:
        if self.interval:
            self.paid_at = max(self.paid_at, now) + self.interval * amount
