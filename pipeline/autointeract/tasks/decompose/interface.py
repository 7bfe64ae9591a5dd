"""The interface contract: what a conversation must carry so that a solver can be judged at all.

Functions: every name the assertions call, with its signature (from the statement's stub, else from the gold code, else
from the calls). Programs: how input and output are exchanged, with the statement's format sections. Repositories: the
public behaviour is the statement itself; the contract names the repository.
"""

import ast
import re

from autointeract.records import AssertionsSpec, VerifierSpec
from autointeract.tasks.readers.assertions import called_names, parse

_CODE = re.compile(r"```[A-Za-z]*[ \t]*\n(.*?)```", re.DOTALL)
_HEADER = re.compile(r"^[ \t]*(?:async[ \t]+)?def[ \t]+(\w+)[ \t]*\(", re.MULTILINE)
_FORMAT = re.compile(
    r"^[ \t#*]*((?:input|output)(?:[ \t]+format|[ \t]+specification)?)[ \t*:]*\n+(.+?)"
    r"(?=\n[ \t]*\n|\n[ \t#*]*(?:input|output|examples?|notes?|constraints?|sample)\b|\Z)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
_MAX_SECTION = 1500


def interface_of(
    statement: str, spec: VerifierSpec, reference: str | None, entry_point: str | None, repo: str | None = None
) -> str | None:
    """The contract as text; null where none can be told (no assertion calls a plain function).

    Args:
        reference: gold code, for signatures that the statement does not show.
    """
    if spec.kind == "assertions":
        return _functions(statement, spec, reference, entry_point)
    if spec.kind == "pytest":
        where = f" of {repo}" if repo else ""
        return f"Change the repository{where} so that it behaves as described; public names and signatures stay."
    language = "C++17" if spec.language == "cpp" else "Python 3"
    lines = [f"A {language} program that reads standard input and writes the answer to standard output."]
    for match in _FORMAT.finditer(statement):
        lines.append(f"{match[1].strip().capitalize()}: {' '.join(match[2].split())[:_MAX_SECTION]}")
    return "\n".join(lines)


def entry_point_of(spec: AssertionsSpec, reference: str | None) -> str | None:
    """The function that the assertions call most, preferring those that the gold code defines."""
    defined = set(definitions(reference)) if reference else set()
    names = called_names(spec.assertions)
    return next((name for name in names if name in defined), None if defined else names[0] if names else None)


def definitions(code: str | None) -> dict[str, str]:
    """Name -> signature of the functions and classes at the top of `code`."""
    tree = parse(code or "")
    found: dict[str, str] = {}
    for node in tree.body if tree else []:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = _signature(node)
        elif isinstance(node, ast.ClassDef):
            methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
            public = [item for item in methods if item.name == "__init__" or not item.name.startswith("_")]
            found[node.name] = f"class {node.name}: " + "; ".join(_signature(item) for item in public)
    return found


def _signature(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    returns = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returns}"


def _functions(statement: str, spec: AssertionsSpec, reference: str | None, entry_point: str | None) -> str | None:
    shown = _shown(statement)
    defined = definitions(reference)
    called = called_names(spec.assertions)
    names = [name for name in called if name in defined or name in shown]
    if entry_point and entry_point not in names:
        names.insert(0, entry_point)
    if not names:
        return None
    signatures = (shown.get(name) or defined.get(name) or f"{name}(...)" for name in names[:8])
    return "\n".join(f"`{signature}`" for signature in signatures)


def _shown(statement: str) -> dict[str, str]:
    """Signatures that the statement itself shows, in fenced code or as bare `def` lines."""
    found: dict[str, str] = {}
    for code in _CODE.findall(statement):
        found.update(definitions(code) or definitions(code.rstrip() + "\n    pass\n"))
    for match in _HEADER.finditer(statement):
        if match[1] in found:
            continue
        end = statement.find(":\n", match.start())
        header = statement[match.start() : end].strip() if 0 <= end - match.start() <= 2000 else ""
        found.update(definitions(f"{header}: pass") if header else {})
    return found
