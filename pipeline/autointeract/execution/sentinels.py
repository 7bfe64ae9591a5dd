"""Tests whose outcome is known, planted among the real ones: whoever bends the test machinery bends them too.

Each has a name that cannot be guessed when a patch is written. Some must fail, in every way that a suite of that kind
fails (bare asserts, unittest's methods, pytest.raises, approx, numpy's assertions); one must error, one be skipped, one
pass. What this cannot see: code that knows the real tests' exact ids and bends only those (docs/threat-model.md).
"""

import random
import re
import secrets
from dataclasses import dataclass
from typing import Any

_WORDS = [
    "empty", "nested", "order", "value", "range", "index", "default", "unicode", "merge", "split", "cache", "limit",
    "round", "parse", "format", "state", "update", "invalid", "missing", "result", "simple", "repeated", "lookup",
]  # fmt: skip
_FAILING = (
    "    {a} = [3, 1]\n    assert {a} == [1, 3]", "    {a} = {{'k': 1}}\n    assert {a}['k'] > 1",
    "    raise ValueError('{a}')", "    with __import__('pytest').raises(KeyError):\n        {a} = [].copy()",
    "    {a} = 2.0\n    assert {a} == __import__('pytest').approx(1.0)",
)  # fmt: skip
_UNITTEST = (
    "self.assertEqual([1], [2])", "self.assertTrue([])", "self.assertIn(1, [2])", "self.assertIsNone(0)",
    "self.assertRaises(KeyError, list)", "self.assertAlmostEqual(1.0, 2.0)", "self.assertFalse([0])", "self.fail('no')",
)  # fmt: skip
_NUMPY = ("testing.assert_allclose([1.0], [2.0])", "testing.assert_array_equal([1], [2])")


@dataclass(frozen=True)
class Sentinel:
    """One planted test: where, its code, its node ids and what each must come out as."""

    file: str
    code: str
    where: float
    expected: dict[str, str]

    def job(self) -> dict[str, Any]:
        """What suite._plant takes."""
        return {"file": self.file, "code": self.code, "where": self.where}


def plant(files: list[str], names: list[str]) -> list[Sentinel]:
    """Sentinels for test files.

    Args:
        files: paths of the test files that are run.
        names: node ids of the real tests, whose words the sentinels' names are made of.
    """
    draw = random.SystemRandom()
    words = sorted({word for name in names for word in re.findall(r"[a-z]{3,}", name.rsplit("::", 1)[-1])} - {"test"})
    words = [*words, *_WORDS]
    python = [file for file in files if file.endswith(".py")]
    planted = [sentinel for file in python for sentinel in _failing(file, words, draw)]
    if python:
        planted += _others(draw.choice(python), words, draw)
    return planted


def _name(words: list[str], draw: random.Random) -> str:
    return "_".join(["test", *draw.sample(words, 3), str(secrets.randbelow(900) + 100)])


def _failing(file: str, words: list[str], draw: random.Random) -> list[Sentinel]:
    made = []
    for body in draw.sample(_FAILING, 3):
        name = _name(words, draw)
        code = f"def {name}():\n{body.format(a=draw.choice(words) + '_')}\n"
        made.append(Sentinel(file, code, draw.random(), {f"{file}::{name}": "failed"}))
    cls = "Test" + "".join(word.title() for word in draw.sample(words, 3)) + str(secrets.randbelow(900) + 100)
    methods = {_name(words, draw): check for check in draw.sample(_UNITTEST, 4)}
    body = "\n".join(f"    def {name}(self):\n        {check}\n" for name, check in methods.items())
    code = f"class {cls}(__import__('unittest').TestCase):\n{body}"
    made.append(Sentinel(file, code, draw.random(), {f"{file}::{cls}::{name}": "failed" for name in methods}))
    name = _name(words, draw)
    code = (
        f"def {name}():\n    numpy = __import__('sys').modules.get('numpy')\n"
        f"    assert numpy, 'absent'\n    __import__('numpy.testing').{draw.choice(_NUMPY)}\n"
    )
    return [*made, Sentinel(file, code, draw.random(), {f"{file}::{name}": "failed"})]


def _others(file: str, words: list[str], draw: random.Random) -> list[Sentinel]:
    fixture, broken, skipped, passing = (_name(words, draw) for _ in range(4))
    fixture = fixture.removeprefix("test_")
    erring = (
        f"@__import__('pytest').fixture\ndef {fixture}():\n    raise LookupError('{fixture}')\n\n\n"
        f"def {broken}({fixture}):\n    assert {fixture}\n"
    )
    return [
        Sentinel(file, erring, draw.random(), {f"{file}::{broken}": "error"}),
        Sentinel(
            file, f"def {skipped}():\n    __import__('pytest').skip('{skipped}')\n", draw.random(),
            {f"{file}::{skipped}": "skipped"},
        ),
        Sentinel(file, f"def {passing}():\n    assert [0]\n", draw.random(), {f"{file}::{passing}": "passed"}),
    ]  # fmt: skip
