"""Any JSONL of dialogues as turns to be measured: one object a line, from whatever simulator.

`messages` (`[{"role", "content"}]`, content a text or a list of `{"type": "text", "text"}` parts) or `turns` (the
user's messages as texts, or messages); if known `user`, `id` and `first` (number of the first turn that counts). Groups
(what is resampled) are users, or dialogues where no user is named.
"""

import json
from pathlib import Path
from typing import Any

from autointeract.errors import InputError
from autointeract.users.corpus import Item, of_messages


def read_dialogues(path: Path) -> list[Item]:
    """The user turns of a file.

    Raises:
        InputError: the file cannot be read, or a line is no dialogue; names the line and what is wrong with it.
    """
    found: list[Item] = []
    seen: dict[str, int] = {}
    roles: set[str] = set()
    try:
        lines = path.read_bytes().split(b"\n")
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); realism.compare takes JSONL files") from error
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            data = _object(line)
            messages = _messages(data)
            name, first = str(data.get("id") or number), data.get("first") or 0
            if name in seen:
                raise ValueError(f"has the id {name!r} of line {seen[name]}")
            if not isinstance(first, int) or first < 0:
                raise ValueError("`first` must be a whole number from 0 on")
        except ValueError as error:
            raise InputError(f"{path}: line {number} {error}") from error
        seen[name] = number
        roles |= {message["role"] for message in messages}
        found += of_messages(str(data.get("user") or name), name, messages, first)
    if not found:
        others = f"; roles there: {', '.join(sorted(roles))}" if roles else ""
        raise InputError(f'{path}: holds no user turn (a message with role "user" and a text){others}')
    return found


def _object(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except ValueError as error:
        raise ValueError(f"is not JSON ({getattr(error, 'msg', None) or 'not UTF-8'})") from error
    if not isinstance(data, dict):
        raise ValueError("is no JSON object")
    return data


def _messages(data: dict[str, Any]) -> list[dict[str, str]]:
    name = next((name for name in ("messages", "turns") if name in data), None)
    if name is None:
        raise ValueError(f"has neither `messages` nor `turns`; keys there: {', '.join(sorted(data)) or 'none'}")
    rows = data[name]
    if not isinstance(rows, list):
        raise ValueError(f"`{name}` must be a list")
    return [_message(name, place, row) for place, row in enumerate(rows, start=1)]


def _message(name: str, place: int, row: Any) -> dict[str, str]:
    if name == "turns" and isinstance(row, str):
        return {"role": "user", "content": row}
    if not isinstance(row, dict) or not isinstance(row.get("role"), str):
        raise ValueError(f'`{name}`: entry {place} needs a "role" and a "content"')
    content = row.get("content")
    if isinstance(content, list):
        parts = [part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str)]
        content = "\n".join(parts)
    if content is not None and not isinstance(content, str):
        raise ValueError(f"`{name}`: entry {place} has a content that is no text")
    return {"role": row["role"], "content": content or ""}
