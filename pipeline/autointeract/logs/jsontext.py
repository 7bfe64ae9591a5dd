"""Reads JSON that people's machines really wrote: fast where it is clean, forgiving where it is not.

`loads` takes what orjson refuses and a log still holds: lone surrogates, NUL and other control characters, NaN, a BOM,
bytes that are not UTF-8. It never raises anything but ValueError.
"""

import json
from typing import Any

import orjson

from autointeract.records.text import clean_json

_DECODER = json.JSONDecoder(strict=False)


def loads(data: bytes) -> Any:
    """The JSON value in `data`.

    Raises:
        ValueError: not JSON, even with forgiveness (or nested too deeply).
    """
    try:
        return orjson.loads(data)
    except ValueError:
        pass
    text = data.decode("utf-8", "replace").lstrip("﻿").replace("\x00", "")
    try:
        return clean_json(json.loads(text, strict=False))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def glued(data: bytes) -> list[bytes]:
    """The objects of a line that holds several (two writers appended at once); none where anything is left."""
    text, place, pieces = data.decode("utf-8", "replace").strip(), 0, []
    while place < len(text):
        try:
            value, end = _DECODER.raw_decode(text, place)
        except (ValueError, RecursionError):
            return []
        if not isinstance(value, dict):
            return []
        pieces.append(text[place:end].encode())
        place = end + len(text[end:]) - len(text[end:].lstrip())
    return pieces if len(pieces) > 1 else []


def text_of(value: Any) -> str:
    """The words in a message content: a string, or a list of strings and blocks with `text`."""
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        parts = [item if isinstance(item, str) else item.get("text") for item in value if isinstance(item, str | dict)]
        return "\n".join(part for part in parts if isinstance(part, str) and part)
    if isinstance(value, dict):
        return text_of(value.get("text") or value.get("content") or value.get("parts") or "")
    return ""


def has_image(value: Any) -> bool:
    """Whether a list of content blocks shows an image."""
    return isinstance(value, list) and any(
        isinstance(item, dict) and "image" in str(item.get("type") or item.get("content_type") or "") for item in value
    )


def as_dict(value: Any) -> dict[str, Any]:
    """`value` where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """`value` where it is an array, else an empty one."""
    return value if isinstance(value, list) else []
