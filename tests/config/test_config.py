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
        ("engine.concurrency=many", r"^-c engine.concurrency: must be a whole number \(got 'many'\)$"),
        ("engine.concurrency=0", "^-c engine.concurrency: must be at least 1 \\(got 0\\)$"),
        ("synthesize.nope=1", "unknown key 'synthesize.nope'; keys of synthesize are .*draws, "),
        ("synthesize.nope", "unknown key 'synthesize.nope'; keys of synthesize are"),
        ("synthesize=1", r"^-c synthesize: holds keys of its own: set synthesize\.\w+ or another"),
        ("synthesize", r"a section; set one of its keys, as in synthesize\.\w+=VALUE"),
        ("seed", "written with its value, seed=VALUE"),
        ("", "-c is empty"),
        ("=1", "unknown key ''"),
        ("band.weak_max=1", "did you mean 'synthesize.band.weak_max'"),
        ("model=x", "did you mean 'models"),
        ("logs.paths=foo", r'^-c logs.paths: must be a list, as in paths=\["foo"\]$'),
        (
            'tasks.sources=[{path="x", licence="MIT"}]',
            r"tasks.sources.0: unknown key 'licence'; keys are path, .*license",
        ),
        ('label.labellers=["rule"]', r"label.labellers.0: must be 'rules' or 'model' \(got 'rule'\)"),
        ("models.default.api_base=localhost", "^-c models.default.api_base: api_base must begin with http"),
        ("models.budget.role_money.strong=x", r"^-c models.budget.role_money.strong: must be a number \(got 'x'\)$"),
        ("models.budget.role_money.strnog=1", r"budget.role_money names 'strnog'; roles are .*weak, strong$"),
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
    with pytest.raises(ConfigError, match=r"environment AUTOINTERACT_ENGINE__CONCURENCY: unknown key"):
        config.load()


def test_a_typo_in_the_name_of_a_section_is_named_too(monkeypatch):
    monkeypatch.setenv("AUTOINTERACT_SYNTHESISE__ROUNDS", "3")
    with pytest.raises(ConfigError, match=r"did you mean 'synthesize.rounds'"):
        config.load()


def test_what_may_be_a_key_is_not_repeated(tmp_path):
    for source in (
        "models.default.api_key_env=sk-abc-123",
        write(tmp_path / "k.toml", '[models.weak]\napi_key_env="sk-abc-123"\n'),
    ):
        with pytest.raises(ConfigError, match="takes the name of an environment variable") as found:
            config.load([source])
        assert "sk-abc" not in str(found.value)
        assert found.value.__cause__ is None


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'seed = 7\nname = "caf\xe9"\n', r"not UTF-8 text \(line 2\): save it as UTF-8$"),
        ("seed = 7\n".encode("utf-16"), r"not UTF-8 text \(line 1\)"),
        (b"\x00\x01", "is not TOML"),
        (b"seed = 7\nseed = 8\n", r"is not TOML: .*line 2"),
    ],
)
def test_a_file_that_cannot_be_read_is_named_in_plain_words(tmp_path, data, message):
    (tmp_path / "x.toml").write_bytes(data)
    with pytest.raises(ConfigError, match=message) as found:
        config.load([str(tmp_path / "x.toml")])
    assert "codec" not in str(found.value)
    with pytest.raises(ConfigError, match="is a folder"):
        config.load([str(tmp_path)])


def test_a_byte_order_mark_does_no_harm(tmp_path):
    (tmp_path / "x.toml").write_bytes(b"\xef\xbb\xbfseed = 7\n")
    assert config.load([str(tmp_path / "x.toml")]).seed == 7


def test_a_file_may_have_an_equals_sign_in_its_name(tmp_path):
    assert config.load([write(tmp_path / "a=b.toml", "seed = 4\n")]).seed == 4


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
