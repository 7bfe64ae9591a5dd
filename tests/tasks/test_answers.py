"""Constant answers: what the tests expect most, read from their text; all of them really run elsewhere."""

import pytest

from autointeract.execution import extract_code
from autointeract.records import AssertionsSpec, Case, StdioSpec
from autointeract.tasks.admission.answers import code_submission, constants, empty, gold
from autointeract.tasks.candidate import Candidate


def candidate(assertions: list[str], code: str = "def f(x):\n    return x\n") -> Candidate:
    return Candidate(
        task_id="t", domain="algorithmic", source="s", statement="x", entry_point="f", reference={"code": code},
        spec=AssertionsSpec(assertions=assertions, entry_point="f"),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("assertions", "best", "share"),
    [
        (["assert f(1) == 2", "assert f(2) == 2", "assert f(3) == 1"], "2", 2 / 3),
        (["assert f(1)", "assert f(2) is True", "assert not f(3)"], "True", 2 / 3),
        (["assert [1, 2] == f(1)"], "[1, 2]", 1.0),
        (["assert abs(f(1) - 0.5) < 1e-6"], "0.5", 1.0),
        (["x = 3\nassert f(x) == 'a'"], "'a'", 1.0),
    ],
)
def test_the_most_expected_value_comes_first(assertions, best, share):
    found = constants(candidate(assertions), 3)
    assert found[0].shown == best and found[0].share == pytest.approx(share)


def test_what_cannot_be_read_is_counted_as_open():
    found = constants(candidate(["assert f(1) == 2", "assert f(2) == g(3)"]), 3)
    assert found[0].open_share == 0.5


def test_programs_print_their_most_common_output():
    spec = StdioSpec(language="python", cases=[Case(input=str(n), output="NO\n") for n in range(3)])
    one = candidate(["assert f(1) == 1"]).model_copy(update={"spec": spec})
    assert constants(one, 1)[0].code == "print('NO\\n', end='')\n"
    cpp = one.model_copy(update={"spec": spec.model_copy(update={"language": "cpp"})})
    assert "fputs" in constants(cpp, 1)[0].code and "int main()" in (empty(cpp, 0).text or "")


def test_runs_differ_in_a_comment_alone_and_survive_fences_in_code():
    code = 'def f(x):\n    """\n```\nnot the end\n```\n    """\n    return x\n'
    one, two = (gold(candidate(["assert f(1) == 1"], code), run).text or "" for run in (0, 1))
    assert one != two
    extracted = extract_code(one, "f")
    assert extracted is not None and extracted.startswith(code.rstrip()) and extracted.rstrip().endswith("# run 0")
    stub = extract_code(empty(candidate(["assert f(1) == 1"]), 0).text or "", "f")
    assert stub is not None and "def f(*args, **kwargs):\n    pass" in stub
    assert code_submission("x", AssertionsSpec(assertions=["assert x"]), 3).text == "```python\nx\n\n# run 3\n```\n"
