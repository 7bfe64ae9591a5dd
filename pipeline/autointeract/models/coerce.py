"""Bends plain JSON data towards a pydantic model: numbers as strings, `4/5`, key case, wrappers.

What is not plain stays as it is and fails validation: `true` is no score, NaN is no number, null is no text. Nothing is
ever invented for a key that is missing.
"""

import math
import re
import types
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

Bend = Callable[[Any], Any]
_NUMBER = re.compile(r"\A\s*([-+]?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)\s*(?:(?:/|out of)\s*(\d+(?:\.\d+)?)|(%))?\s*\.?\s*\Z")


@cache
def bender(model: type[BaseModel]) -> Bend:
    """A function that bends data towards `model`; compiled once a model."""
    plans = {name: _of(field.annotation, _most(field.metadata)) for name, field in model.model_fields.items()}
    names = {_plain(alias): name for name, field in model.model_fields.items()
             for alias in (name, field.alias) if alias}  # fmt: skip
    keys = {name: field.alias or name for name, field in model.model_fields.items()}
    open_ended = model.model_config.get("extra") == "allow"

    def bend(value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        bent: dict[str, Any] = {}
        for key, item in value.items():
            name = key if key in plans else names.get(_plain(key))
            if name is None:
                if open_ended:
                    bent[key] = item
            elif keys[name] not in bent or key == name:
                bent[keys[name]] = plans[name](item)
        return bent

    return bend


def unwrap(value: Any, model: type[BaseModel]) -> Any:
    """The object inside a list of one, or inside `{"result": {...}}`."""
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, dict) and len(value) == 1:
        key, inner = next(iter(value.items()))
        fields = {_plain(name) for name in model.model_fields}
        if isinstance(inner, dict) and _plain(key) not in fields:
            return inner
    return value


def _of(annotation: Any, most: float | None) -> Bend:
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *metadata = get_args(annotation)
        found = _most(metadata)
        return _of(inner, most if found is None else found)
    if origin in (Union, types.UnionType):
        kinds = [kind for kind in get_args(annotation) if kind is not type(None)]
        if len(kinds) != 1:
            return _same
        plan = _of(kinds[0], most)
        return lambda value: None if value is None else plan(value)
    if origin is Literal:
        return _choice(get_args(annotation))
    if origin in (list, tuple, set, frozenset):
        arguments = get_args(annotation)
        return _many(_of(arguments[0], None) if arguments else _same)
    if annotation in (int, float):
        return lambda value: _number(value, most)
    if annotation is str:
        return lambda value: str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return lambda value: bender(annotation)(value)  # late: models may refer to themselves
    return _same


def _many(plan: Bend) -> Bend:
    def bend(value: Any) -> Any:
        if isinstance(value, str | dict):
            value = [value] if value else []
        return [plan(item) for item in value] if isinstance(value, list) else value

    return bend


def _choice(options: tuple[Any, ...]) -> Bend:
    by_plain = {_plain(str(option)): option for option in options}

    def bend(value: Any) -> Any:
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return value
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return by_plain.get(_plain(str(value)), value)

    return bend


def _number(value: Any, most: float | None) -> Any:
    """A number, or the value as text that no number field accepts."""
    if isinstance(value, bool):
        return f"{value} is no number"
    if isinstance(value, float) and not math.isfinite(value):
        return "not a finite number"
    if not isinstance(value, str):
        return value
    match = _NUMBER.match(value)
    if not match:
        return f"{value[:40]!r} is no number"
    number, whole, percent = match.groups()
    parsed: float = int(number) if number.lstrip("+-").isdigit() else float(number)
    if percent:
        return parsed / 100 if most is not None and most <= 1 else parsed
    if whole is None:
        return parsed
    if most is not None and most <= 1:
        return parsed / float(whole) if float(whole) else value
    return parsed if most is None or float(whole) == most else value  # 4/10 on a scale of 5 is not plain


def _most(metadata: Any) -> float | None:
    for item in metadata:
        for name in ("le", "lt"):
            bound = getattr(item, name, None)
            if isinstance(bound, int | float):
                return float(bound)
    return None


def _plain(name: str) -> str:
    return "".join(char for char in name.lower() if char.isalnum())


def _same(value: Any) -> Any:
    return value
