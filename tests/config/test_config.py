"""Layers, and errors that name the key, the place and the nearest known key."""

import pytest

from autointeract import config
from autointeract.errors import ConfigError


def write(path, text):
    path.write_text(text)
    return str(path)


def test_layers_go_from_defaults_over_files_and_environment_to_the_command_line(tmp_path, monkeypatch):
    first = write(tmp_path / "a.toml", "seed = 1\n[engine]\nconcurrency = 2\n")
    second = write(tmp_path / "b.toml", "seed = 2\n")
    assert config.load([first, second]).seed == 2
    assert config.load([second, first]).seed == 1
    assert config.load([first, second]).engine.concurrency == 2
    monkeypatch.setenv("AUTOINTERACT_ENGINE__CONCURRENCY", "3")
    assert config.load([first]).engine.concurrency == 3
    assert config.load([first, "engine.concurrency=4"]).engine.concurrency == 4
    assert config.load(["engine.concurrency=4", first], {"engine.concurrency": 5}).engine.concurrency == 5


def test_words_take_toml_values_and_plain_text():
    settings = config.load(['logs.paths=["a", "b"]', "models.weak.model=hosted_vllm/x", "models.weak.temperature=0.5"])
    assert list(settings.logs.paths) == ["a", "b"]
    assert settings.models.weak.model == "hosted_vllm/x"
    assert settings.models.weak.temperature == 0.5


def test_tables_of_any_keys_stay_whole():
    settings = config.load(["models.budget.role_tokens={weak = 5}", "models.default.extra_body={a = {b = 1}}"])
    assert settings.models.budget.role_tokens == {"weak": 5}
    assert settings.models.default.extra_body == {"a": {"b": 1}}
    assert config.load(["models.budget.role_tokens.weak=6"]).models.budget.role_tokens == {"weak": 6}


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("engine.concurency=3", r"unknown key 'engine.concurency'; did you mean 'engine.concurrency'"),
        ("modles.weak.model=x", "did you mean 'models.weak.model'"),
        ("banana=1", "sections are"),
        ("engine.concurrency=many", r"-c engine.concurrency=many: engine.concurrency: .*many"),
        ("engine.concurrency=0", "greater than or equal to 1"),
    ],
)
def test_a_wrong_key_or_value_is_named(word, message):
    with pytest.raises(ConfigError, match=message):
        config.load([word])


def test_a_wrong_file_is_named(tmp_path):
    with pytest.raises(ConfigError, match=r"gone\.toml' does not exist"):
        config.load([str(tmp_path / "gone.toml")])
    with pytest.raises(ConfigError, match=r"bad\.toml"):
        config.load([write(tmp_path / "bad.toml", "seed = = 1")])
    with pytest.raises(ConfigError, match=r"typo\.toml: unknown key 'sed'.*'seed'"):
        config.load([write(tmp_path / "typo.toml", "sed = 1")])


def test_foreign_environment_is_left_alone(monkeypatch):
    monkeypatch.setenv("AUTOINTERACT_REQUIRE_DOCKER", "1")
    monkeypatch.setenv("AUTOINTERACT_SEED", "9")
    assert config.load().seed == 9


def test_a_typo_in_the_environment_is_named(monkeypatch):
    monkeypatch.setenv("AUTOINTERACT_ENGINE__CONCURENCY", "3")
    with pytest.raises(ConfigError, match=r"environment: unknown key 'engine.concurency'"):
        config.load()


def test_every_setting_is_documented():
    undocumented = [key for key in config.known_keys() if not _description(key)]
    assert undocumented == []


def _description(key):
    model = config.Settings
    described = None
    for part in key.split("."):
        field = model.model_fields[part]
        section = config._section(field.annotation)
        model = section or model
        described = field.description or section
    return described


def test_examples_load(root, monkeypatch):
    for path in sorted((root / "examples").glob("*.toml")):
        settings = config.load([str(path)])
        assert settings.models.default.model and settings.logs.paths and settings.tasks.sources, path


def test_speed_settings_do_not_change_the_result_view():
    base = config.load().result_view()
    assert config.load(["engine.concurrency=3", "models.limits.max_in_flight=5", "workspace=x"]).result_view() == base
    assert config.load(["models.weak.temperature=0.1"]).result_view() != base
