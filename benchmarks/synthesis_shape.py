"""The shape of a run of the loop: which call waited for which. A bare client that replays it has the same chains.

`Recording` is the door with a notebook: it notes, for every call, its item, its size and the calls whose replies it
needed. `replay` sends calls of the same sizes in the same order of need, all items at once, one gate for all calls.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from typing import Any

from autointeract.models.door import Models
from autointeract.synthesis import difficulty, loop

_AFTER: ContextVar[tuple[int, ...]] = ContextVar("after", default=())


class Recording(Models):
    """Models that note the shape.

    Attributes:
        calls: (item, characters of the prompt, numbers of the calls that came before) of each call, by its number; no
            characters where another call brought the reply.
    """

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        self.calls: list[tuple[str, int, tuple[int, ...]]] = []
        modules: tuple[Any, ...] = (difficulty, loop)
        for module in modules:
            module.together = _together

    async def complete(self, role: str, messages: Any, **options: Any) -> Any:
        """As the door's; noted."""
        number, item = len(self.calls), options["call"].item
        after = tuple(before for before in _AFTER.get() if self.calls[before][0] == item)
        self.calls.append((item, sum(len(message.content) for message in messages), after))
        replies = await super().complete(role, messages, **options)
        if all(reply.from_cache for reply in replies):
            self.calls[number] = (item, 0, after)
        _AFTER.set((number,))
        return replies


async def _together(*work: Coroutine[Any, Any, Any]) -> list[Any]:
    """`synthesis.together`, noting that what comes next needs all of it."""

    async def one(coroutine: Coroutine[Any, Any, Any]) -> tuple[Any, tuple[int, ...]]:
        return await coroutine, _AFTER.get()

    ends = await asyncio.gather(*(asyncio.ensure_future(one(coroutine)) for coroutine in work))
    _AFTER.set(tuple(sorted({number for _, last in ends for number in last})))
    return [result for result, _ in ends]


async def replay(
    calls: list[tuple[str, int, tuple[int, ...]]], ask: Callable[[str, str, int], Awaitable[list[str]]]
) -> int:
    """Sends them, each after those it needed; gives their number."""
    done = [asyncio.get_running_loop().create_future() for _ in calls]

    async def one(number: int) -> None:
        _, size, after = calls[number]
        for before in after:
            await done[before]
        if size:
            await ask("sim", "x" * size, 1)
        done[number].set_result(None)

    await asyncio.gather(*(one(number) for number in range(len(calls))))
    return len(calls)
