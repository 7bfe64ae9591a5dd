"""Settings: layers, transports, identity, and the examples of the how-to page."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from autointeract.errors import ConfigError
from autointeract.models import Models, ModelsSettings, PriceSettings, RoleSettings
from autointeract.models.endpoint import resolve
from autointeract.records.vocabulary import MODEL_ROLES
from autointeract.workspace import Manifest


def settings(**sections: dict[str, Any]) -> ModelsSettings:
    return ModelsSettings.model_validate(sections)


def test_sections_are_laid_over_target_over_default() -> None:
    chosen = settings(
        default={"model": "a", "api_base": "http://h/v1", "temperature": 0.5, "price": {"input": 1, "output": 2}},
        target={"model": "b", "temperature": 1.0},
        weak={"max_tokens": 9},
        strong={"model": "c", "transport": "litellm"},
        judge={"temperature": 0.0},
    )
    weak, strong, judge = (resolve(chosen, role) for role in ("weak", "strong", "judge"))
    assert (weak.model, weak.settings.temperature, weak.settings.max_tokens) == ("b", 1.0, 9)
    assert weak.settings.price is None and weak.bases == ("http://h/v1",)
    assert (strong.transport, strong.bases, strong.model) == ("litellm", ("",), "c")
    assert judge.settings.price == PriceSettings(input=1, output=2) and judge.settings.temperature == 0.0


@pytest.mark.parametrize(("role", "expected"), [
    ({"model": "simulated/user"}, ("simulated", "user")), ({"model": "scripted/x"}, ("scripted", "x")),
    ({"model": "m", "api_base": "http://h/v1/"}, ("direct", "m")), ({"model": "openai/m"}, ("litellm", "openai/m")),
    ({"model": "Qwen/Qwen3", "api_base": "http://h/v1"}, ("direct", "Qwen/Qwen3")),
    ({"model": "openai/m", "api_base": "http://h/v1", "transport": "litellm"}, ("litellm", "openai/m")),
    ({"model": "simulated/user", "api_base": "http://h/v1"}, ("simulated", "user")),
])  # fmt: skip
def test_transports(role: dict[str, Any], expected: tuple[str, str]) -> None:
    endpoint = resolve(settings(default=role), "judge")
    assert (endpoint.transport, endpoint.model) == expected
    assert not any(base.endswith("/") for base in endpoint.bases)


def test_settings_that_cannot_work_are_refused_with_a_remedy() -> None:
    with pytest.raises(ConfigError, match="needs api_base"):
        resolve(settings(default={"model": "m", "transport": "direct"}), "judge")
    with pytest.raises(ConfigError, match="never reached through transport 'direct'"):
        resolve(settings(default={"model": "simulated/x", "transport": "direct"}), "judge")
    with pytest.raises(ValidationError, match="http://"):
        settings(default={"api_base": "gpu1:8000"})
    with pytest.raises(ValidationError, match="names 'boss'"):
        settings(budget={"role_money": {"boss": 1}})
    with pytest.raises(ValidationError):
        settings(default={"modle": "m"})


def test_what_identifies_results(tmp_path: Path) -> None:
    def identity(role: Any = "weak", book: Any = None, **fields: Any) -> dict[str, Any]:
        chosen = {"model": "m", "api_base": "http://a/v1", **fields}
        return Models(settings(default=chosen), folder=tmp_path, seed=0, answer_book=book).identity(role)

    plain = identity()
    assert plain == identity(api_key_env="KEY", price={"input": 1, "output": 1}, timeout_s=5)
    for change in ({"model": "n"}, {"api_base": "http://b/v1"}, {"temperature": 0.1}, {"max_tokens": 5},
                   {"extra_body": {"top_k": 1}}, {"served_as": "x"}, {"thinking_tokens": 5}):  # fmt: skip
        assert identity(**change) != plain, change
    assert identity(served_as="x") == identity(served_as="x", api_base=["http://c/v1", "http://d/v1"])
    book = tmp_path / "tasks"
    assert identity(model="simulated/m", book=book)["answer_book"] is None
    book.mkdir()
    manifest = Manifest(row="SourceTask", schema_version=1, software="s", stage="tasks", stage_digest="d", inputs={},
                        rows=0, parts=[], complete=True)  # fmt: skip
    (book / "manifest.json").write_text(manifest.model_dump_json())
    assert identity(model="simulated/m", book=book)["answer_book"] == manifest.content_digest
    assert "answer_book" not in identity("judge", model="simulated/m", book=book)


def test_the_examples_of_the_how_to_page_are_valid(root: Path) -> None:
    page = (root / "docs" / "how-to" / "my-endpoint.md").read_text(encoding="utf-8")
    blocks = [block.split("```")[0] for block in page.split("```toml\n")[1:]]
    assert len(blocks) >= 5
    for block in blocks:
        chosen = ModelsSettings.model_validate(tomllib.loads(block)["models"])
        if chosen.default.model:
            assert all(resolve(chosen, role) for role in MODEL_ROLES)


def test_every_setting_is_documented() -> None:
    for model in (ModelsSettings, RoleSettings):
        assert all(field.description for field in model.model_fields.values())
