"""Ask: what one call wants, before it is sent: the canonical request, its keys and seeds, and the body on the wire."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from typing import Any

from pydantic import BaseModel

from autointeract import prompts
from autointeract.models.endpoint import Endpoint
from autointeract.models.structured import is_strict, schema_of
from autointeract.models.types import Call
from autointeract.records import Message, clean_json, clean_text, derive_seed

_KEY_VERSION = 2
_REPAIR = prompts.load("repair", ("problem", "schema"))
_SCHEMA = prompts.load("reply_schema", ("schema",))


class Ask:
    """One call of the door.

    Attributes:
        messages: as an OpenAI-compatible endpoint takes them, cleaned.
        size: bytes of the canonical request, an upper bound of its tokens.
    """

    def __init__(
        self, endpoint: Endpoint, messages: Sequence[Message], tools: list[dict[str, Any]] | None,
        reply: type[BaseModel] | None, call: Call, seed: int,
    ):  # fmt: skip
        import orjson

        self.endpoint, self.reply, self.call, self._seed = endpoint, reply, call, seed
        self.messages = [_wire(message) for message in messages]
        self.tools = tools
        identity = [_KEY_VERSION, endpoint.name, endpoint.model, endpoint.sampling(), endpoint.settings.context_tokens,
                    tools, schema_of(reply) if reply else None, self.messages]  # fmt: skip
        canonical = orjson.dumps(identity, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
        self.size = len(canonical)
        self._hash = hashlib.sha256(canonical)

    def seed(self, index: int) -> int:
        """The seed of sample `index`."""
        return sample_seed(self._seed, self.endpoint.role, self.call, index)

    def key(self, index: int) -> bytes:
        """The cache key of sample `index`."""
        whole = self._hash.copy()
        call = self.call  # the parts of the seed, which need not be derived for a hit
        parts = (self._seed, self.endpoint.role, call.item, call.round, call.turn, call.purpose, index)
        whole.update(repr(parts).encode())
        return whole.digest()

    @cached_property
    def max_tokens(self) -> int:
        """Longest completion, thinking included, lowered where the context window is known to be too small."""
        chosen = self.endpoint.settings
        most = int(self.endpoint.sampling()["max_tokens"])
        if chosen.context_tokens is not None:
            most = max(1, min(most, chosen.context_tokens - self.size // 3))
        return most

    def body(self, server_schema: bool) -> dict[str, Any]:
        """Everything of the request but model, n and seed.

        Args:
            server_schema: whether the schema is sent as such, or written into the system message.
        """
        messages = self.messages
        body: dict[str, Any] = {**self.endpoint.sampling(), "max_tokens": self.max_tokens}
        if self.reply is not None:
            schema = schema_of(self.reply)
            if server_schema:
                named = {"name": self.reply.__name__, "schema": schema, "strict": is_strict(self.reply)}
                body["response_format"] = {"type": "json_schema", "json_schema": named}
            else:
                text = _joined(_SCHEMA.render({"schema": schema}))
                head = messages[0] if messages and messages[0]["role"] == "system" else None
                system = {"role": "system", "content": f"{head['content']}\n\n{text}" if head else text}
                messages = [system, *messages[1 if head else 0 :]]
        if self.tools:
            body["tools"] = self.tools
        return {"messages": messages, **body}

    def repair(self, body: dict[str, Any], text: str, problem: str) -> dict[str, Any]:
        """The body of the one repair turn after an unreadable reply."""
        schema = schema_of(self.reply) if self.reply else {}
        turn = _joined(_REPAIR.render({"problem": problem, "schema": schema}))
        said = [{"role": "assistant", "content": text[:50_000]}, {"role": "user", "content": turn}]
        return {**body, "messages": [*body["messages"], *said]}


def sample_seed(seed: int, role: str, call: Call, index: int) -> int:
    """The seed of one sample: depends on the run's seed, role, call and sample index alone."""
    return derive_seed(seed, role, [call.item, call.round, call.turn, call.purpose], index)


def _wire(message: Message) -> dict[str, Any]:
    data = message.to_openai()
    data["content"] = clean_text(data["content"])
    return data if len(data) == 2 else clean_json(data)  # type: ignore[return-value]


def _joined(messages: list[Message]) -> str:
    return "\n\n".join(message.content.strip() for message in messages)
