"""Form and interface: what a row must look like before anybody judges its content."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autointeract.records import Message
from autointeract.synthesis.shape import form_problem, interface_problem, parameters
from synthesis_world import TASK, assistant, sample_tasks, task_of, user

CALLS = '[{"id": "1", "type": "function", "function": {"name": "bash", "arguments": "{}"}}]'
TOOLS = [
    Message(role="assistant", content="", tool_calls_json=CALLS),
    Message(role="tool", content="a", tool_call_id="1"),
    Message(role="tool", content="", tool_call_id="2"),
]


@pytest.mark.parametrize(
    ("turns", "problem"),
    [
        ([], "begin with"),
        ([assistant("hi")], "begin with"),
        ([user("a"), assistant("b")], "end on"),
        ([user("a"), user("b")], "two user turns"),
        ([user("a"), assistant("b"), assistant("c"), user("d")], "two assistant turns"),
        ([user("a"), assistant("b"), user("  \n")], "blank"),
        ([user("a"), TOOLS[0], user("b")], "without its result"),
        ([user("a"), TOOLS[1], user("b")], "without a call"),
        ([user("a"), assistant("b"), TOOLS[1], user("c")], "without a call"),
        ([user("a"), TOOLS[0], TOOLS[1], user("c")], "says nothing"),
    ],
)
def test_problems_are_named(turns, problem):
    assert problem in (form_problem(turns) or "")


def test_good_forms_pass():
    assert form_problem([Message(role="system", content="s"), user("a"), assistant("b"), user("c")]) is None
    assert form_problem([user("a"), *TOOLS, assistant("done"), user("c")]) is None
    assert form_problem([user("a")]) is None


@given(st.lists(st.sampled_from(["user", "assistant", "tool"]), max_size=6))
def test_what_passes_ends_on_a_user_turn_and_alternates(roles):
    turns = [Message(role=role, content="x", tool_call_id="1" if role == "tool" else None) for role in roles]
    if form_problem(turns) is None:
        assert roles[-1] == "user" and "tool" not in roles
        assert all(a != b for a, b in itertools.pairwise(roles))


def test_interface_must_be_visible_to_the_user_turns():
    task = task_of(TASK)
    assert interface_problem(task, [user("write fee(hours, rate)")]) is None
    assert "fee" in (interface_problem(task, [user("write it for hours and rate")]) or "")
    assert "rate" in (interface_problem(task, [user("write fee(hours)")]) or "")
    assert interface_problem(task, [user("write it"), assistant("fee(hours, rate)?"), user("yes")]) is not None


def test_parameters_of_nested_annotations():
    text = "`f(a: dict[str, list[int]], b: tuple[int, int] = (1, 2), *rest, flag=False) -> dict[str, int]`"
    assert parameters(text, "f") == ["a", "b", "rest", "flag"]
    assert parameters("reads stdin", "f") == []
    for task in sample_tasks():
        assert parameters(task.interface, task.entry_point or "")
