"""Composes the rooms' own settings into one `Settings`. No room imports this module.

Layers, each over the one before: the defaults beside each class; TOML files in the order they are given with `-c`;
environment variables `AUTOINTERACT_SECTION__KEY`; words `key.sub=value` in the order they are given with `-c` (somebody
typed them for this run); command-line options such as `--seed`.
"""

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, Field, ValidationError

from autointeract.config.mistakes import unknown_key, wrong_value
from autointeract.engine import EngineSettings
from autointeract.errors import ConfigError
from autointeract.execution.settings import ExecutionSettings
from autointeract.logs.settings import LogsSettings
from autointeract.models.settings import ModelsSettings
from autointeract.publish.settings import ExportSettings, PushSettings
from autointeract.records import RUN_ONLY, SettingsModel
from autointeract.report.settings import ReportSettings
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.tasks.settings import TasksSettings
from autointeract.users.settings import LabelSettings, LearnPromptSettings, ProfileSettings, RealismSettings

ENV_PREFIX = "AUTOINTERACT_"


class Settings(SettingsModel):
    """Everything that can be set, one section a room."""

    workspace: Annotated[str, RUN_ONLY] = Field(default="data/runs/default", min_length=1)
    """Folder of the workspace; `-w` overrides it."""
    seed: int = Field(default=0, ge=0)
    """Seed of the whole run; stages derive theirs from it."""
    pseudonym_key: str | None = Field(default=None, min_length=1)
    """Key of the user pseudonyms, for reproducible runs; null = a random one, made once and kept in the workspace."""
    logs: LogsSettings = LogsSettings()
    label: LabelSettings = LabelSettings()
    profile: ProfileSettings = ProfileSettings()
    learn_prompt: LearnPromptSettings = LearnPromptSettings()
    tasks: TasksSettings = TasksSettings()
    synthesize: SynthesisSettings = SynthesisSettings()
    realism: RealismSettings = RealismSettings()
    export: ExportSettings = ExportSettings()
    push: PushSettings = PushSettings()
    report: ReportSettings = ReportSettings()
    models: ModelsSettings = ModelsSettings()
    engine: EngineSettings = EngineSettings()
    execution: ExecutionSettings = ExecutionSettings()


def load(sources: Sequence[str] = (), options: Mapping[str, Any] | None = None) -> Settings:
    """The settings of one run.

    Args:
        sources: TOML file names and `key.sub=value` words, in order.
        options: dotted keys set by command-line options; they beat everything.

    Raises:
        ConfigError: a file is missing or is not TOML, a key is unknown (the nearest known key is named), or a value is
            not allowed; the message says which key and where it was set.
    """
    words = [source for source in sources if "=" in source and not Path(source).is_file()]
    layers = [_file(source) for source in sources if source not in words]
    layers.extend(_environment(os.environ))
    layers.extend(_word(source) for source in words)
    layers.extend(({key: value}, f"option for {key}") for key, value in (options or {}).items())
    merged: dict[str, Any] = {}
    origin: dict[str, str] = {}
    for flat, where in layers:
        for key, value in flat.items():
            known = _check_key(key, where)
            _put(merged, known.split("."), value)
            origin[known] = where
    try:
        return Settings.model_validate(merged)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        key, text = wrong_value(dict(first), Settings)
        where = next((origin[name] for name in origin if key.startswith(name) or name.startswith(key)), "settings")
        subject = "" if where == f"-c {key}" else f"{key}: " if key else ""
        raise ConfigError(f"{where}: {subject}{text}") from None  # pydantic's own text may repeat a secret


def known_keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """Every dotted key, sections included."""
    for name, field in model.model_fields.items():
        yield prefix + name
        section = _section(field.annotation)
        if section:
            yield from known_keys(section, f"{prefix}{name}.")


def _file(name: str) -> tuple[dict[str, Any], str]:
    if not name.strip():
        raise ConfigError("-c is empty: it takes a TOML file or key.sub=value")
    path = Path(name)
    if path.is_dir():
        raise ConfigError(f"config file {name!r} is a folder")
    try:
        data = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise ConfigError(_no_file(name)) from None
    except OSError as error:
        raise ConfigError(f"config file {name!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise ConfigError(f"config file {name!r} is not UTF-8 text (line {line}): save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"config file {name!r} is not TOML: {error}") from None
    return dict(_flatten(data)), name


def _no_file(name: str) -> str:
    """What a `-c` word without `=` that is no file was meant to be."""
    known = list(known_keys())
    if _section_at(name):
        inner = next(key for key in known if key.startswith(f"{name}."))
        return f"-c {name}: a section; set one of its keys, as in {inner}=VALUE"
    if name in known:
        return f"-c {name}: a setting is written with its value, {name}=VALUE"
    if name.partition(".")[0] in Settings.model_fields and not name.endswith(".toml"):
        return f"-c {name}: {unknown_key(name, known, _sections())} (a setting is written key.sub=value)"
    return f"config file {name!r} does not exist (a single setting is written key.sub=value)"


def _word(word: str) -> tuple[dict[str, Any], str]:
    key, _, text = word.partition("=")
    return dict(_flatten_one(key.strip(), _value(text.strip()))), f"-c {key.strip()}"


def _environment(environ: Mapping[str, str]) -> Iterator[tuple[dict[str, Any], str]]:
    """One layer a variable. Without `__` only names of settings count (AUTOINTERACT_VERIFY_TOKEN is none of ours)."""
    names = {name.upper() for name in Settings.model_fields}
    for name, text in sorted(environ.items()):
        path = name.removeprefix(ENV_PREFIX).split("__") if name.startswith(ENV_PREFIX) else []
        if text and path and (path[0] in names or len(path) > 1):
            yield dict(_flatten_one(".".join(part.lower() for part in path), _value(text))), f"environment {name}"


def _value(text: str) -> Any:
    """A TOML value, or the text itself where it is none (`models.weak.model=hosted_vllm/x`)."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def _flatten(data: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for key, value in data.items():
        yield from _flatten_one(f"{prefix}{key}", value)


def _flatten_one(key: str, value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict) and value and not _is_free_form(key):
        yield from _flatten(value, f"{key}.")
    else:
        yield key, value


def _check_key(key: str, where: str) -> str:
    known = list(known_keys())
    if key in known or any(_is_free_form(key[:cut]) for cut in range(len(key)) if key[cut : cut + 1] == "."):
        return key
    raise ConfigError(f"{where}: {unknown_key(key, known, _sections())}")


def _sections() -> list[str]:
    return [name for name in known_keys() if _section_at(name)]


def _section_at(key: str) -> type[BaseModel] | None:
    model: type[BaseModel] | None = Settings
    for part in key.split("."):
        field = model.model_fields.get(part) if model else None
        model = _section(field.annotation) if field else None
    return model


def _is_free_form(key: str) -> bool:
    """Whether `key` is a setting that takes a table of any keys (a field of type dict)."""
    model: type[BaseModel] | None = Settings
    annotation: Any = None
    for part in key.split("."):
        field = model.model_fields.get(part) if model else None
        if field is None:
            return False
        annotation = field.annotation
        model = _section(annotation)
    return model is None and (annotation is dict or getattr(annotation, "__origin__", None) is dict)


def _section(annotation: Any) -> type[BaseModel] | None:
    for candidate in (annotation, *get_args(annotation)):
        if isinstance(candidate, type) and issubclass(candidate, BaseModel):
            return candidate
    return None


def _put(tree: dict[str, Any], path: list[str], value: Any) -> None:
    for part in path[:-1]:
        tree = tree.setdefault(part, {})
    tree[path[-1]] = value
