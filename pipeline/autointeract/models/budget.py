"""Budget: hard caps in money and tokens. The worst case is reserved before sending and settled after.

A call that does not fit waits while others are in flight, because their settlement frees what they did not need; when
none is left it is refused with `BudgetError`. So the caps are exceeded by no more than one call's settlement error,
however many calls are in flight.
"""

import asyncio
from collections import Counter, deque

from autointeract.errors import BudgetError, HaltedError
from autointeract.models.settings import BudgetSettings

_ALL = ""


class Hold:
    """What one call has reserved: (role, tokens, money or null)."""

    __slots__ = ("money", "role", "tokens")

    def __init__(self, role: str, tokens: int, money: float | None):
        self.role, self.tokens, self.money = role, tokens, money


class Budget:
    """The caps of one workspace.

    Args:
        spent: what earlier runs spent, by role: (tokens, money).
    """

    def __init__(self, settings: BudgetSettings, spent: dict[str, tuple[int, float]] | None = None):
        self.token_caps: dict[str, int] = dict(settings.role_tokens)
        self.money_caps: dict[str, float] = dict(settings.role_money)
        if settings.tokens is not None:
            self.token_caps[_ALL] = settings.tokens
        if settings.money is not None:
            self.money_caps[_ALL] = settings.money
        self.limited = bool(self.token_caps or self.money_caps)
        self._tokens: Counter[str] = Counter()
        self._money: dict[str, float] = {}
        self._held = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._halted: str | None = None
        for role, (tokens, money) in (spent or {}).items():
            self._add(role, tokens, money)

    async def reserve(self, role: str, tokens: int, money: float | None) -> Hold:
        """Reserves the worst case of one call (money null = unknown price, not counted).

        Raises:
            BudgetError: it does not fit and nothing in flight could free enough. HaltedError: see `halt`.
        """
        hold = Hold(role, tokens, money)
        if not self.limited:
            return hold
        while (why := self._lacks(hold)) is not None:
            if self._held == 0:
                self._wake()
                raise BudgetError(why)
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter
            if self._halted is not None:
                raise HaltedError(self._halted)
        self._held += 1
        self._add(role, tokens, money)
        return hold

    def settle(self, hold: Hold, tokens: int, money: float | None) -> None:
        """Replaces a reservation by what the call took (0 where it failed unbilled)."""
        if self.limited:
            self._held -= 1
            self._add(hold.role, tokens - hold.tokens, (money or 0.0) - (hold.money or 0.0))
            self._wake()

    def halt(self, reason: str | None) -> None:
        """Sends away what waits for room (null: no more)."""
        self._halted = reason
        self._wake()

    def _add(self, role: str, tokens: int, money: float | None) -> None:
        for name in (_ALL, role):
            self._tokens[name] += tokens
            self._money[name] = self._money.get(name, 0.0) + (money or 0.0)

    def _lacks(self, hold: Hold) -> str | None:
        for name in (_ALL, hold.role):
            whose = f"models.budget.role_{{}}.{name}" if name else "models.budget.{}"
            cap = self.token_caps.get(name)
            if cap is not None and self._tokens[name] + hold.tokens > cap:
                return _message(whose.format("tokens"), f"{self._tokens[name]:,}", f"{hold.tokens:,}", f"{cap:,}")
            limit = self.money_caps.get(name)
            if limit is not None and self._money.get(name, 0.0) + (hold.money or 0.0) > limit + 1e-12:
                spent = self._money.get(name, 0.0)
                return _message(whose.format("money"), f"{spent:.6g}", f"{hold.money or 0:.6g}", f"{limit:.6g}")
        return None

    def _wake(self) -> None:
        while self._waiting:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)


def _message(setting: str, spent: str, next_call: str, cap: str) -> str:
    return (
        f"budget spent: {spent} so far and up to {next_call} for the next call would pass {setting} = {cap}; "
        "raise it and run again to go on"
    )
