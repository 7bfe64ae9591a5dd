"""Statements taken apart: facts and their spans, signatures, public cases; on docstrings, Markdown and plain text."""

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autointeract.records import AssertionsSpec, Case, Fact, StdioSpec
from autointeract.tasks.decompose import coverage, decompose, find_examples, interface_of, public_cases
from autointeract.tasks.decompose.interface import entry_point_of

STUB = '''Complete this Python function.

```python
from typing import List

def short_words(words: List[str], most: int = 3) -> List[str]:
    """
    Keep the words of at most `most` letters, e.g. the short ones. Their order
    stays as it is.
    Rules:
    1. Words are compared without case.
    2. A word that occurs twice
       is kept once.

    Examples:
    >>> short_words(['a', 'abcd'])
    ['a']
    short_words(["A", "a"], most=2) ➞ ["A"]   # the first one stays
    """
```
'''


def texts(statement: str) -> list[str]:
    return [fact.text for fact in decompose(statement)]


def test_stub_with_docstring():
    assert texts(STUB) == [
        "Keep the words of at most `most` letters, e.g. the short ones.",
        "Their order stays as it is.",
        "Words are compared without case.",
        "A word that occurs twice is kept once.",
        "short_words(['a', 'abcd']) returns ['a']",
        'short_words(["A", "a"], most=2) returns ["A"] (the first one stays)',
    ]


def test_spans_point_at_what_they_say():
    for fact in decompose(STUB):
        start, end = fact.span or (0, 0)
        assert " ".join(STUB[start:end].split()).split()[0].strip(">") in (fact.text.split()[0], "")


def test_plain_prose_and_bullets():
    statement = "Return the sum. If n is 2.5 or less, return 0!\n\n- Odd numbers count twice.\n- No input gives -1."
    assert texts(statement) == [
        "Return the sum.", "If n is 2.5 or less, return 0!", "Odd numbers count twice.", "No input gives -1.",
    ]  # fmt: skip


def test_program_statement_keeps_its_sections():
    statement = "Double it.\n\nInput\n\nOne whole number n.\n\nOutput\n\nTwice the number.\n\nInput: 3\nOutput: 6"
    assert texts(statement) == ["Double it.", "One whole number n.", "Twice the number.", "Input: 3 Output: 6"]
    spec = StdioSpec(language="python", cases=[Case(input="3", output="6")])
    contract = interface_of(statement, spec, None, None) or ""
    assert "standard input" in contract and "Input: One whole number n." in contract


def test_bare_code_is_one_fact():
    assert texts("def f(x): ...") == ["def f(x): ..."]
    assert texts("") == []


def test_coverage_counts_words_of_requirements():
    facts = decompose(STUB)
    assert coverage(STUB, facts) == 1.0
    assert coverage(STUB, facts[:-2]) < 0.8
    assert coverage(STUB, []) == 0.0
    assert coverage(STUB, [Fact(id="x", text="everything", span=(0, len(STUB)))]) == 1.0


@pytest.mark.parametrize(
    ("text", "call", "expected"),
    [
        (">>> f(1)\n2", "f(1)", "2"),
        ("f([1, (2)]) == [3]", "f([1, (2)])", "[3]"),
        ("f('a)b') => 'c'.", "f('a)b')", "'c'"),
        ("f(x=1) returns {'a': 1}, as said", "f(x=1)", "{'a': 1}"),
        ("`f(-1)` gives `None`.", "f(-1)", "None"),
        ("f(1) # => 5", "f(1)", "5"),
        ("f(2) should return True", "f(2)", "True"),
        (">>> f(1)\n>>> f(2)", "f(1)", None),
    ],
)
def test_examples(text, call, expected):
    found = find_examples(text)[0]
    assert (found.call, found.expected) == (call, expected)


def test_calls_with_names_are_no_examples():
    assert find_examples("f(x) is called with print(x, y)") == []


def test_public_cases_whatever_spacing_quotes_and_name():
    spec = AssertionsSpec(
        entry_point="short_words",
        assertions=[
            'assert short_words(["a","abcd"]) == ["a"]', "assert short_words(['A', 'a'], most=2) == ['A']",
            "assert short_words([]) == []",
        ],
    )  # fmt: skip
    assert public_cases(STUB, spec, "short_words") == spec.assertions[:2]
    misspelt = STUB.replace(">>> short_words(", ">>> shortwords(")
    assert public_cases(misspelt, spec, "short_words") == spec.assertions[:2]
    shown = "short_words(['zz']) == ['zz']"
    assert public_cases(shown, spec, "short_words") == ["assert short_words(['zz']) == ['zz']"]


def test_public_inputs_of_programs():
    spec = StdioSpec(language="cpp", cases=[Case(input="3 4\n1\n", output="6"), Case(input="9 9\n2\n", output="1")])
    assert public_cases("Sample\n3 4\n1\nthat is all", spec, None) == ["3 4\n1\n"]


def test_interface_from_statement_then_reference():
    spec = AssertionsSpec(assertions=["assert short_words(['a']) == ['a']"])
    assert interface_of(STUB, spec, "def short_words(w, m): return w", "short_words") == (
        "`short_words(words: List[str], most: int=3) -> List[str]`"
    )
    assert interface_of("Do it.", spec, "def short_words(w, m): return w", "short_words") == "`short_words(w, m)`"
    assert interface_of("Do it.", AssertionsSpec(assertions=["assert 1 == 1"]), "x = 1", None) is None


def test_interface_of_classes_and_helpers():
    spec = AssertionsSpec(assertions=["assert Box(2).size() == 2", "assert twice(Box(1)).size() == 2"])
    methods = "".join(f"    def {name}: ...\n" for name in ("__init__(self, n)", "size(self)", "_x(self)"))
    code = f"class Box:\n{methods}def twice(b): ...\n"
    assert interface_of("Boxes.", spec, code, None) == "`class Box: __init__(self, n); size(self)`\n`twice(b)`"


def test_entry_point_is_what_is_called_most_and_defined():
    spec = AssertionsSpec(assertions=["assert sorted(f(1)) == g(2)", "assert f(3) == 1"])
    assert entry_point_of(spec, "def f(x): ...\ndef g(x): ...") == "f"
    assert entry_point_of(spec, "def g(x): ...") == "g"
    assert entry_point_of(spec, "def h(x): ...") is None


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "Do it.", ">>> f(1)", "2", "- item one. Two", "", "```", "def f(x):", '    """', "f(1) == 2 (x",
                "Note:", "Input: 3",
            ]
        )
        | st.text(max_size=30),
        max_size=12,
    )
)  # fmt: skip
def test_any_statement_is_covered_by_facts_in_order(lines):
    statement = "\n".join(lines)
    facts = decompose(statement)
    spans = [fact.span for fact in facts]
    assert all(span and 0 <= span[0] < span[1] <= len(statement) for span in spans)
    assert all(one[1] <= two[0] for one, two in pairwise(spans) if one and two)
    assert len({fact.id for fact in facts}) == len(facts)
    assert bool(facts) == bool(statement.strip())
    assert all(fact.text.strip() for fact in facts)
