"""Row: of one line of a Claude Code transcript, the fields that its reader looks at.

Lines are decoded straight into this class, so that what nobody reads (usage counts, signatures, copies of whole files)
never becomes Python objects. A line of another shape takes the forgiving way (`jsontext.loads`) to the same class.
"""

from datetime import UTC, datetime
from typing import Any

import msgspec

from autointeract.logs.event import parse_time
from autointeract.logs.jsontext import loads, text_of

PLAIN = "plain"
"""Type of a block that was a bare string in a list of blocks."""


class Block(msgspec.Struct, gc=False):
    """One block of a message."""

    type: Any = None
    text: Any = None
    thinking: Any = None
    id: Any = None
    name: Any = None
    input: Any = None
    tool_use_id: Any = None
    content: Any = None
    is_error: Any = None

    def words(self) -> str:
        """The text of the block."""
        return self.text if isinstance(self.text, str) else text_of(self.text or self.content)


class Message(msgspec.Struct, gc=False):
    """What was said."""

    content: str | list[Block] = ""
    model: Any = None

    def words(self) -> str:
        """All text of the message."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(block.text for block in self.content if isinstance(block.text, str) and block.text)


class Row(msgspec.Struct, gc=False):
    """One line. `UNSET` marks fields whose mere presence says something."""

    type: Any = None
    uuid: Any = None
    parentUuid: Any = None
    sessionId: Any = None
    timestamp: datetime | None = None
    cwd: Any = None
    message: Message | None = None
    isSidechain: Any = None
    isMeta: Any = None
    isCompactSummary: Any = None
    isApiErrorMessage: Any = None
    sourceToolUseID: Any = None
    toolUseResult: msgspec.Raw = msgspec.Raw()
    permissionMode: Any = msgspec.UNSET
    thinkingMetadata: Any = msgspec.UNSET
    origin: Any = None
    turnOrigin: Any = None
    promptSource: Any = None
    planContent: Any = None
    attachment: Any = None
    operation: Any = None
    content: Any = None
    lastPrompt: Any = None

    def result(self) -> Any:
        """The structured tool result; null where there is none."""
        return loads(bytes(self.toolUseResult)) if self.toolUseResult else None


_DECODER = msgspec.json.Decoder(Row)
_DECODE = _DECODER.decode


def row_of(line: bytes) -> Row:
    """The row in a line.

    Raises:
        ValueError: no JSON object.
    """
    try:
        row = _DECODE(line)
        if row.timestamp is not None and row.timestamp.tzinfo is not UTC:
            row.timestamp = parse_time(row.timestamp)
        return row
    except ValueError:
        pass
    data = loads(line)
    if not isinstance(data, dict):
        raise ValueError("no object")
    fields = {name: data[name] for name in Row.__struct_fields__ if name in data}
    fields["timestamp"] = parse_time(data.get("timestamp"))
    fields["message"] = _message(data.get("message"))
    if "toolUseResult" in fields:
        fields["toolUseResult"] = msgspec.Raw(msgspec.json.encode(fields["toolUseResult"]))
    return Row(**fields)


def _message(data: Any) -> Message | None:
    if not isinstance(data, dict):
        return None
    content = data.get("content")
    if not isinstance(content, list):
        return Message(text_of(content), data.get("model"))
    blocks = []
    for item in content:
        if isinstance(item, dict):
            blocks.append(Block(**{name: item[name] for name in Block.__struct_fields__ if name in item}))
        elif isinstance(item, str):
            blocks.append(Block(PLAIN, item))
    return Message(blocks, data.get("model"))
