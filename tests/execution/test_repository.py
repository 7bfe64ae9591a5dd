"""The pytest verifier: strict scores, and patches that steer, replace or bend the test machinery."""

import pytest
import shop_package as package

from autointeract.execution import Execution
from autointeract.records import PytestSpec, State, Submission, Verdict


async def judge(execution: Execution, patch: str, repo_state: str = "", **more) -> Verdict:
    spec = PytestSpec(
        test_cmd="python3 -m pytest -q", fail_to_pass=package.FAIL_TO_PASS, pass_to_pass=package.PASS_TO_PASS,
        **{"time_limit_s": 30.0, "memory_mb": 512, **more},
    )  # fmt: skip
    return await execution.verify(spec, Submission(patch=patch), State(image=package.SHOP, repo_state=repo_state))


async def test_gold_passes_and_the_empty_state_fails(suites: Execution) -> None:
    gold, empty = await judge(suites, package.GOLD), await judge(suites, "")
    assert (gold.score, gold.passed, gold.total, gold.status) == (1, 3, 3, "ok"), gold
    assert (empty.score, empty.passed, empty.status) == (0, 0, "ok"), empty


async def test_partial_regressed_and_state(suites: Execution) -> None:
    partial = package.GOLD.replace("sum(prices) + tax", "sum(prices) + (tax if tax == 1 else 0)")
    verdict = await judge(suites, partial)
    assert (verdict.score, verdict.status) == (pytest.approx(2 / 3), "ok"), verdict
    regressed = package.GOLD.replace("sum(prices) + tax", "sum(prices) + tax + (not tax)")
    verdict = await judge(suites, regressed)
    assert (verdict.score, verdict.status) == (0, "regressed"), verdict
    assert (await judge(suites, "", repo_state=package.GOLD)).score == 1
    assert (await judge(suites, package.GOLD.replace("\n", "\r\n"))).score == 1


async def test_tests_that_come_as_a_patch(suites: Execution) -> None:
    code = "from shop import total\n\n\ndef test_more():\n    assert total([1], 2) == 3"
    extra = package.new_file("tests/test_more.py", code)
    more = {"fail_to_pass": ["tests/test_more.py::test_more"], "test_patch": extra}
    spec = PytestSpec.model_validate(
        {"test_cmd": "python3 -m pytest -q", "pass_to_pass": package.PASS_TO_PASS, "time_limit_s": 30, **more}
    )
    forged = package.new_file("tests/test_more.py", "def test_more():\n    pass")
    for patch, score in ((package.GOLD, 1), ("", 0), (forged, 0)):
        verdict = await suites.verify(spec, Submission(patch=patch), State(image=package.SHOP))
        assert verdict.score == score, verdict


async def test_diffs_that_cannot_be_used_are_refused_with_the_reason(suites: Execution) -> None:
    link = "diff --git a/x b/x\nnew file mode 120000\n--- /dev/null\n+++ b/x\n@@ -0,0 +1 @@\n+/etc/passwd\n"
    for patch in (
        package.new_file("../x.py", "a"), package.new_file(".git/hooks/post-checkout", "a"), link, "nonsense",
        package.GOLD.replace("sum(prices) - tax", "no such line"),
    ):  # fmt: skip
        verdict = await judge(suites, patch)
        assert (verdict.score, verdict.status) == (0, "patch_refused"), patch
        assert verdict.details[0]["message"]


PASS_ALL = """import _pytest.runner, _pytest.python
_pytest.python.Function.runtest = lambda self: None"""
HOOK = """import pytest
@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    r = (yield).get_result()
    r.outcome = 'passed'"""
STEERING = {
    "conftest": package.new_file("shop/conftest.py", HOOK) + package.new_file("conftest.py", HOOK),
    "pytest.ini": package.new_file("pytest.ini", "[pytest]\naddopts = --co -q\n"),
    "sitecustomize": package.new_file("sitecustomize.py", PASS_ALL),
    "pth": package.new_file("x.pth", "import os; os._exit(0)\n"),
    "shadow pytest": package.new_file("pytest.py", "import os; os._exit(0)\n"),
    "shadow pytest's package": package.new_file("_pytest/__init__.py", "raise SystemExit(0)"),
    "shadow unittest": package.new_file("unittest/__init__.py", "class TestCase: pass\n"),
    "entry point": package.new_file("x.egg-info/entry_points.txt", "[pytest11]\nx = shop\n"),
    "edited tests": (
        "diff --git a/tests/test_total.py b/tests/test_total.py\n--- a/tests/test_total.py\n+++ b/tests/test_total.py\n"
        "@@ -6,3 +6,3 @@\n def test_tax():\n-    assert total([1, 2], 1) == 4\n+    assert True\n \n"
    ),
    "deleted tests": (
        "diff --git a/tests/test_cheapest.py b/tests/test_cheapest.py\ndeleted file mode 100644\n"
        "--- a/tests/test_cheapest.py\n+++ /dev/null\n@@ -1,8 +0,0 @@\n"
        + "".join(f"-{line}\n" for line in package.FILES["tests/test_cheapest.py"].rstrip("\n").split("\n"))
    ),
}  # fmt: skip
RUNNING = {
    "runtest does nothing": PASS_ALL,
    "reports say passed": """import _pytest.reports as r
old = r.TestReport.__init__
def new(self, *a, **k):
    old(self, *a, **k)
    self.outcome = 'passed'
r.TestReport.__init__ = new""",
    "unittest asserts nothing": """import unittest
for n in dir(unittest.TestCase):
    if n.startswith('assert'): setattr(unittest.TestCase, n, lambda *a, **k: None)""",
    "assertion errors vanish": """import _pytest.runner as r
def quiet(item, when, **k): return r.CallInfo(None, None, 0, 0, 0, when, _ispytest=True)
r.call_runtest_hook.__code__ = quiet.__code__
import _pytest.runner""",
    "forged report": """import os, json
ids = ['test_tax', 'test_many[one item]', 'test_many[two]', 'test_no_tax']
lines = [dict(id='tests/test_total.py::' + n, when='call', outcome='passed', xfail=False) for n in ids]
for fd in range(3, 64):
    for line in [*lines, dict(finished=0)]:
        try: os.write(fd, (json.dumps(line) + chr(10)).encode())
        except OSError: pass
os._exit(0)""",
    "leaves early": "import os\nos._exit(0)",
    "collection crash": "raise SystemExit(0)",
    "rewrites the tests": """import glob, os
for f in glob.glob('/testbed/tests/test_*.py'):
    try: open(f, 'w').write('def test_tax(): pass')
    except OSError: pass
    try: os.unlink(f)
    except OSError: pass""",
    "reads the clean tree": """import sys, importlib
sys.path.insert(0, '/.clean')
sys.modules.pop('shop.cart')
import shop.cart""",
    "never ends": "while True: pass",
}  # fmt: skip


async def test_steering_files_are_put_back(suites: Execution) -> None:
    alone = await judge(suites, "".join(STEERING.values()))
    assert alone.score == 0, alone
    honest = await judge(suites, package.GOLD + "".join(STEERING.values()))
    assert honest.score == 1, honest  # the same files beside a real fix do no harm


@pytest.mark.parametrize("attack", RUNNING)
async def test_code_that_bends_the_machinery_gains_nothing(suites: Execution, attack: str) -> None:
    verdict = await judge(suites, package.at_import(RUNNING[attack]), time_limit_s=5.0)
    assert verdict.score == 0, verdict
