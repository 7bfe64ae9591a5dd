"""A real HTTP server on 127.0.0.1 that answers with steps of the scripted fake, real faults included."""

import asyncio
import json
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self

from autointeract.models.simulated.scripted import Script, Step, script_step

Handler = Callable[[int, dict[str, Any]], Step]


class HttpServer:
    """Serves a script; `log` holds (arrival on the monotonic clock, status, request body) of every request.

    A step with header `x-hang` is never answered; `broken` steps abort the connection.
    """

    def __init__(self, steps: Script):
        self.steps = steps
        self.log: list[tuple[float, int, dict[str, Any]]] = []
        self.headers: list[dict[str, str]] = []
        self.open = self.most_open = 0
        self.port = 0
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    async def start(self) -> None:
        """Listens, on the same port as before if it has been up already."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port, limit=2**24, backlog=4096)
        self.port = self._server.sockets[0].getsockname()[1]

    async def die(self) -> None:
        """Like an engine that crashes: every connection is reset, nobody listens."""
        if self._server is not None:
            self._server.close()
            for writer in list(self._writers):
                writer.transport.abort()
            with suppress(Exception):
                await self._server.wait_closed()
            self._server = None

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.die()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with suppress(ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            while await self._one(reader, writer):
                pass
        self._writers.discard(writer)
        writer.close()

    async def _one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        headers = {k.strip().lower(): v.strip() for k, _, v in (line.partition(":") for line in head.split("\r\n")[1:])}
        body = json.loads(await reader.readexactly(int(headers.get("content-length", 0))) or b"{}")
        self.headers.append(headers)
        self.open += 1
        self.most_open = max(self.most_open, self.open)
        try:
            return await self._answer(body, writer)
        finally:
            self.open -= 1

    async def _answer(self, body: dict[str, Any], writer: asyncio.StreamWriter) -> bool:
        step = script_step(self.steps, len(self.log), body)
        self.log.append((time.monotonic(), step.status, body))
        if step.delay_s:
            await asyncio.sleep(step.delay_s)
        if "x-hang" in step.headers:
            await asyncio.sleep(3600)
        content = step.content(body)
        lines = [f"HTTP/1.1 {step.status} X", *(f"{k}: {v}" for k, v in step.headers.items())]
        head = ("\r\n".join([*lines, f"content-length: {len(content)}"]) + "\r\n\r\n").encode()
        if step.broken:
            if content:
                writer.write(head + content[: len(content) // 2])
                await writer.drain()
            writer.transport.abort()
            return False
        if "x-drip" in step.headers:
            writer.write(head)
            for byte in content:
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.02)
            return True
        writer.write(head + content)
        await writer.drain()
        return True
