"""A lane: one long-lived router process and its two confined sides, judging one submission at a time.

A backend only says how the router is started (`Launcher`); everything else is the same frames over two streams.
A lane that breaks in any way raises `SandboxError` and is never used again.
"""

import asyncio
import contextlib
import json
import struct
from typing import Any, Protocol

from autointeract.errors import SandboxError
from autointeract.execution import bundle

START_LIMIT_S = 60.0
MAX_REPLY = 256 << 20


class Channel(Protocol):
    """Two byte streams to a router, wherever it runs."""

    async def write(self, data: bytes) -> None:
        """Sends all of `data`."""
        ...

    async def read_exactly(self, size: int) -> bytes:
        """`size` bytes; raises SandboxError at the end of the stream."""
        ...

    async def close(self) -> str:
        """Ends the router and everything below it; returns what it said on its error stream. Idempotent."""
        ...


class Sandbox(Protocol):
    """A backend: makes channels to routers, and knows what it leaves behind."""

    name: str

    async def open(self, number: int) -> tuple[Channel, dict[str, Any]]:
        """A started router that waits for the sources, and its configuration; raises SandboxError."""
        ...

    async def close(self) -> None:
        """Releases what the backend holds; channels are closed by their lanes."""
        ...


class Lane:
    """One router, started. `judge` may be called by one task at a time."""

    def __init__(self, channel: Channel):
        self._channel = channel

    @classmethod
    async def start(cls, sandbox: Sandbox, number: int) -> "Lane":
        """A lane that has answered; raises SandboxError with the router's own words where it does not."""
        channel, config = await sandbox.open(number)
        lane = cls(channel)
        try:
            async with asyncio.timeout(START_LIMIT_S):
                await channel.write(bundle.frame(bundle.sources()) + bundle.frame(config))
                await lane._receive()
        except BaseException as error:
            said = await channel.close()
            if isinstance(error, SandboxError | TimeoutError):
                raise SandboxError(f"{sandbox.name}: no lane could be started: {said or error}") from error
            raise
        return lane

    async def judge(self, job: dict[str, Any], limit_s: float) -> dict[str, Any]:
        """The router's reply to `job`.

        Raises:
            SandboxError: the lane broke or took longer than `limit_s`; close it.
        """
        try:
            async with asyncio.timeout(limit_s):
                await self._channel.write(bundle.frame(job))
                reply = await self._receive()
        except TimeoutError as error:
            raise SandboxError(f"a lane did not answer within {limit_s:.0f} s") from error
        if "broken" in reply:
            raise SandboxError(f"a lane broke: {reply['broken']}")
        return reply

    async def _receive(self) -> dict[str, Any]:
        (size,) = struct.unpack(">I", await self._channel.read_exactly(4))
        if size > MAX_REPLY:
            raise SandboxError("a lane sent more than it may")
        return json.loads(await self._channel.read_exactly(size))

    async def close(self) -> None:
        """Ends the lane; nothing of it survives."""
        with contextlib.suppress(SandboxError):
            await self._channel.close()
