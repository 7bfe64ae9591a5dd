"""Structured replies: one pydantic model in, an instance out, however the model wrapped its JSON.

Tolerated: fences, prose around, byte-order mark, raw newlines, comments, single quotes, trailing commas, double
encoding, a list or object around it, key case, extra keys, numbers as text, `4/5`. Not tolerated, because guessing
would invent data: JSON that is cut off, missing keys, null for a value, NaN, values out of range.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from autointeract.models.coerce import bender, unwrap

M = TypeVar("M", bound=BaseModel)
_FENCED = re.compile(r"```[a-zA-Z0-9_-]*[ \t]*\r?\n?(.*?)```", re.DOTALL)
_REFUSAL = re.compile(
    r"\A\W*(i'?m sorry|i am sorry|sorry,|i can(no|')t|i can not|i am unable|i'?m unable|i won'?t|as an ai)"
)
_LONGEST = 2_000_000


class ParseError(ValueError):
    """The text holds no instance of the reply model; the message says what is wrong, for the model and for people."""


def parse(text: str, model: type[M], mend: bool = True) -> M:
    """The instance of `model` that `text` holds.

    Args:
        mend: whether malformed JSON may be repaired (not for text that was cut off).

    Raises:
        ParseError: there is none.
    """
    problem = "no JSON object found"
    text = text.strip().lstrip("\ufeff").strip()[:_LONGEST]
    for data in _found(text):
        try:
            return _instance(data, model)
        except ParseError as error:
            problem = str(error)
    if mend and (data := _mended(text)) is not None:
        try:
            return _instance(data, model)
        except ParseError as error:
            problem = str(error)
    raise ParseError(problem)


def sounds_refused(text: str) -> bool:
    """Whether a text that should have been JSON opens like a refusal."""
    return bool(_REFUSAL.match(text.strip().lower().replace("\u2019", "'")))


@cache
def schema_of(model: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema of a reply model, as an endpoint is asked for it."""
    return model.model_json_schema()


@cache
def is_strict(model: type[BaseModel]) -> bool:
    """Whether every object of the schema names and requires all its properties (what OpenAI calls strict)."""

    def check(node: Any) -> bool:
        if isinstance(node, list):
            return all(check(item) for item in node)
        if not isinstance(node, dict):
            return True
        properties = node.get("properties")
        if isinstance(properties, dict) and (
            node.get("additionalProperties") is not False or set(node.get("required", [])) != set(properties)
        ):
            return False
        return all(check(item) for item in node.values())

    return check(schema_of(model))


def _instance(data: Any, model: type[M]) -> M:
    try:
        return model.model_validate(bender(model)(unwrap(data, model)))
    except ValidationError as error:
        lines = [f"{'.'.join(map(str, item['loc'])) or 'reply'}: {item['msg']}" for item in error.errors()[:5]]
        raise ParseError("; ".join(lines)) from None


def _found(text: str) -> Iterator[Any]:
    """JSON values in `text`, likely ones first: the whole, then fenced blocks and objects in prose, the last first."""
    if text[:1] in ("{", "[", '"'):
        try:
            value = _loads(text)
            yield _loads(value) if isinstance(value, str) else value
            return
        except ValueError:
            pass
    for block in reversed(_FENCED.findall(text)):
        try:
            yield _loads(block.strip())
        except ValueError:
            continue
    objects, at = [], text.find("{")
    while at >= 0 and len(objects) < 20:
        try:
            value, end = _DECODER.raw_decode(text, at)
            objects.append(value)
        except ValueError:
            end = at + 1
        at = text.find("{", end)
    yield from reversed(objects)


def _mended(text: str) -> Any:
    """What a repair library makes of malformed JSON that is whole; null for JSON that was cut off."""
    blocks = [block for block in _FENCED.findall(text) if "{" in block]
    text = blocks[-1] if blocks else text
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        return None
    span = text[start : end + 1]
    outside = re.sub(r'"(?:\\.|[^"\\])*"', '""', span)
    if outside.count("{") > outside.count("}") or outside.count("[") > outside.count("]"):
        return None
    import json_repair

    data = json_repair.loads(span, skip_json_loads=True)
    return data if isinstance(data, dict) and data else None


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")


_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse)


def _loads(text: str) -> Any:
    return _DECODER.decode(text)
