"""Candidate bugs of a source tree, in a seeded order that mixes kinds and functions.

A bug changes one node of one function in one file. Files that are tests, set-up or documentation are left alone, and so
are docstrings, decorators and default values: only what a function does is broken.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import libcst as cst

from autointeract.records import Record, digest
from autointeract.tasks.maker.modifiers import MODIFIERS
from autointeract.tasks.patches import file_diff

_SKIPPED_PARTS = frozenset(
    {
        "test", "tests", "testing", "docs", "doc", "examples", "example", "benchmarks", "bench", "vendor", "_vendor",
        "build",
    }
)  # fmt: skip
_SKIPPED_FILES = ("setup.py", "conftest.py", "noxfile.py", "tasks.py", "__main__.py", "_version.py")
MAX_FILE_BYTES = 400_000


class Bug(Record):
    """One candidate bug.

    Attributes:
        patch: introduces it, on the clean tree.
        path: of the file, from the root of the tree.
        function: qualified name in its module, e.g. `Cache.get`.
        signature, docstring: of the function, for the issue text.
    """

    strategy: str
    path: str
    function: str
    signature: str
    docstring: str
    patch: str

    @property
    def key(self) -> str:
        """Eight hex digits that name the bug."""
        return digest([self.strategy, self.patch], 8)


def source_files(root: Path) -> list[Path]:
    """The Python files whose functions may be broken, sorted."""
    found = []
    for path in sorted(root.rglob("*.py")):
        relative = path.relative_to(root)
        name = relative.name
        if _SKIPPED_PARTS & {part.lower() for part in relative.parts} or relative.parts[0].startswith("."):
            continue
        if name in _SKIPPED_FILES or name.startswith("test_") or name.endswith("_test.py") or name == "test.py":
            continue
        if path.is_symlink() or path.stat().st_size > MAX_FILE_BYTES:
            continue
        found.append(path)
    return found


class _Site(NamedTuple):
    """Where a bug can be made; the text of the broken file is only written when it is needed."""

    strategy: str
    path: str
    function: str
    signature: str
    docstring: str
    module: cst.Module
    node: cst.CSTNode
    wrong: cst.CSTNode


def find_bugs(root: Path, seed: int, per_function: int, strategies: list[str] | None = None) -> Iterator[Bug]:
    """The candidate bugs of the tree, at most `per_function` a function, kinds taken in turn."""
    sites = [
        (digest([seed, "bug", number, site.path, site.function, site.strategy]), site)
        for path in source_files(root)
        for number, site in enumerate(_sites(root, path, strategies))
    ]
    sites.sort(key=lambda item: item[0])
    turn: Counter[str] = Counter()
    placed: list[tuple[int, int, _Site]] = []
    for _, site in sites:  # the n-th bug of each kind comes before any (n+1)-th
        placed.append((turn[site.strategy], len(placed), site))
        turn[site.strategy] += 1
    taken: Counter[tuple[str, str]] = Counter()
    seen: set[str] = set()
    for _, _, site in sorted(placed, key=lambda item: item[:2]):
        where = (site.path, site.function)
        if taken[where] >= per_function:
            continue
        bug = _bug(site)
        if bug is not None and bug.patch not in seen:
            taken[where] += 1
            seen.add(bug.patch)
            yield bug


def _sites(root: Path, path: Path, strategies: list[str] | None) -> Iterator[_Site]:
    try:
        module = cst.parse_module(path.read_bytes().decode("utf-8"))
    except (UnicodeDecodeError, cst.ParserSyntaxError, RecursionError):
        return
    relative = path.relative_to(root).as_posix()
    for name, function in _functions(module, ""):
        signature = f"{name}({module.code_for_node(function.params).strip()})"
        docstring = function.get_docstring() or ""
        for node in _nodes(function.body):
            for strategy, modify in MODIFIERS.items():
                wrong = modify(node) if strategies is None or strategy in strategies else None
                if wrong is not None:
                    yield _Site(strategy, relative, name, signature, docstring, module, node, wrong)


def _bug(site: _Site) -> Bug | None:
    changed = site.module.deep_replace(site.node, site.wrong)  # type: ignore[arg-type]
    broken = changed.code if isinstance(changed, cst.Module) else site.module.code
    if broken == site.module.code or not _parses(broken):
        return None
    return Bug(
        strategy=site.strategy, path=site.path, function=site.function, signature=site.signature,
        docstring=site.docstring, patch=file_diff(site.path, site.module.code, broken),
    )  # fmt: skip


def _functions(node: cst.CSTNode, prefix: str) -> Iterator[tuple[str, cst.FunctionDef]]:
    body = node.body if isinstance(node, cst.Module) else getattr(node, "body", None)
    statements = body if isinstance(body, list | tuple) else getattr(body, "body", ())
    for item in statements:
        if isinstance(item, cst.FunctionDef):
            yield prefix + item.name.value, item
        elif isinstance(item, cst.ClassDef):
            yield from _functions(item, f"{prefix}{item.name.value}.")


def _nodes(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    yield node
    for child in node.children:
        if not isinstance(child, cst.Annotation | cst.Decorator):
            yield from _nodes(child)


def _parses(code: str) -> bool:
    try:
        ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return False
    return True
