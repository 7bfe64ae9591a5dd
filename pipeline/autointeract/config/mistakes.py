"""Says what is wrong with a key or a value, in one line for the person who typed it.

Nothing here decides: it words what the settings' own models refused. Values of keys that may be secret are left out.
"""

import difflib
from collections.abc import Sequence
from typing import Any, get_args

from pydantic import BaseModel

_SECRET = ("api_key_env", "pseudonym_key")
_PLAIN = {
    "int_parsing": "must be a whole number", "int_type": "must be a whole number",
    "int_from_float": "must be a whole number", "float_parsing": "must be a number", "float_type": "must be a number",
    "finite_number": "must be a finite number", "bool_parsing": "must be true or false",
    "bool_type": "must be true or false", "missing": "is missing", "string_too_short": "must not be empty",
    "string_unicode": "must be UTF-8 text",
}  # fmt: skip


def section_of(annotation: Any) -> type[BaseModel] | None:
    """The settings model in a field's annotation (also inside a list or a union), or null."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for inner in get_args(annotation) if (found := section_of(inner))), None)


def unknown_key(key: str, known: Sequence[str], sections: Sequence[str]) -> str:
    """The line for a key that does not exist: the nearest one, else what there is in its section.

    Args:
        sections: those of `known` that hold keys themselves.
    """
    parent, _, leaf = key.rpartition(".")
    near = _near(key, parent, leaf, known, sections)
    if near:
        return f"unknown key {key!r}; did you mean {near!r}?"
    inside = [name for name in known if name.rpartition(".")[0] == parent]
    if parent in sections:
        return f"unknown key {key!r}; keys of {parent} are {', '.join(name.rpartition('.')[2] for name in inside)}"
    return f"unknown key {key!r}; sections are {', '.join(name for name in known if '.' not in name)}"


def wrong_value(error: dict[str, Any], root: type[BaseModel]) -> tuple[str, str]:
    """(dotted key, what is wrong) of the first error of a pydantic ValidationError."""
    path, model = _walk(error["loc"], root)
    key, kind, got = ".".join(path), error["type"], error.get("input")
    context = error.get("ctx") or {}
    if kind == "extra_forbidden":
        return ".".join(path[:-1]), f"unknown key {path[-1]!r}; keys are {', '.join(model.model_fields)}"
    if kind in ("model_type", "model_attributes_type", "dataclass_type", "dict_type"):
        inner = next(iter(model.model_fields), "")
        where = f"{key}.{inner}" if kind != "dict_type" else f"{key}.name"
        return key, f"holds keys of its own: set {where} or another of them{_got(key, got)}"
    if kind == "list_type":
        shown = f'"{got}"' if isinstance(got, str) else repr(got)
        return key, f"must be a list, as in {path[-1]}=[{shown}]"
    if kind == "string_type":
        return key, f'must be text, as in "..."{_got(key, got)}'
    if kind == "literal_error":
        return key, f"must be {context.get('expected')}{_got(key, got)}"
    if kind == "value_error":
        said = str(context.get("error", error["msg"]))
        return key, said if isinstance(got, dict) else f"{said}{_got(key, got)}"
    bounds = {"greater_than_equal": ("ge", "at least"), "less_than_equal": ("le", "at most"),
              "greater_than": ("gt", "more than"), "less_than": ("lt", "less than")}  # fmt: skip
    if kind in bounds:
        name, bound = bounds[kind]
        return key, f"must be {bound} {context.get(name)}{_got(key, got)}"
    plain = str(error["msg"][:1].lower() + error["msg"][1:])
    said = _PLAIN.get(kind, plain)
    return key, said if kind == "missing" else f"{said}{_got(key, got)}"


def _near(key: str, parent: str, leaf: str, known: Sequence[str], sections: Sequence[str]) -> str | None:
    ending = [name for name in known if name.endswith(f".{key}")]
    if ending:
        return ending[0]
    if not parent or parent in sections:
        beside = {name.rpartition(".")[2]: name for name in known if name.rpartition(".")[0] == parent}
        found = difflib.get_close_matches(leaf, list(beside), 1, 0.7)
    else:
        beside = {name: name for name in known}
        found = difflib.get_close_matches(key, known, 1, 0.75)
    if found:
        return beside[found[0]]
    same = [name for name in known if leaf and name.rpartition(".")[2] == leaf]
    return same[0] if same else None


def _walk(location: Sequence[Any], root: type[BaseModel]) -> tuple[list[str], type[BaseModel]]:
    """The part of a location that names keys and places of lists (pydantic adds names of union members), and the
    innermost settings model on the way.
    """
    path: list[str] = []
    model, annotation = root, None
    inside: type[BaseModel] | None = root
    for part in location:
        if isinstance(part, int):
            path.append(str(part))
            continue
        if inside is None:
            if _takes_any_key(annotation):
                path.append(str(part))
            break
        path.append(str(part))
        field = inside.model_fields.get(str(part))
        if field is None:
            break
        annotation = field.annotation
        inside = section_of(annotation)
        model = inside or model
    return path, model


def _takes_any_key(annotation: Any) -> bool:
    return getattr(annotation, "__origin__", None) is dict or annotation is dict


def _got(key: str, value: Any) -> str:
    if key.rpartition(".")[2] in _SECRET:
        return ""
    text = repr(value)
    return f" (got {text if len(text) <= 80 else text[:77] + '...'})"
