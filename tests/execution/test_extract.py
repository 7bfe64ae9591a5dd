"""Code extraction: thinking removed, the last fenced block that defines the entry point."""

from hypothesis import given
from hypothesis import strategies as st

from autointeract.execution import extract_code, extract_cpp


def test_last_block_that_defines_the_entry_point() -> None:
    first, last = "```python\ndef f(): return 1\n```", "```py\ndef f():\n    return 2\n```"
    text = f"{first}\nbetter:\n{last}\nuse:\n```python\nprint(f())\n```"
    assert extract_code(text, "f") == "def f():\n    return 2\n"


def test_thinking_does_not_count() -> None:
    assert extract_code("<think>```python\ndef f(): return 1\n```</think>no code", "f") is None
    assert extract_code("```python\ndef f(): return 1\n```</think>```python\ndef f(): return 2\n```", "f") == (
        "def f(): return 2\n"
    )
    assert extract_code("<think>```python\ndef f(): return 1\n```", "f") is None


def test_without_entry_point_the_last_block() -> None:
    assert extract_code("```\na = 1\n```\n```\nb = 2\n```", None) == "b = 2\n"


def test_bare_code_and_prose() -> None:
    assert extract_code("def f(x):\n    return x\n", "f") == "def f(x):\n    return x\n"
    assert extract_code("I cannot do that.", "f") is None


def test_block_cut_off_at_the_end_still_counts() -> None:
    assert extract_code("```python\ndef f():\n    return 1", "f") == "def f():\n    return 1"


def test_names_bound_in_other_ways() -> None:
    for code in ("f = lambda x: x\n", "from math import sqrt as f\n", "class f: pass\n"):
        assert extract_code(f"```python\n{code}```", "f") == code


def test_cpp_prefers_an_include_then_main() -> None:
    text = "```cpp\n#include <a>\nint main(){}\n```\n```cpp\nint x;\n```"
    assert extract_cpp(text) == "#include <a>\nint main(){}\n"
    assert extract_cpp("text\n#include <x>\nusing namespace std;\nint main() { if (1) { } }\nmore") == (
        "#include <x>\nusing namespace std;\nint main() { if (1) { } }"
    )


@given(st.text(max_size=300), st.sampled_from([None, "f"]))
def test_never_fails(text: str, name: str | None) -> None:
    extract_code(text, name)
    extract_cpp(text)
