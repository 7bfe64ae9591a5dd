"""Cases of a verifier as text: what a case calls, what it expects, and how a user reports one."""

import ast
import re
from functools import lru_cache

from autointeract.records import AssertionsSpec, Record, StdioSpec, VerifierSpec

_SPACE = re.compile(r"\s+")


class CaseText(Record):
    """One case: the call (or the input) and what is expected, as written; `expected` is "" where it cannot be told."""

    call: str
    expected: str = ""

    def told(self) -> str:
        """As a user reports it."""
        if self.expected:
            return f"`{self.call}` should give `{self.expected}`"
        return f"`{self.call}` should hold"


def case_texts(spec: VerifierSpec) -> list[CaseText]:
    """The cases of a verifier, in its order; empty for verifiers without case texts."""
    if isinstance(spec, AssertionsSpec):
        return [parse_assertion(text) for text in spec.assertions]
    if isinstance(spec, StdioSpec):
        return [CaseText(call=case.input.strip(), expected=case.output.strip()) for case in spec.cases]
    return []


@lru_cache(maxsize=8192)
def parse_assertion(text: str) -> CaseText:
    """`assert f(2) == 4` as (`f(2)`, `4`); anything else as a call that should hold."""
    try:
        tree = ast.parse(text.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return CaseText(call=text.strip().removeprefix("assert").strip())
    test = tree.body[0].test if tree.body and isinstance(tree.body[0], ast.Assert) else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq | ast.Is):
        left = ast.get_source_segment(text.strip(), test.left) or ast.unparse(test.left)
        right = ast.get_source_segment(text.strip(), test.comparators[0]) or ast.unparse(test.comparators[0])
        return CaseText(call=left, expected=right)
    return CaseText(call=ast.unparse(test) if test is not None else text.strip())


@lru_cache(maxsize=2048)
def squeeze(text: str) -> str:
    """`text` without any white space and with one kind of quote: how cases are compared."""
    return _SPACE.sub("", text).replace('"', "'")


def shows(text: str, case: CaseText) -> bool:
    """Whether `text` shows a case: its call, and what is expected shortly after it."""
    here, call, expected = squeeze(text), squeeze(case.call), squeeze(case.expected)
    start = here.find(call)
    while start >= 0 and call:
        after = here[start + len(call) : start + len(call) + len(expected) + 40]
        if expected in after:
            return True
        start = here.find(call, start + 1)
    return False
