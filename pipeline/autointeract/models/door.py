"""Models: the one door to language models. Every call of every stage goes through `complete`.

Behind it, once for everybody: roles and endpoints, the reply cache with single flight, the limiter of each endpoint,
retries, the budget, structured replies with one repair turn, the ledger. Content faults come back inside a `Reply`;
infrastructure faults are raised as `ProviderError`, a spent budget as `BudgetError`, wrong settings as `ConfigError`.
After `halt` every call is refused with `HaltedError`.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Self, TypeVar

from pydantic import BaseModel

from autointeract.errors import ConfigError, HaltedError, ProviderError
from autointeract.models.answer import Outcome, judge_sample
from autointeract.models.ask import Ask, sample_seed
from autointeract.models.book import book_digest
from autointeract.models.budget import Budget
from autointeract.models.cache import ReplyCache
from autointeract.models.endpoint import Endpoint, resolve
from autointeract.models.ledger import Ledger
from autointeract.models.line import Line
from autointeract.models.prices import cost, price_of
from autointeract.models.settings import ModelsSettings, PriceSettings
from autointeract.models.simulated.transport import BOOK_ROLES, simulate
from autointeract.models.types import Call, Reply, Usage
from autointeract.records import Message
from autointeract.records.vocabulary import MODEL_ROLES

M = TypeVar("M", bound=BaseModel)


class Models:
    """The door; one object a process, used on one event loop, as `async with Models(...) as models:`.

    Args:
        folder: the workspace's root; the door writes `cache/replies.sqlite` and `ledger/` there, on first use.
        seed: of the run; seeds of samples derive from it.
        answer_book: the tasks dataset, which stands for what simulated assistants and solvers know.
    """

    def __init__(self, settings: ModelsSettings, *, folder: Path, seed: int, answer_book: Path | None = None):
        self.settings, self.seed, self.answer_book = settings, seed, answer_book
        self.ledger = Ledger(folder / "ledger")
        path = Path(settings.cache.path) if settings.cache.path else folder / "cache" / "replies.sqlite"
        self.cache = ReplyCache(path)
        earlier = {role: (total.tokens, total.money) for role, total in self.ledger.earlier.items()}
        self._budget = Budget(settings.budget, earlier)
        self._line = Line(settings.limits, self._budget, self._note_lost, settings.grace_s)
        self._endpoints: dict[str, Endpoint] = {}
        self._prices: dict[str, PriceSettings | None] = {}
        self._flights: dict[bytes, asyncio.Future[Any]] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Gives connections and files back; the object may be used again."""
        await self._line.close()
        self.cache.close()
        self.ledger.close()

    def halt(self, reason: str | None) -> None:
        """Stops all calls: those that wait at once, those in flight within `models.grace_s`. Null lets calls in again.

        Args:
            reason: one line for a person; it becomes the message of every `HaltedError`.
        """
        self._line.halt(reason)

    async def complete(
        self, role: str, messages: Sequence[Message], *, reply: type[M] | None = None,
        tools: list[dict[str, Any]] | None = None, n: int = 1, call: Call,
    ) -> list[Reply[M]]:  # fmt: skip
        """`n` samples of `role`'s answer to `messages`, in order of their sample index.

        Args:
            reply: model that the text must parse into; its instance is `Reply.value`.
            tools: function definitions in OpenAI's shape.
            call: names the request; with role and index it decides the seed.

        Raises:
            ConfigError: the role has no model, the endpoint refuses the key or does not know the model.
            BudgetError: the budget (ours, or the account's) is spent; run again to go on.
            HaltedError: the run was told to stop.
            ProviderError: the endpoint failed and retries did not cure it. It never counts as an answer.
        """
        if n < 1:
            raise ConfigError(f"n must be at least 1, got {n}")
        if self._line.halted is not None:
            raise HaltedError(self._line.halted)
        endpoint = self.endpoint(role)
        if endpoint.simulated:
            await asyncio.sleep(0)  # or a long simulated run would never let timers and signals in
            return [self._simulated(endpoint, messages, reply, tools, call, index) for index in range(n)]
        ask = Ask(endpoint, messages, tools, reply, call, self.seed)
        outcomes = await self._samples(ask, n)
        return [outcome.reply(reply) for outcome in outcomes]

    def endpoint(self, role: str) -> Endpoint:
        """Who plays `role`.

        Raises:
            ConfigError: the role is unknown, names no model, or cannot be held to a money budget.
        """
        found = self._endpoints.get(role)
        if found is None:
            found = resolve(self.settings, role)
            price = price_of(found)
            budget = self.settings.budget
            if price is None and not budget.allow_unpriced and (budget.money is not None or role in budget.role_money):
                raise ConfigError(
                    f"the price of role {role!r} (model {found.model}) is unknown, so models.budget.money cannot hold: "
                    f"set models.{role}.price, use budget.tokens, or set budget.allow_unpriced"
                )
            self._endpoints[role], self._prices[role] = found, price
        return found

    def most_in_flight(self, roles: Sequence[str]) -> int:
        """How many samples may be in flight at once at the endpoints of `roles`, all together; simulated ones have no
        limit and count nothing.
        """
        places: dict[str, int] = {}
        for role in roles:
            endpoint = self.endpoint(role)
            if not endpoint.simulated:
                limits = endpoint.settings.limits or self.settings.limits
                for base in endpoint.bases:
                    places[base or f"{endpoint.transport}:{endpoint.model}"] = limits.max_in_flight
        return sum(places.values())

    def usage_report(self) -> dict[str, Any]:
        """What was spent: `calls, tokens, money, ...` now, `total` in all runs, `saved` by the cache, `by_role`.

        `money` is null as soon as the price of one call is unknown.
        """
        return self.ledger.report()

    def identity(self, role: str) -> dict[str, Any]:
        """JSON data of what decides results for `role`: part of stage digests."""
        endpoint = self.endpoint(role)
        identity = endpoint.identity()
        if endpoint.simulated and role in BOOK_ROLES:
            identity["answer_book"] = book_digest(self.answer_book)
        return identity

    def describe(self) -> dict[str, Any]:
        """`{role: {"model", "simulated"}}` of every role that has a model, for rows' `models_json`."""
        described: dict[str, Any] = {}
        for role in MODEL_ROLES:
            try:
                endpoint = resolve(self.settings, role)
            except ConfigError:
                continue
            described[role] = {"model": endpoint.identity()["model"], "simulated": endpoint.simulated}
        return described

    def _simulated(
        self, endpoint: Endpoint, messages: Sequence[Message], reply: type[M] | None,
        tools: list[dict[str, Any]] | None, call: Call, index: int,
    ) -> Reply[M]:  # fmt: skip
        seed = sample_seed(self.seed, endpoint.role, call, index)
        book = str(self.answer_book) if self.answer_book is not None else None
        sample, usage = simulate(endpoint.role, endpoint.model, messages, tools, seed, book)
        value, fault, detail = judge_sample(sample, reply)
        name = f"simulated/{endpoint.model}"
        self.ledger.write(_line(endpoint, call, index, name, fault), usage, 0.0, False)
        return Outcome(sample.text, sample.thinking, sample.tool_calls, value, fault, detail, usage, name).reply(reply)

    async def _samples(self, ask: Ask, n: int) -> list[Outcome]:
        """Every sample from the cache, from a flight that is under way, or from the endpoint."""
        found: dict[int, Outcome] = {}
        keys = [ask.key(index) for index in range(n)]
        while len(found) < n:
            flights: dict[int, asyncio.Future[Any]] = {}
            own: list[int] = []
            for index, key in enumerate(keys):
                if index in found:
                    continue
                if (hit := self._cached(ask, index, key)) is not None:
                    found[index] = hit
                elif (flight := self._flights.get(key)) is not None:
                    flights[index] = flight
                else:
                    own.append(index)
            if own:
                found.update(await self._fly(ask, own, keys))
            for index, flight in flights.items():
                landed = await asyncio.shield(flight)
                if isinstance(landed, Outcome):
                    found[index] = self._count_hit(ask, index, landed).shared()
                elif isinstance(landed, Exception):
                    raise landed
        return [found[index] for index in range(n)]

    async def _fly(self, ask: Ask, indices: list[int], keys: list[bytes]) -> dict[int, Outcome]:
        """Asks the endpoint; others who want the same samples meanwhile wait for these."""
        loop, line = asyncio.get_running_loop(), self._line
        price = self._prices[ask.endpoint.role]
        flights = {index: loop.create_future() for index in indices}
        self._flights.update({keys[index]: flight for index, flight in flights.items()})
        landed: dict[int, Outcome] = {}
        failed: list[Exception] = []

        async def trip(group: list[int]) -> list[int]:
            outcomes = await line.fetch(ask, group, price)
            for index, outcome in zip(group, outcomes, strict=False):
                flights[index].set_result(outcome)
                if isinstance(outcome, Exception):
                    failed.append(outcome)
                else:
                    self._keep(ask, index, keys[index], outcome)
                    landed[index] = outcome
            return group[len(outcomes) :]

        try:
            rest = indices
            if len(indices) == 1 or line.native_n(ask.endpoint):
                rest = await trip(indices)
            # What an endpoint that ignores n did not give is asked for one by one. What arrives is kept, whatever
            # becomes of the others.
            ends = await asyncio.gather(*(trip([index]) for index in rest), return_exceptions=True)
            for end in [*failed, *ends]:
                if isinstance(end, BaseException):
                    raise end
        except Exception as error:
            if isinstance(error, ProviderError):
                self._note_lost(ask, Usage(), "provider")
            for flight in flights.values():
                if not flight.done():
                    flight.set_result(error)
            raise
        finally:
            for index, flight in flights.items():
                self._flights.pop(keys[index], None)
                if not flight.done():
                    flight.set_result(None)  # this flight was cancelled: whoever waits takes off by itself
        return landed

    def _cached(self, ask: Ask, index: int, key: bytes) -> Outcome | None:
        if not self.settings.cache.enabled:
            return None
        body = self.cache.get(key)
        return self._count_hit(ask, index, Outcome.load(body, ask.reply)) if body is not None else None

    def _count_hit(self, ask: Ask, index: int, outcome: Outcome) -> Outcome:
        money = cost(self._prices[ask.endpoint.role], outcome.usage)
        line = _line(ask.endpoint, ask.call, index, outcome.model, outcome.fault)
        self.ledger.write(line, outcome.usage, money, True)
        return outcome

    def _note_lost(self, ask: Ask, usage: Usage, why: str) -> None:
        money = cost(self._prices[ask.endpoint.role], usage) if usage.calls else 0.0
        self.ledger.write(_line(ask.endpoint, ask.call, -1, "", why), usage, money, False)

    def _keep(self, ask: Ask, index: int, key: bytes, outcome: Outcome) -> None:
        money = cost(self._prices[ask.endpoint.role], outcome.usage)
        line = _line(ask.endpoint, ask.call, index, outcome.model, outcome.fault)
        line.update(outcome.times)
        self.ledger.write(line, outcome.usage, money, False)
        if not self.settings.cache.enabled:
            return
        names = {"role": ask.endpoint.role, "model": ask.endpoint.model, "item": ask.call.item}
        if outcome.fault is None:
            tokens = outcome.usage.prompt_tokens + outcome.usage.completion_tokens
            self.cache.put(key, outcome.dump(), **names, tokens=tokens)
        else:
            self.cache.put_fault(outcome.fault, outcome.detail, outcome.text, **names)


def _line(endpoint: Endpoint, call: Call, index: int, model: str, fault: str | None) -> dict[str, Any]:
    return {
        "role": endpoint.role, "model": endpoint.model, "answered_by": model, "item": call.item, "round": call.round,
        "turn": call.turn, "purpose": call.purpose, "index": index, "fault": fault,
    }  # fmt: skip
