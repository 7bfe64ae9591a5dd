"""Keeps up to N lanes busy: lanes are started when first needed, replaced when they break, all closed at the end."""

import asyncio
from typing import Any

from autointeract.errors import SandboxError
from autointeract.execution.lane import Lane, Sandbox


class Pool:
    """Lanes of one sandbox; `slots` bounds how many judge at once, across pools that share it."""

    def __init__(self, sandbox: Sandbox, slots: asyncio.Semaphore, retries: int):
        self._sandbox = sandbox
        self._free: list[Lane] = []
        self._busy: set[Lane] = set()
        self._slots = slots
        self._numbers = iter(range(1 << 30))
        self._retries = retries

    async def run(self, job: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """The reply to `job`, from whichever lane is free.

        Raises:
            SandboxError: it could not be had in `1 + retries` lanes.
        """
        async with self._slots:
            for attempt in range(self._retries + 1):
                try:
                    return await self._once(job, limit_s)
                except SandboxError:
                    if attempt == self._retries:
                        raise
        raise AssertionError("unreachable")

    async def _once(self, job: dict[str, Any], limit_s: float) -> dict[str, Any]:
        lane = self._free.pop() if self._free else await Lane.start(self._sandbox, next(self._numbers))
        self._busy.add(lane)
        try:
            reply = await lane.judge(job, limit_s)
        except BaseException:
            self._busy.discard(lane)
            await lane.close()  # a lane in an unknown state is never used again
            raise
        self._busy.discard(lane)
        self._free.append(lane)
        return reply

    async def close(self) -> None:
        """Ends all lanes and the sandbox."""
        lanes = [*self._free, *self._busy]
        self._free.clear()
        self._busy.clear()
        await asyncio.gather(*(lane.close() for lane in lanes))
        await self._sandbox.close()
