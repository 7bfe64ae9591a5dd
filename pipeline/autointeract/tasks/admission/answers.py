"""The answers a candidate is tried with: its gold solution, the empty state, and constant answers.

A constant answer ignores its arguments (its input) and always gives the same value; the most promising one is the value
that the tests expect most often. What it scores is what a solver gets for knowing nothing.
"""

import ast
import re
from collections import Counter

from autointeract.records import AssertionsSpec, Record, StdioFilesSpec, StdioSpec, Submission, VerifierSpec
from autointeract.tasks.candidate import Candidate
from autointeract.tasks.decompose.examples import is_literal
from autointeract.tasks.decompose.interface import definitions
from autointeract.tasks.readers.assertions import called_names, parse

MAX_CONSTANT_CHARS = 20_000


class Constant(Record):
    """A constant answer. `shown` names it for people; `share` = tests that expect just this value, `open_share` = tests
    whose expected value cannot be read from their text.
    """

    shown: str
    code: str
    share: float
    open_share: float


def gold(candidate: Candidate, run: int) -> Submission:
    """The gold solution as a submission; equal runs differ in a comment alone, so that no cache answers the second."""
    reference = candidate.reference or {}
    if "patch" in reference:
        return Submission(patch=reference["patch"])
    return code_submission(reference.get("code", ""), candidate.spec, run)


def empty(candidate: Candidate, run: int) -> Submission:
    """The state before anything is solved: stubs that return null, a program that prints nothing, no patch."""
    spec = candidate.spec
    if spec.kind == "pytest":
        return Submission(patch="")
    if spec.kind != "assertions":
        return code_submission("int main() { return 0; }\n" if spec.language == "cpp" else "pass\n", spec, run)
    return code_submission(_stubs(candidate, spec, "pass"), spec, run)


def constants(candidate: Candidate, most: int) -> list[Constant]:
    """The `most` most promising constant answers, best first; none for repositories."""
    spec = candidate.spec
    if isinstance(spec, AssertionsSpec):
        expected = [_expected(text, candidate.entry_point) for text in spec.assertions]
        counts = Counter(text for text in expected if text is not None and len(text) <= MAX_CONSTANT_CHARS)
        unread = (len(expected) - counts.total()) / len(expected)
        return [
            Constant(
                shown=text, code=_stubs(candidate, spec, f"return {text}"), share=count / len(expected),
                open_share=unread,
            )
            for text, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:most]
        ]  # fmt: skip
    if isinstance(spec, StdioFilesSpec) and candidate.meta.get("common_output"):
        output = str(candidate.meta["common_output"])
        share = float(candidate.meta.get("common_share") or 0.0)
        return [Constant(shown=output, code=printer(output, spec), share=share, open_share=0.0)]
    if isinstance(spec, StdioSpec):
        outputs = Counter(case.output for case in spec.cases)
        best = sorted(outputs.items(), key=lambda item: (-item[1], item[0]))[:most]
        unread = 1.0 if spec.checker else 0.0  # a checker may accept more than the output it was given
        return [
            Constant(shown=output, code=printer(output, spec), share=n / len(spec.cases), open_share=unread)
            for output, n in best
            if len(output) <= MAX_CONSTANT_CHARS
        ]
    return []


def code_submission(code: str, spec: VerifierSpec, run: int) -> Submission:
    """Code as a solver would hand it in: one fenced block."""
    language = "cpp" if isinstance(spec, StdioSpec | StdioFilesSpec) and spec.language == "cpp" else "python"
    comment = f"{'//' if language == 'cpp' else '#'} run {run}"
    fence = "`" * max(3, 1 + max((len(ticks) for ticks in re.findall("`+", code)), default=0))
    return Submission(text=f"{fence}{language}\n{code.rstrip()}\n\n{comment}\n{fence}\n")


def printer(output: str, spec: StdioSpec | StdioFilesSpec) -> str:
    """A program that prints `output` whatever it reads."""
    if spec.language == "python":
        return f"print({output!r}, end='')\n"
    body = "".join(f"\\{byte:03o}" for byte in output.encode())
    return f'#include <cstdio>\nint main() {{ std::fputs("{body}", stdout); return 0; }}\n'


def _stubs(candidate: Candidate, spec: AssertionsSpec, body: str) -> str:
    defined = definitions((candidate.reference or {}).get("code"))
    names = [name for name in called_names(spec.assertions) if name in defined]
    if candidate.entry_point and candidate.entry_point not in names:
        names.append(candidate.entry_point)
    parts = []
    for name in names:
        if defined.get(name, "").startswith("class "):
            parts.append(f"class {name}:\n    pass\n")
        else:
            parts.append(f"def {name}(*args, **kwargs):\n    {body}\n")
    return "\n\n".join(parts)


def _expected(text: str, entry_point: str | None) -> str | None:
    """The value an assertion expects of its call, as literal source text; null where its text does not say."""
    tree = parse(text)
    asserts = [node for node in tree.body if isinstance(node, ast.Assert)] if tree else []
    return _value(asserts[-1].test, entry_point) if asserts else None


def _value(test: ast.expr, entry_point: str | None) -> str | None:
    match test:
        case ast.Call(func=ast.Name(id=name)) if name == entry_point:
            return "True"
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call(func=ast.Name(id=name))) if name == entry_point:
            return "False"
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            sides = [side for side in (right, left) if is_literal(side)]
            return ast.unparse(sides[0]) if sides and not all(is_literal(side) for side in (left, right)) else None
        case ast.Compare(left=left, ops=[ast.Lt() | ast.LtE()]):  # abs(f(x) - 0.5) < 1e-6
            literals = [node for node in ast.walk(left) if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub)]
            if literals and is_literal(literals[0].right):
                return ast.unparse(literals[0].right)
    return None
