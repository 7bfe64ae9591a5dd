"""What a transport is: one request out, one checked completion back, or one classified fault.

A transport sends exactly once. Waiting, retrying, counting and caching are the door's; a transport never does them.
"""

from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

from autointeract.models.types import Usage

FaultKind = Literal[
    "rate_limit", "overload", "server", "connection", "timeout", "malformed", "quota", "auth", "request", "context",
    "refused", "unsupported",
]  # fmt: skip
LOAD: frozenset[str] = frozenset({"rate_limit", "overload", "timeout"})
"""Faults that say the endpoint is driven too hard."""
TRANSIENT: frozenset[str] = LOAD | {"server", "connection", "malformed"}
"""Faults that may pass when the request is sent again."""


class TransportError(Exception):
    """One failed request.

    Attributes:
        kind: what became of it; decides whether it is retried, counts as load, or is a content fault.
        status: HTTP status, where there was one.
        retry_after: seconds the endpoint asked to wait, or null.
        feature: for `unsupported`: `schema`, `n` or `max_tokens`.
        usage: tokens that were billed all the same, where the endpoint said so.
    """

    def __init__(
        self, kind: FaultKind, detail: str, status: int | None = None, retry_after: float | None = None,
        feature: str | None = None, usage: Usage | None = None,
    ):  # fmt: skip
        super().__init__(detail)
        self.kind, self.detail, self.status, self.retry_after = kind, detail, status, retry_after
        self.feature, self.usage = feature, usage


@dataclass(slots=True)
class Sample:
    """One choice, as the endpoint gave it, cleaned.

    Attributes:
        finish: `stop`, `length` or `refused`.
        note: why, where the endpoint said more than that.
    """

    text: str = ""
    thinking: str | None = None
    tool_calls: list[dict[str, Any]] = field(default_factory=list)
    finish: str = "stop"
    refusal: str | None = None
    note: str = ""


@dataclass(slots=True)
class Completion:
    """What one request brought. `usage` is null where the endpoint reported none that can be believed."""

    samples: list[Sample]
    usage: Usage | None
    model: str


@dataclass(slots=True)
class WireRequest:
    """One request for `n` samples.

    Attributes:
        body: messages, sampling, tools: everything but model, n and seed, as an OpenAI-compatible server takes it.
        base: URL of the replica ("" = the transport knows).
        timeout_s: for the whole request.
    """

    model: str
    body: dict[str, Any]
    n: int
    seed: int | None
    base: str
    key: str | None
    connect_timeout_s: float
    timeout_s: float

    def payload(self) -> dict[str, Any]:
        """The whole request body."""
        data = {"model": self.model, **self.body}
        if self.n > 1:
            data["n"] = self.n
        if self.seed is not None:
            data["seed"] = self.seed
        return data


class Transport(Protocol):
    """Sends requests; one object serves all endpoints of its kind, on one event loop."""

    async def send(self, request: WireRequest) -> Completion:
        """Sends `request` once.

        Raises:
            TransportError: anything but a believable completion.
        """
        ...

    async def close(self) -> None:
        """Gives connections back."""
        ...
