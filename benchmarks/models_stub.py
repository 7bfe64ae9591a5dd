"""A stand-in for an OpenAI-compatible endpoint with a fixed number of slots, for benchmarks of clients.

Every choice holds one of `--slots` slots for its latency; what finds none free waits in order of arrival, as in an
inference engine. So the endpoint serves slots/latency choices a second and no more, and `/stats` tells what share of
that a client used. Bare asyncio, so that the stub costs less than the clients it measures.

    python benchmarks/models_stub.py --port 8100 --latency 0.2 --slots 64 [--tail 600]

POST /v1/chat/completions, GET /stats (JSON: requests, choices, busy, span, most_open), POST /reset.
`--tail S` draws latencies from a log-normal with a median of `--latency` seconds, cut at S.
"""

import argparse
import asyncio
import contextlib
import json
import math
import random
import time
from collections import deque

WORDS = [
    "alpha",
    "array",
    "batch",
    "branch",
    "cache",
    "chain",
    "class",
    "clock",
    "column",
    "cursor",
    "debug",
    "delta",
    "driver",
    "editor",
    "engine",
]


class Slots:
    """The slots, the queue before them, and the figures."""

    def __init__(self, latency: float, count: int, tail: float | None):
        self.latency, self.count, self.tail = latency, count, tail
        self.draw = random.Random(0)
        self.busy, self.queue = 0, deque[tuple[asyncio.Future[None], float]]()
        self.reset()

    def reset(self) -> None:
        self.requests = self.choices = self.open = self.most_open = 0
        self.integral, self.first, self.last, self.changed = 0.0, 0.0, 0.0, time.monotonic()

    def seconds(self) -> float:
        if self.tail is None:
            return self.latency
        return min(self.tail, self.latency * math.exp(self.draw.gauss(0, 1.5)))

    def take(self) -> asyncio.Future[None]:
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.choices += 1
        entry = (done, self.seconds())
        if self.busy < self.count:
            self._start(*entry)
        else:
            self.queue.append(entry)
        return done

    def _start(self, done: asyncio.Future[None], seconds: float) -> None:
        self._change(1)
        asyncio.get_running_loop().call_later(seconds, self._finish, done)

    def _finish(self, done: asyncio.Future[None]) -> None:
        self._change(-1)
        if not done.done():
            done.set_result(None)
        while self.queue and self.busy < self.count:
            self._start(*self.queue.popleft())

    def _change(self, step: int) -> None:
        now = time.monotonic()
        self.integral += self.busy * (now - self.changed)
        self.changed, self.busy = now, self.busy + step

    def stats(self) -> dict[str, float]:
        self._change(0)
        span = self.last - self.first
        return {
            "requests": self.requests, "choices": self.choices, "span": span, "most_open": self.most_open,
            "busy": self.integral / (self.count * span) if span > 0 else 0.0,
        }  # fmt: skip


class Stub:
    """The HTTP side."""

    def __init__(self, slots: Slots):
        self.slots = slots

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                method, path, _ = head.split(" ", 2)
                low = head.lower()
                at = low.find("content-length:")
                length = int(low[at + 15 : low.index("\r", at)]) if at >= 0 else 0
                body = await reader.readexactly(length) if length else b""
                content = await self._answer(method, path, body)
                status = b"400 Bad Request" if content.startswith(b'{"error"') else b"200 OK"
                writer.write(
                    b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%b"
                    % (status, len(content), content)
                )
        writer.close()

    async def _answer(self, method: str, path: str, body: bytes) -> bytes:
        slots = self.slots
        if path == "/stats":
            return json.dumps(slots.stats()).encode()
        if path == "/reset":
            slots.reset()
            return b"{}"
        request = json.loads(body)
        if not request.get("messages"):
            return b'{"error": {"message": "no messages"}}'
        n = request.get("n") or 1
        slots.requests += 1
        slots.open += 1
        slots.most_open = max(slots.most_open, slots.open)
        slots.first = slots.first or time.monotonic()
        await asyncio.gather(*(slots.take() for _ in range(n))) if n > 1 else await slots.take()
        slots.open -= 1
        slots.last = time.monotonic()
        seed = hash(request["messages"][-1]["content"])
        choices = [
            {"index": i, "finish_reason": "stop", "message": {"role": "assistant", "content": _text(seed + i)}}
            for i in range(n)
        ]
        usage = {
            "prompt_tokens": len(body) // 5,
            "completion_tokens": 100 * n,
            "total_tokens": len(body) // 5 + 100 * n,
        }
        return json.dumps(
            {"id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": request["model"],
             "choices": choices, "usage": usage}
        ).encode()  # fmt: skip


def _text(seed: int) -> str:
    return " ".join(WORDS[(seed >> (i % 48)) % len(WORDS)] for i in range(100))


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--latency", type=float, default=0.2)
    parser.add_argument("--slots", type=int, default=64)
    parser.add_argument("--tail", type=float)
    args = parser.parse_args()
    stub = Stub(Slots(args.latency, args.slots, args.tail))
    server = await asyncio.start_server(stub.serve, "127.0.0.1", args.port, limit=2**24, backlog=8192)
    print("READY", flush=True)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(main())
