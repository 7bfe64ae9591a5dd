"""Composes the rooms' own settings into one `Settings`. No room imports this module.

Layers, each over the one before: the defaults beside each class; TOML files and `key.sub=value` words in the order they
are given with `-c`; environment variables `AUTOINTERACT_SECTION__KEY`; command-line options such as `--seed`. A word
`key.sub=value` beats the environment, because somebody typed it for this run.
"""

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, Field, ValidationError

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

    workspace: Annotated[str, RUN_ONLY] = "data/runs/default"
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
    layers = [_file(source) for source in sources if "=" not in source]
    layers.append(_environment(os.environ))
    layers.extend(_word(source) for source in sources if "=" in source)
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
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        where = next((origin[name] for name in origin if key.startswith(name) or name.startswith(key)), "settings")
        raise ConfigError(f"{where}: {key}: {first['msg']} (got {first.get('input')!r})") from error


def known_keys(model: type[BaseModel] = Settings, prefix: str = "") -> Iterator[str]:
    """Every dotted key, sections included."""
    for name, field in model.model_fields.items():
        yield prefix + name
        section = _section(field.annotation)
        if section:
            yield from known_keys(section, f"{prefix}{name}.")


def _file(name: str) -> tuple[dict[str, Any], str]:
    try:
        data = tomllib.loads(Path(name).read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConfigError(f"config file {name!r} does not exist (a single setting is written key.sub=value)") from error
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise ConfigError(f"config file {name}: {error}") from error
    return dict(_flatten(data)), name


def _word(word: str) -> tuple[dict[str, Any], str]:
    key, _, text = word.partition("=")
    return dict(_flatten_one(key.strip(), _value(text))), f"-c {word}"


def _environment(environ: Mapping[str, str]) -> tuple[dict[str, Any], str]:
    names = {key.split(".")[0].upper() for key in known_keys()}
    flat: dict[str, Any] = {}
    for name, text in sorted(environ.items()):
        path = name.removeprefix(ENV_PREFIX).split("__") if name.startswith(ENV_PREFIX) else []
        if path and path[0] in names and text:
            flat.update(_flatten_one(".".join(part.lower() for part in path), _value(text)))
    return flat, "environment"


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
    leaf = key.rpartition(".")[2]
    near = difflib.get_close_matches(key, known, 1, 0.6) or [
        name for name in known if difflib.SequenceMatcher(None, name.rpartition(".")[2], leaf).ratio() > 0.75
    ]
    hint = f"; did you mean {near[0]!r}?" if near else f"; sections are {', '.join(Settings.model_fields)}"
    raise ConfigError(f"{where}: unknown key {key!r}{hint}")


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
