"""The assertion verifier on bubblewrap: honest scores, what crosses, what cannot."""

import pytest

from autointeract.execution import Execution
from autointeract.records import AssertionsSpec, Submission, Verdict


async def judge(execution: Execution, code: str, *assertions: str, entry: str | None = "f", **more) -> Verdict:
    spec = AssertionsSpec(entry_point=entry, assertions=list(assertions), **more)
    return await execution.verify(spec, Submission(text=f"```python\n{code}\n```"))


def statuses(verdict: Verdict) -> list[str]:
    return [entry["status"] for entry in verdict.details]


async def test_score_is_the_share_that_passes(execution: Execution) -> None:
    verdict = await judge(
        execution, "def f(x): return x * 2", "assert f(2) == 4", "assert f(3) == 7", "assert f('a') == 'aa'"
    )
    assert (verdict.score, verdict.passed, verdict.total, verdict.trusted) == (pytest.approx(2 / 3), 2, 3, True)
    assert verdict.details[1] == {"status": "failed", "message": "", "got": "6"}


async def test_every_assertion_starts_clean(execution: Execution) -> None:
    code = "calls = []\ndef f():\n    calls.append(1)\n    return len(calls)"
    assert (
        await judge(execution, code, "assert f() == 1", "assert f() == 1", "assert (f(), f()) == (1, 2)")
    ).score == 1


async def test_no_process_serves_two_assertions(execution: Execution) -> None:
    code = (
        "import os, threading\ncalls = []\ndef f(x=0):\n    calls.append(x)\n"
        "    if x == 'leave': threading.Timer(0.1, os._exit, (0,)).start()\n    return len(calls)"
    )
    leaves = "import time\nassert f('leave') == 1\ntime.sleep(0.4)\nassert f() == 1"
    verdict = await judge(execution, code, leaves, "assert f() == 1", leaves, "assert (f(), f()) == (1, 2)")
    assert statuses(verdict) == ["error", "passed", "error", "passed"], verdict.details


async def test_an_assertion_may_hide_its_second_call(execution: Execution) -> None:
    code = "calls = []\ndef f():\n    calls.append(1)\n    return len(calls)"
    hidden = "assert f() == 1\nassert sys._getframe(0).f_globals['f']() == 2"
    verdict = await judge(execution, code, hidden, "assert f() == 1")
    assert verdict.score == 1 and verdict.trusted, verdict.details


async def test_arguments_changed_in_place_come_back(execution: Execution) -> None:
    code = "def f(a):\n    a.sort()\n    return a\ndef g(d):\n    d['k'] = [1]"
    verdict = await judge(
        execution,
        code,
        "x = [3, 1, 2]\ny = f(x)\nassert x == [1, 2, 3] and y is x",
        "d = {}\ng(d)\nassert d == {'k': [1]}",
    )
    assert verdict.score == 1 and verdict.trusted


async def test_plain_data_crosses(execution: Execution) -> None:
    values = [
        "None", "True", "10**40", "-0.5", "float('inf')", "1j", "'é\\ud800'", "b'\\x00'", "[1, [2]]", "(1, ())",
        "{1: {'a': 2}}", "{1, 2}", "frozenset({3})", "range(3)", "bytearray(b'x')", "Decimal('1.10')", "Fraction(1, 3)",
        "datetime.date(2020, 1, 2)", "Counter('aab')", "deque([1], maxlen=2)", "OrderedDict(a=1)",
    ]  # fmt: skip
    verdict = await judge(execution, "def f(x): return x", *[f"assert f({value}) == {value}" for value in values])
    assert verdict.score == 1 and verdict.trusted, verdict.details


async def test_classes_are_judged_through_references(execution: Execution) -> None:
    code = (
        "class S:\n    def __init__(self): self.a = []\n"
        "    def push(self, x): self.a.append(x)\n    def pop(self): return self.a.pop()"
    )
    verdict = await judge(execution, code, "s = S()\ns.push(3)\nassert s.pop() == 3\nassert s.a == []", entry="S")
    assert verdict.score == 1 and verdict.trusted


async def test_generators_and_exceptions(execution: Execution) -> None:
    code = "import itertools\ndef f(n):\n    if n < 0: raise ValueError('no')\n    return itertools.count(n)"
    text = "try:\n    f(-1)\n    assert False\nexcept ValueError as e:\n    assert str(e) == 'no'"
    assert (
        await judge(
            execution, code, "assert next(f(3)) == 3", "assert list(zip('ab', f(1))) == [('a', 1), ('b', 2)]", text
        )
    ).score == 1


async def test_what_needs_the_candidate_itself_is_untrusted(execution: Execution) -> None:
    verdict = await judge(execution, "def f(g): return g(2)", "assert f(lambda x: x + 1) == 3", "assert f(abs) == 2")
    assert verdict.score == 1 and not verdict.trusted


async def test_limits(execution: Execution) -> None:
    code = "def f(n):\n    while n: pass\n    return 1"
    verdict = await judge(execution, code, "assert f(1)", "assert f(0) == 1", time_limit_s=0.3)
    assert statuses(verdict) == ["timeout", "passed"]
    verdict = await judge(execution, "def f():\n    return len(bytearray(10**10))", "assert f() == 10**10")
    assert verdict.score == 0 and "MemoryError" in verdict.details[0]["message"]


async def test_no_code_and_code_that_does_not_load(execution: Execution) -> None:
    spec = AssertionsSpec(entry_point="f", assertions=["assert f() == 1"])
    assert (await execution.verify(spec, Submission(text="sorry"))).status == "no_code"
    other = Submission(text="```python\ndef g():\n    return 1\n```")
    assert (await execution.verify(spec, other)).status == "no_entry_point"
    for code in (
        "def f(: pass",
        "import sys\ndef f(): return 1\nsys.exit(0)",
        "import os\ndef f(): return 1\nos._exit(0)",
    ):
        verdict = await judge(execution, code, "assert f() == 1")
        assert (verdict.score, verdict.status) == (0, "load_error")
