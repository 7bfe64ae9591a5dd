"""Structured replies: what is understood, what is refused, and that nothing is invented."""

import json
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict, Field

from autointeract.models.structured import ParseError, is_strict, parse
from autointeract.models.thinking import split_thinking


class Inner(BaseModel):
    name: str
    kinds: list[Literal["reveal_piece", "close"]] = []


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    score: int = Field(ge=1, le=5)
    share: float = Field(default=0.5, ge=0, le=1)
    inner: Inner | None = None
    notes: list[str] = []
    strict: bool = False


@pytest.mark.parametrize(("given_score", "expected"), [
    (4, 4), (4.0, 4), ("4", 4), ("4/5", 4), ("4 out of 5", 4), (" 4 ", 4), (True, None), (11, None), (None, None),
    ("4/10", None), (4.5, None), ("four", None), ("true", None), ([4], None), ("", None),
])  # fmt: skip
def test_scores_on_a_scale(given_score: Any, expected: int | None) -> None:
    text = json.dumps({"score": given_score})
    if expected is None:
        with pytest.raises(ParseError, match="score"):
            parse(text, Verdict)
    else:
        assert parse(text, Verdict).score == expected


@pytest.mark.parametrize(("share", "expected"), [
    ("4/5", 0.8), ("1/5", 0.2), ("80%", 0.8), ("0.8", 0.8), (1, 1.0), ("nan", None), (False, None), ("1/0", None),
])  # fmt: skip
def test_shares(share: Any, expected: float | None) -> None:
    text = json.dumps({"score": 1, "share": share})
    if expected is None:
        with pytest.raises(ParseError):
            parse(text, Verdict)
    else:
        assert parse(text, Verdict).share == pytest.approx(expected)


def test_nested_names_lists_and_choices() -> None:
    text = (
        '{"Score": "3", "inner": {"NAME": 7, "kinds": ["Reveal Piece", "CLOSE"], "more": 1}, "notes": "one", "x": {}}'
    )
    assert parse(text, Verdict) == Verdict(
        score=3, inner=Inner(name="7", kinds=["reveal_piece", "close"]), notes=["one"]
    )


@pytest.mark.parametrize("text", [
    '{"score": 3, "notes": ["cut', '{"score": 3, "inner": {"name": "x"}, "notes": ["a"', "```json\n{\"score\": 3, \"no",
    "", "{", "[]", "null", "3", '{"notes": []}', "score: 3", "{}" * 50,
])  # fmt: skip
def test_what_is_cut_or_missing_is_not_invented(text: str) -> None:
    with pytest.raises(ParseError):
        parse(text, Verdict)


def test_braces_in_strings_do_not_confuse() -> None:
    assert parse('Look: {"score": 2, "notes": ["} ``` {", "{{x}}"],}', Verdict).notes == ["} ``` {", "{{x}}"]


def test_strictness_of_schemas() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(extra="forbid")
        score: int

    assert is_strict(Strict) and not is_strict(Verdict) and not is_strict(Inner)


KINDS = st.lists(st.sampled_from(["reveal_piece", "close"]), max_size=2)
VERDICTS = st.builds(
    Verdict, score=st.integers(1, 5), share=st.floats(0, 1), notes=st.lists(st.text(max_size=20), max_size=3),
    inner=st.none() | st.builds(Inner, name=st.text(max_size=20), kinds=KINDS),
    strict=st.booleans(),
)  # fmt: skip
WRAPPERS = [
    "{}", "```json\n{}\n```", "Sure!\n\n```\n{}\n```\nHope this helps", "[{}]", '{{"result": {}}}', "\ufeff{}",
    "\n\n {} \n", "Here: {} Done.", "<b>{}</b>",
]  # fmt: skip


@given(VERDICTS, st.sampled_from(WRAPPERS), st.booleans())
def test_whatever_is_wrapped_comes_back(verdict: Verdict, wrapper: str, ascii_only: bool) -> None:
    body = json.dumps(verdict.model_dump(), ensure_ascii=ascii_only)
    if "`" in body or "<" in body:
        return
    assert (
        parse(wrapper.replace("{}", "\0").replace("{{", "{").replace("}}", "}").replace("\0", body), Verdict) == verdict
    )


@given(VERDICTS, st.integers(1, 400))
def test_a_prefix_is_never_taken_for_the_whole(verdict: Verdict, cut: int) -> None:
    body = json.dumps({"notes": verdict.notes, "inner": verdict.model_dump()["inner"], "score": verdict.score})
    text = body[: max(0, len(body) - cut)]
    for mend in (True, False):
        with pytest.raises(ParseError):
            parse(text, Verdict, mend=mend)


@given(st.text(max_size=200) | st.text(alphabet='{}[]",:\\`true1 /*', max_size=80))
def test_any_text_gives_an_instance_or_a_parse_error(text: str) -> None:
    try:
        assert isinstance(parse(text, Verdict), Verdict)
    except ParseError:
        pass


@pytest.mark.parametrize(("text", "visible", "thinking"), [
    ("<think>a</think>b", "b", "a"), ("<thinking>a</thinking>\n\nb", "b", "a"), ("a</think>b", "b", "a"),
    ("<think>a", "", "a"), ("I think <think>a</think> b", "I think <think>a</think> b", None),
    ("```\nx</think>\n```", "```\nx</think>\n```", None), ("plain", "plain", None),
])  # fmt: skip
def test_thinking(text: str, visible: str, thinking: str | None) -> None:
    assert split_thinking(text) == (visible, thinking)
