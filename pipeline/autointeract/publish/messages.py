"""Messages as trainers take them, checked: what cannot be written and read back equal is refused here, by name.

Two shapes. Plain: `{"role", "content"}` only. With tool calls: `tool_calls` hold `arguments` as a mapping, because most
chat templates fail on JSON strings (33 templates tried, docs/training); OpenAI's own files hold them as a string.
"""

import json
import math
import re
from typing import Any

from autointeract.records import Message

_SURROGATE = re.compile("[\ud800-\udfff]")


class RefusedError(Exception):
    """This row cannot be written faithfully; the text says why. Caught by the export, which names the row."""


def has_tools(prompt: list[Message]) -> bool:
    """Whether the conversation holds a tool call or a tool's answer."""
    return any(message.tool_calls_json or message.role == "tool" for message in prompt)


def plain(prompt: list[Message]) -> list[dict[str, Any]]:
    """`[{"role", "content"}]` of a conversation without tool calls."""
    return [{"role": message.role, "content": message.content} for message in prompt]


def with_tools(prompt: list[Message], *, as_text: bool = False) -> list[dict[str, Any]]:
    """The conversation with OpenAI-shaped tool calls and no null keys.

    Args:
        as_text: give `arguments` as JSON text (OpenAI's files) instead of as a mapping (chat templates).

    Raises:
        RefusedError: a tool call cannot be read.
    """
    return [_message(message, as_text) for message in prompt]


def check(prompt: list[Message]) -> None:
    """Refuses a conversation that no trainer should get.

    Raises:
        RefusedError: it is empty, does not end on a user turn, has an empty user turn, a tool answer without its call,
            a tool call that is no JSON object, a number that is not finite, or text that is not valid Unicode.
    """
    if not prompt:
        raise RefusedError("the prompt is empty")
    if prompt[-1].role != "user":
        raise RefusedError(f"the prompt ends on a turn of role {prompt[-1].role!r}, not on a user turn")
    calls: set[str] = set()
    for number, message in enumerate(with_tools(prompt)):
        where = f"message {number}"
        _check_text(message, where)
        if message["role"] == "user" and not message["content"].strip():
            raise RefusedError(f"{where}: empty user turn")
        calls.update(call["id"] for call in message.get("tool_calls", []))
        if message["role"] == "tool" and message.get("tool_call_id") not in calls:
            raise RefusedError(f"{where}: tool answer without a call before it")


def _message(message: Message, as_text: bool) -> dict[str, Any]:
    data: dict[str, Any] = {"role": message.role, "content": message.content}
    if message.tool_calls_json:
        data["tool_calls"] = [_call(call, as_text) for call in _load(message.tool_calls_json)]
    if message.tool_call_id:
        data["tool_call_id"] = message.tool_call_id
    if message.name:
        data["name"] = message.name
    return data


def _call(call: Any, as_text: bool) -> dict[str, Any]:
    function = call.get("function", call) if isinstance(call, dict) else {}
    name, arguments = function.get("name"), function.get("arguments", {})
    if isinstance(arguments, str):
        arguments = _load(arguments or "{}")
    if not isinstance(name, str) or not isinstance(call.get("id"), str):
        raise RefusedError("a tool call without a name or an id")
    if not isinstance(arguments, dict):
        raise RefusedError(f"arguments of tool {name!r} are no JSON object")
    shown = json.dumps(arguments, ensure_ascii=False) if as_text else arguments
    return {"id": call["id"], "type": "function", "function": {"name": name, "arguments": shown}}


def _load(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise RefusedError(f"a tool call is not JSON ({error})") from error


def _check_text(value: Any, where: str) -> None:
    if isinstance(value, str) and _SURROGATE.search(value):
        raise RefusedError(f"{where}: lone surrogate in text")
    if isinstance(value, float) and not math.isfinite(value):
        raise RefusedError(f"{where}: {value} is no JSON number")
    for item in value.items() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ():
        _check_text(item, where)
