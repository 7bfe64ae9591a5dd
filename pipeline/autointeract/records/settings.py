"""Base of every settings model, and the part of settings that decides results.

A setting that changes how a stage is run but not what comes out (concurrency, budgets, paths, workers) is declared
`Annotated[int, RUN_ONLY]`; it may change on resume. Everything else is part of the stage digest.
"""

from typing import Any

from pydantic import BaseModel, ConfigDict


class RunOnly:
    """Marks a field that does not change results."""


RUN_ONLY = RunOnly()


class SettingsModel(BaseModel):
    """Frozen settings that refuse unknown keys. Each field is documented by the string beneath it."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)

    def result_view(self) -> dict[str, Any]:
        """JSON data of the fields that change results, nested settings included."""
        return {
            name: _view(getattr(self, name))
            for name, field in type(self).model_fields.items()
            if not _is_run_only(field.metadata)
        }


def _is_run_only(metadata: list[Any]) -> bool:
    return any(isinstance(item, RunOnly) for item in metadata)


def _view(value: Any) -> Any:
    if isinstance(value, SettingsModel):
        return value.result_view()
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    if isinstance(value, dict):
        return {str(key): _view(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_view(item) for item in value]
    if isinstance(value, set | frozenset):
        return sorted(str(item) for item in value)
    return value if isinstance(value, str | int | float | bool | None) else str(value)
