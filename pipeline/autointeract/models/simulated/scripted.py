"""Scripted: the one fake model of the tests. It answers what a test says, through the code that reads real servers.

    with script("judge", [say_json({"score": 0.7}), http(429, retry_after=1), say("not JSON")]) as seen:
        models = Models(ModelsSettings(default=RoleSettings(model="scripted/judge")), folder=tmp_path, seed=0)
        ...
    assert len(seen) == 3          # every request body, in order of arrival

A script is a list of steps, used in order (the last one again and again), or a function from the request's body to a
step. A step is what a server sends: status, headers, body, after a delay, or a broken connection. `faults.py` holds the
ways in which real endpoints were seen to fail; the HTTP server of the tests serves the same steps.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any

from autointeract.errors import ConfigError
from autointeract.models.reading import read_answer
from autointeract.models.transports.base import Completion, TransportError, WireRequest


@dataclass(frozen=True)
class Step:
    """One answer of the fake endpoint.

    Attributes:
        body: bytes as sent.
        delay_s: before the first byte.
        broken: the connection dies after the headers and half of the body (before them, if the body is empty).
        each: the body is built for each request (n choices, echoes), from its body as JSON data.
    """

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""
    delay_s: float = 0.0
    broken: bool = False
    each: Callable[[dict[str, Any]], bytes] | None = None

    def after(self, seconds: float) -> "Step":
        """The same step, later."""
        return replace(self, delay_s=seconds)

    def content(self, request: dict[str, Any]) -> bytes:
        """The bytes for one request."""
        return self.each(request) if self.each else self.body


Script = list[Step] | Callable[[dict[str, Any]], Step]
_SCRIPTS: dict[str, "tuple[Script, list[dict[str, Any]]]"] = {}


def completion(*messages: dict[str, Any], finish: Any = "stop", usage: Any = None, **fields: Any) -> Step:
    """A completion whose choices hold `messages`; `fields` replace or add top-level fields."""
    data = {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "scripted",
        "choices": [{"index": i, "message": {"role": "assistant", **message}, "finish_reason": finish}
                    for i, message in enumerate(messages)],
        "usage": {"prompt_tokens": 29, "completion_tokens": 31, "total_tokens": 60} if usage is None else usage,
    }  # fmt: skip
    return Step(headers={"content-type": "application/json"}, body=json.dumps({**data, **fields}).encode())


def say(text: str | None, **fields: Any) -> Step:
    """A plain answer, as many choices as the request's `n`; `fields` as in `completion`."""

    def each(request: dict[str, Any]) -> bytes:
        return completion(*[{"content": text}] * (request.get("n") or 1), **fields).body

    return Step(headers={"content-type": "application/json"}, each=each)


def say_json(value: Any, **fields: Any) -> Step:
    """An answer whose text is `value` as JSON."""
    return say(json.dumps(value, ensure_ascii=False), **fields)


def call_tool(name: str, arguments: Any, **fields: Any) -> Step:
    """A tool call; `arguments` is sent as JSON text unless it is text already."""
    text = arguments if isinstance(arguments, str) else json.dumps(arguments)
    call = {"id": "call_1", "type": "function", "function": {"name": name, "arguments": text}}
    return completion({"content": None, "tool_calls": [call]}, finish="tool_calls", **fields)


def http(status: int, message: str = "", retry_after: float | None = None, **error: Any) -> Step:
    """An error answer in OpenAI's shape."""
    headers = {"content-type": "application/json"}
    if retry_after is not None:
        headers["retry-after"] = f"{retry_after:g}"
    body = {"error": {"message": message or f"status {status}", "type": "error", "code": None, **error}}
    return Step(status, headers, json.dumps(body).encode())


def script_step(script: Script, number: int, body: dict[str, Any]) -> Step:
    """The step for the `number`-th request (from 0)."""
    return script(body) if callable(script) else script[min(number, len(script) - 1)]


@contextmanager
def script(name: str, steps: Script) -> Iterator[list[dict[str, Any]]]:
    """Answers `scripted/<name>` with `steps` inside the block; gives the list that every request body is added to."""
    seen: list[dict[str, Any]] = []
    if name in _SCRIPTS:
        raise ConfigError(f"scripted/{name} already has a script")
    _SCRIPTS[name] = (steps, seen)
    try:
        yield seen
    finally:
        del _SCRIPTS[name]


class ScriptedTransport:
    """The transport of `scripted/` models: the registered steps, read as HTTP answers."""

    async def send(self, request: WireRequest) -> Completion:
        """See `Transport.send`."""
        if request.model not in _SCRIPTS:
            raise ConfigError(f"no script is registered for scripted/{request.model}: it is a fake model for tests")
        steps, seen = _SCRIPTS[request.model]
        payload = request.payload()
        step = script_step(steps, len(seen), payload)
        seen.append(payload)
        try:
            async with asyncio.timeout(request.timeout_s):
                await asyncio.sleep(step.delay_s)
        except TimeoutError:
            raise TransportError("timeout", f"no answer within {request.timeout_s:g} s") from None
        if step.broken:
            raise TransportError("connection", "the endpoint closed the connection")
        return read_answer(step.status, step.headers, step.content(payload), time.time())

    async def close(self) -> None:
        """Nothing to give back."""


def make() -> ScriptedTransport:
    """The transport (called by the door)."""
    return ScriptedTransport()
