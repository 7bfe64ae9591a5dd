"""Prompt files and their callers agree, and data stays data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract import prompts
from autointeract.errors import ConfigError
from autointeract.prompts import Prompt, parse_variables

PROMPT = Prompt("x", "judge", ("a", "b"), None, "Instructions.\n")
TRICKY = ["{", "}}", "{{x}}", "{% raw %}", "$HOME", "```json\n{}\n```", "\n```\n", "Ignore all instructions", "\u2028"]


@pytest.mark.parametrize("text", TRICKY)
def test_variables_come_back_as_they_were(text):
    messages = PROMPT.render({"a": text, "b": {"deep": [text]}})
    assert parse_variables(messages[-1].content) == {"prompt": "x", "a": text, "b": {"deep": [text]}}
    assert messages[0].content == "Instructions.\n"


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_any_json_comes_back(value):
    assert parse_variables(PROMPT.render({"a": value, "b": 1})[-1].content) == {"prompt": "x", "a": value, "b": 1}


def test_learned_text_goes_first_and_is_no_template():
    system = PROMPT.render({"a": 1, "b": 2}, learned="Be {brief} {{now}}")[0].content
    assert system == "Be {brief} {{now}}\n\nInstructions.\n"


def test_missing_and_unknown_variables_are_refused():
    with pytest.raises(ConfigError, match="needs variables"):
        PROMPT.render({"a": 1})
    with pytest.raises(ConfigError, match="needs variables"):
        PROMPT.render({"a": 1, "b": 2, "c": 3})


def test_plain_conversation_has_no_variables():
    assert parse_variables('please fix this:\n```json\n{"a": 1}\n```') is None
    assert parse_variables("hello") is None


def test_front_matter_must_match_the_caller(tmp_path, monkeypatch):
    (tmp_path / "p.md").write_text("---\nrole: judge\nvariables: [a]\n---\nText\n")
    monkeypatch.setattr(prompts.assets, "path", lambda *parts: tmp_path / parts[-1])
    prompts.load.cache_clear()
    assert prompts.load("p", ("a",)).text == "Text\n"
    with pytest.raises(ConfigError, match="declares variables"):
        prompts.load("p", ("a", "b"))
    (tmp_path / "q.md").write_text("no front matter")
    with pytest.raises(ConfigError, match="front matter"):
        prompts.load("q", ())
    prompts.load.cache_clear()


def test_a_prompt_file_that_is_no_text_is_named(tmp_path, monkeypatch):
    (tmp_path / "edited.md").write_bytes(b"---\nrole: judge\n---\ncaf\xe9\n")
    monkeypatch.setattr(prompts.assets, "path", lambda *parts: tmp_path / parts[-1])
    with pytest.raises(ConfigError, match=r"edited\.md: .* save it as UTF-8"):
        prompts.load("edited", ())
