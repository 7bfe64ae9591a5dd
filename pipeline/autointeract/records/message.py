"""Message: one visible turn of a conversation, in the shape that models, trainers and Parquet all take."""

from typing import Any, Literal

import pyarrow as pa

from autointeract.records.row import TEXT, Record, load_json

MESSAGE = pa.struct(
    [("role", pa.string()), ("content", TEXT), ("tool_calls_json", TEXT), ("tool_call_id", TEXT), ("name", TEXT)]
)


class Message(Record):
    """One message. `tool_calls_json` = JSON list of `{"id", "type": "function", "function": {"name", "arguments"}}`."""

    role: Literal["system", "user", "assistant", "tool"]
    content: str
    tool_calls_json: str | None = None
    tool_call_id: str | None = None
    name: str | None = None

    def to_openai(self) -> dict[str, Any]:
        """The message as an OpenAI-compatible endpoint takes it (null fields left out)."""
        data: dict[str, Any] = {"role": self.role, "content": self.content}
        if self.tool_calls_json:
            data["tool_calls"] = load_json(self.tool_calls_json)
        if self.tool_call_id:
            data["tool_call_id"] = self.tool_call_id
        if self.name:
            data["name"] = self.name
        return data
