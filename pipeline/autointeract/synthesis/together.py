"""Runs coroutines at once; when one fails the others are cancelled and awaited before its exception goes on.

`asyncio.gather` would let them run on: after a spent budget they would still call models, and write to a journal that
has been closed.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def together(*work: Coroutine[Any, Any, T]) -> list[T]:
    """The results in order; the exception of the first that fails."""
    tasks = [asyncio.ensure_future(one) for one in work]
    try:
        return list(await asyncio.gather(*tasks))
    except BaseException:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise
