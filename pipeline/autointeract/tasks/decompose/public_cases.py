"""Public cases: what the statement itself shows of how it is judged. They are no secrets, everything else is.

An assertion is public when the statement shows a call with the same arguments (whatever spacing and quotes); an input
of a program when the statement holds its lines.
"""

import ast

from autointeract.records import AssertionsSpec, StdioSpec, VerifierSpec
from autointeract.tasks.decompose.examples import Example, find_examples
from autointeract.tasks.readers.assertions import parse


def public_cases(statement: str, spec: VerifierSpec, entry_point: str | None) -> list[str]:
    """Assertion texts (the verifier's own first, then examples that it does not hold, written as assertions), or the
    inputs of programs, that the statement shows.
    """
    if isinstance(spec, AssertionsSpec):
        return _assertions(statement, spec, entry_point)
    if isinstance(spec, StdioSpec):
        flat = _flat(statement)
        return [case.input for case in spec.cases if len(case.input.split()) > 1 and _flat(case.input) in flat]
    return []


def _assertions(statement: str, spec: AssertionsSpec, entry_point: str | None) -> list[str]:
    shown: dict[str, Example] = {}
    for example in find_examples(statement):
        key = _key(example.call)
        if key and (key not in shown or shown[key].expected is None):
            shown[key] = example
    found, used = [], set()
    for text in spec.assertions:
        keys = _calls(text, entry_point)
        if keys and all(key in shown for key in keys):
            found.append(text)
            used.update(keys)
    for key, example in shown.items():
        if key not in used and example.expected is not None and (entry_point is None or example.name == entry_point):
            found.append(f"assert {' '.join(example.call.split())} == {example.expected}")
    return found


def _key(call: str) -> str | None:
    tree = parse(call.strip())
    node = tree.body[0].value if tree and tree.body and isinstance(tree.body[0], ast.Expr) else None
    return _dump(node) if isinstance(node, ast.Call) else None


def _dump(node: ast.Call) -> str | None:
    # The arguments alone: statements now and then misspell the function in their examples.
    parts = [ast.dump(arg) for arg in node.args] + [f"{kw.arg}={ast.dump(kw.value)}" for kw in node.keywords]
    return "|".join(parts) or None


def _calls(text: str, entry_point: str | None) -> list[str]:
    tree = parse(text)
    found = []
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == entry_point:
            key = _dump(node)
            if key is None:
                return []
            found.append(key)
    return found


def _flat(text: str) -> str:
    return " " + " ".join(text.split()) + " "
