"""Line: gets samples over the line to an endpoint and back: limiter, budget, sending, retries, the repair turn.

In: an `Ask` and how many samples. Out: judged outcomes. A rate-limited request is never given up; other transient
faults are tried again a few times; what a retry cannot cure is raised at once, under a name that says what to do.
Once halted, nothing is sent, waited for or tried again; what is in flight has a grace.
"""

import asyncio
import importlib
import logging
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from autointeract.errors import ConfigError, HaltedError
from autointeract.models.answer import Outcome, judge_sample
from autointeract.models.ask import Ask
from autointeract.models.budget import Budget
from autointeract.models.ending import content_fault, final, gave_up, where
from autointeract.models.endpoint import Endpoint
from autointeract.models.files import allow_files
from autointeract.models.limiter import Limiter
from autointeract.models.prices import cost
from autointeract.models.settings import LimitSettings, PriceSettings
from autointeract.models.transports.base import (
    LOAD,
    TRANSIENT,
    Completion,
    Sample,
    Transport,
    TransportError,
    WireRequest,
)
from autointeract.models.types import Usage
from autointeract.models.usage import estimate, split

_TRANSPORTS = {
    "direct": "autointeract.models.transports.direct",
    "litellm": "autointeract.models.transports.by_litellm",
    "scripted": "autointeract.models.simulated.scripted",
}
_LOG = logging.getLogger(__name__)


@dataclass(slots=True)
class _Traits:
    """What was learned about one model at one endpoint."""

    schema: bool
    native_n: bool
    tokens_per_byte: float = 0.5
    length_name: str = "max_tokens"


class Line:
    """The lines to all endpoints of one process.

    Args:
        lost: told of tokens that were billed for nothing that a caller gets: (ask, usage, why).
        grace_s: how long a request in flight may take to end after `halt`.

    Attributes:
        halted: why nothing is sent any more, or null.
    """

    def __init__(
        self, limits: LimitSettings, budget: Budget, lost: Callable[[Ask, Usage, str], None], grace_s: float = 30.0
    ):
        self.limits, self.budget, self._lost, self.grace_s = limits, budget, lost, grace_s
        self.halted: str | None = None
        self._flying: set[asyncio.Timeout] = set()
        self._resting: set[asyncio.Future[None]] = set()
        self._transports: dict[str, Transport] = {}
        self._limiters: dict[str, Limiter] = {}
        self._traits: dict[tuple[str, str], _Traits] = {}
        self._jitter = random.Random()  # of waits only, never of results

    async def close(self) -> None:
        """Gives connections back."""
        for transport in self._transports.values():
            await transport.close()
        self._transports = {}

    def halt(self, reason: str | None) -> None:
        """Sends away all that wait (for room, money, a further try) and gives what is in flight `grace_s` to end.

        Null lets requests out again.
        """
        self.halted = reason
        self.budget.halt(reason)
        if reason is None:
            return
        for limiter in self._limiters.values():
            limiter.halt(reason)
        for rest in self._resting:
            if not rest.done():
                rest.set_result(None)
        ends_at = asyncio.get_running_loop().time() + self.grace_s
        for flight in self._flying:
            flight.reschedule(ends_at)

    def native_n(self, endpoint: Endpoint) -> bool:
        """Whether one request may ask for several samples."""
        return self._of(endpoint).native_n

    async def fetch(self, ask: Ask, indices: Sequence[int], price: PriceSettings | None) -> list[Outcome | Exception]:
        """Outcomes of the first samples of `indices`, by one request (and repair turns); at least one.

        Of several samples, one whose repair turn failed comes back as its exception, because the others are paid for.

        Raises:
            BudgetError, ConfigError, HaltedError, ProviderError: see `Models.complete`.
        """
        traits = self._of(ask.endpoint)
        times: dict[str, Any] = {"latency_s": 0.0, "queue_s": 0.0, "retries": 0}
        body = ask.body(traits.schema)
        completion = await self._send(ask, body, len(indices), ask.seed(indices[0]), price, times)
        samples = completion.samples[: len(indices)]
        if len(samples) < len(indices):
            traits.native_n = False
        usages = split(completion.usage, samples, ask.size)
        judged = [
            self._judge(
                ask, sample, usage, completion.model, ask.seed(index), price, times if place == 0 else {**times}
            )
            for place, (sample, usage, index) in enumerate(zip(samples, usages, indices, strict=False))
        ]
        if len(judged) == 1:
            return [await judged[0]]
        ends = await asyncio.gather(*judged, return_exceptions=True)
        for end in ends:
            if isinstance(end, BaseException) and not isinstance(end, Exception):
                raise end
        return ends  # type: ignore[return-value]

    async def _judge(
        self, ask: Ask, sample: Sample, usage: Usage, model: str, seed: int, price: PriceSettings | None,
        times: dict[str, Any],
    ) -> Outcome:  # fmt: skip
        value, fault, detail = judge_sample(sample, ask.reply)
        if fault == "unparsable":
            times["repaired"] = True
            body = ask.repair(ask.body(self._of(ask.endpoint).schema), sample.text, detail)
            try:
                again = await self._send(ask, body, 1, seed, price, times)
            except BaseException:
                self._lost(ask, usage, "unrepaired")
                raise
            usage = usage + split(again.usage, again.samples[:1], ask.size)[0]
            mended, second, second_detail = judge_sample(again.samples[0], ask.reply)
            if second is None:
                value, fault, detail, sample = mended, None, "", again.samples[0]
            else:
                detail = f"{detail}; after the repair turn: {second_detail}"
        return Outcome(
            sample.text, sample.thinking, sample.tool_calls, value, fault, detail, usage, model, False, times
        )

    async def _send(
        self, ask: Ask, body: dict[str, Any], n: int, seed: int, price: PriceSettings | None, times: dict[str, Any],
    ) -> Completion:  # fmt: skip
        """One completion, however often it has to be tried."""
        endpoint, traits = ask.endpoint, self._of(ask.endpoint)
        transport, key = self._transport(endpoint), endpoint.key()
        chosen, limits = endpoint.settings, endpoint.settings.limits or self.limits
        begun, tries, limited, warned = time.monotonic(), 0, 0, 0.0
        while True:
            if self.halted is not None:
                raise HaltedError(self.halted)
            base = min(endpoint.bases, key=lambda name: self._limiter(endpoint, name).pressure)
            limiter = self._limiter(endpoint, base)
            tokens = int(ask.size * traits.tokens_per_byte) + 64 + n * ask.max_tokens
            queued = time.monotonic()
            ticket = await limiter.acquire(n, tokens, first=tries + limited > 0)
            outcome, wait, sent = "neutral", None, time.monotonic()
            try:
                worst = Usage.model_construct(prompt_tokens=tokens - n * ask.max_tokens, cached_tokens=0,
                                              completion_tokens=n * ask.max_tokens)  # fmt: skip
                hold = await self.budget.reserve(endpoint.role, tokens, cost(price, worst))
                if self.halted is not None:
                    self.budget.settle(hold, 0, 0.0)
                    raise HaltedError(self.halted)
                sent = time.monotonic()
                times["queue_s"] = round(times["queue_s"] + sent - queued, 4)
                spent: Usage | None = None
                try:
                    request = WireRequest(
                        endpoint.model, _named(body, traits), n, seed if chosen.send_seed else None, base, key,
                        chosen.connect_timeout_s, chosen.timeout_s,
                    )  # fmt: skip
                    completion = await self._fly(transport, request)
                    outcome = "ok"
                    if completion.usage is None:
                        completion.usage = estimate(ask.size, sum(len(s.text) for s in completion.samples))
                    elif (ratio := completion.usage.prompt_tokens / max(1, ask.size)) > traits.tokens_per_byte:
                        traits.tokens_per_byte = ratio * 1.1
                    spent = completion.usage
                    self._clean(completion, key)
                    return completion
                except TransportError as fault:
                    spent = fault.usage
                    if spent is not None:
                        self._lost(ask, spent, fault.kind)
                    raise
                finally:
                    times["latency_s"] = round(times["latency_s"] + time.monotonic() - sent, 4)
                    if spent is None:
                        self.budget.settle(hold, 0, 0.0)
                    else:
                        self.budget.settle(hold, spent.prompt_tokens + spent.completion_tokens, cost(price, spent))
            except TransportError as fault:
                outcome = "load" if fault.kind in LOAD else "neutral"
                wait = fault.retry_after
                if fault.kind == "unsupported" and fault.feature == "schema" and "response_format" in body:
                    traits.schema = False
                    body = {**ask.body(False), "messages": _with_tail(ask, body)}
                    continue
                if fault.feature == "max_tokens" and traits.length_name == "max_tokens":
                    traits.length_name = "max_completion_tokens"
                    continue
                if fault.kind in ("request", "unsupported") and n > 1:
                    traits.native_n, n = False, 1  # most often a server that knows no n; if not, it says so again
                    continue
                if fault.kind in ("refused", "context"):
                    return content_fault(fault, key, n)
                if fault.kind not in TRANSIENT:
                    raise final(endpoint, base, fault, key) from None
                times["retries"] += 1
                if fault.kind == "connection":
                    limiter.shun()
                if fault.kind == "rate_limit":
                    limited += 1
                    if time.monotonic() - begun > warned + 60:
                        warned = time.monotonic() - begun
                        _LOG.warning("%s is rate-limited for %.0f s; waiting, nothing is lost", where(endpoint, base),
                                     warned)  # fmt: skip
                else:
                    tries += 1
                    if tries > limits.retries:
                        raise gave_up(endpoint, base, fault, key, tries, time.monotonic() - begun) from None
            finally:
                limiter.release(ticket, outcome, wait)  # type: ignore[arg-type]
            if wait is None or outcome != "load":
                await self._rest(self._backoff(limits, tries + limited))

    async def _fly(self, transport: Transport, request: WireRequest) -> Completion:
        """Sends once; a flight that is still under way when the grace after `halt` is over is dropped."""
        flight = asyncio.timeout(None)
        try:
            async with flight:
                self._flying.add(flight)
                return await transport.send(request)
        except TimeoutError:
            raise HaltedError(self.halted or "stopped") from None
        finally:
            self._flying.discard(flight)

    async def _rest(self, seconds: float) -> None:
        """Sleeps, or less where the line is halted meanwhile."""
        loop = asyncio.get_running_loop()
        rest: asyncio.Future[None] = loop.create_future()
        timer = loop.call_later(seconds, lambda: rest.done() or rest.set_result(None))
        self._resting.add(rest)
        try:
            await rest
        finally:
            timer.cancel()
            self._resting.discard(rest)

    def _backoff(self, limits: LimitSettings, tries: int) -> float:
        longest = min(limits.max_backoff_s, limits.backoff_s * 2.0 ** min(tries - 1, 20))
        return longest * (0.5 + 0.5 * self._jitter.random())

    def _clean(self, completion: Completion, key: str | None) -> None:
        if key is None:
            return
        for sample in completion.samples:
            if key in sample.text or (sample.thinking and key in sample.thinking) or key in str(sample.tool_calls):
                sample.text = sample.text.replace(key, "[key removed]")
                sample.thinking = sample.thinking.replace(key, "[key removed]") if sample.thinking else None
                for call in sample.tool_calls:
                    function = call["function"]
                    function["arguments"] = function["arguments"].replace(key, "[key removed]")

    def _transport(self, endpoint: Endpoint) -> Transport:
        found = self._transports.get(endpoint.transport)
        if found is None:
            try:
                found = importlib.import_module(_TRANSPORTS[endpoint.transport]).make()
            except ImportError as error:
                raise ConfigError(
                    f"role {endpoint.role!r} needs the {endpoint.transport} transport, which is not installed "
                    f"({error}): pip install 'autointeract[pipeline]'"
                ) from error
            self._transports[endpoint.transport] = found
            allow_files((endpoint.settings.limits or self.limits).max_in_flight + 256)
        return found

    def _limiter(self, endpoint: Endpoint, base: str) -> Limiter:
        name = base or f"{endpoint.transport}:{endpoint.model}"
        found = self._limiters.get(name)
        limits = endpoint.settings.limits or self.limits
        if found is None:
            found = self._limiters[name] = Limiter(limits)
        elif found.settings != limits:
            raise ConfigError(
                f"models.{endpoint.role}.limits differ from those of another role at {name}: make them equal"
            )
        return found

    def _of(self, endpoint: Endpoint) -> _Traits:
        name = (endpoint.name, endpoint.model)
        found = self._traits.get(name)
        if found is None:
            chosen, near = endpoint.settings, endpoint.transport != "litellm"
            schema = chosen.server_schema
            if schema is None:
                schema = near or importlib.import_module(_TRANSPORTS["litellm"]).takes_schema(endpoint.model)
            found = _Traits(bool(schema), near if chosen.native_n is None else chosen.native_n)
            self._traits[name] = found
        return found


def _named(body: dict[str, Any], traits: _Traits) -> dict[str, Any]:
    """The body under the name that this model has for the length limit."""
    if traits.length_name == "max_tokens":
        return body
    return {traits.length_name if name == "max_tokens" else name: value for name, value in body.items()}


def _with_tail(ask: Ask, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The prompted-schema messages, with the repair turn that `body` had beyond the plain ones."""
    return [*ask.body(False)["messages"], *body["messages"][len(ask.messages) :]]
