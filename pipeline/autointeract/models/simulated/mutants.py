"""Wrong answers with a grade: seeded mutants of a correct program's syntax tree.

A mutant is what somebody writes who missed a requirement: a comparison off by one, a guard forgotten, an order turned
round. Mutants of one seed are nested: the one with k + 1 faults holds the k faults of the one before, so that more
misunderstanding never means another kind of answer. `own_words` rewrites a program without changing what it does, so
that no answer repeats the reference's text.
"""

import ast
import builtins
import copy
from difflib import SequenceMatcher
from functools import lru_cache

from autointeract.records import rng

_NAMES: tuple[str, ...] = (
    "out", "cur", "val", "idx", "acc", "pos", "num", "seq", "part", "nxt", "prev", "flag", "todo", "best", "step",
    "left_over", "pair", "unit", "mark", "base", "rest", "tail", "head", "goal", "slot", "leaf", "node", "gap", "run",
)  # fmt: skip
_COMPARE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_BINARY: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
}  # fmt: skip
_CALLS: dict[str, str] = {
    "min": "max", "max": "min", "lower": "upper", "upper": "lower", "any": "all", "all": "any", "append": "count",
    "startswith": "endswith", "endswith": "startswith", "lstrip": "rstrip", "isdigit": "isalpha", "isalpha": "isdigit",
}  # fmt: skip


@lru_cache(maxsize=2048)
def mutant(code: str, seed: int, faults: int) -> str:
    """`code` in other words with `faults` faults (fewer where there are not so many places); text that is not Python
    comes back unchanged.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return code
    tree = _own_words(tree)
    places = _places(tree)
    rng("mutant", ast.unparse(tree), seed).shuffle(places)
    done: set[int] = set()
    for kind, node in places:
        if len(done) >= faults:
            break
        if id(node) not in done:
            _break(kind, node)
            done.add(id(node))
    return ast.unparse(ast.fix_missing_locations(tree)) + "\n"


def own_words(code: str) -> str:
    """`code` with docstrings and comments removed and local names exchanged; the same behaviour."""
    return mutant(code, 0, 0)


def likeness(one: str, other: str) -> int:
    """How many lines of two programs differ once names and layout are set aside; 0 = the same program."""
    first, second = (_bare_lines(code) for code in (one, other))
    blocks = SequenceMatcher(None, first, second, autojunk=False).get_matching_blocks()
    return max(len(first), len(second)) - sum(block.size for block in blocks)


def _bare_lines(code: str) -> list[str]:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError):
        return code.splitlines()
    tree = _own_words(tree, [f"name{number}" for number in range(200)])
    return ast.unparse(tree).splitlines()


def _places(tree: ast.Module) -> list[tuple[str, ast.AST]]:
    """Every place a fault can sit, in source order; guards twice, because a forgotten case is the commonest fault."""
    places: list[tuple[str, ast.AST]] = []
    for function in [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]:
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            if isinstance(node, ast.If):
                places += [("negate", node)]
                if not node.orelse and len(node.body) == 1:
                    places += [("forget", node)] * 2
            elif isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARE:
                places.append(("compare", node))
            elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in _BINARY:
                places.append(("binary", node))
            elif isinstance(node, ast.BoolOp):
                places.append(("bool", node))
            elif isinstance(node, ast.Constant) and type(node.value) is int:
                places.append(("constant", node))
            elif isinstance(node, ast.Call) and _called(node) in _CALLS:
                places.append(("call", node))
            elif isinstance(node, ast.Call) and _called(node) in ("sorted", "sort", "range", "strip"):
                places.append(("argument", node))
            elif isinstance(node, ast.Return) and node.value is not None:
                places.append(("result", node))
    return places


def _break(kind: str, node: ast.AST) -> None:
    if isinstance(node, ast.If):
        node.test = (
            ast.UnaryOp(ast.Not(), node.test) if kind == "negate" else ast.BoolOp(ast.And(), [node.test, _false()])
        )
    elif isinstance(node, ast.Compare):
        node.ops[0] = _COMPARE[type(node.ops[0])]()
    elif isinstance(node, ast.BinOp | ast.AugAssign):
        node.op = _BINARY[type(node.op)]()
    elif isinstance(node, ast.BoolOp):
        node.op = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    elif isinstance(node, ast.Constant):
        node.value = int(node.value) + 1  # type: ignore[arg-type]
    elif isinstance(node, ast.Call) and kind == "call":
        target = _CALLS[_called(node)]
        if isinstance(node.func, ast.Name):
            node.func.id = target
        elif isinstance(node.func, ast.Attribute):
            node.func.attr = target
    elif isinstance(node, ast.Call):
        _argument(node)
    elif isinstance(node, ast.Return) and node.value is not None:
        node.value = ast.IfExp(node.value, copy.deepcopy(node.value), _none())


def _argument(node: ast.Call) -> None:
    name = _called(node)
    if name in ("sorted", "sort"):
        kept = [keyword for keyword in node.keywords if keyword.arg != "reverse"]
        node.keywords = kept if len(kept) < len(node.keywords) else [*kept, ast.keyword("reverse", ast.Constant(True))]
    elif name == "range" and node.args:
        end = 0 if len(node.args) == 1 else 1
        node.args[end] = ast.BinOp(node.args[end], ast.Sub(), ast.Constant(1))
    elif isinstance(node.func, ast.Attribute):
        node.func.attr = "lstrip"


def _called(node: ast.Call) -> str:
    if isinstance(node.func, ast.Name):
        return node.func.id
    return node.func.attr if isinstance(node.func, ast.Attribute) else ""


def _false() -> ast.expr:
    return ast.Constant(False)


def _none() -> ast.expr:
    return ast.Constant(None)


def _own_words(tree: ast.Module, names: list[str] | None = None) -> ast.Module:
    """Renames locals in place: to `names` in order, or to everyday names in an order that the program decides."""
    taken = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} | set(dir(builtins))
    taken |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    taken |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    fixed = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            fixed.add(node.name)
            _drop_docstring(node)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            fixed |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        elif isinstance(node, ast.Global | ast.Nonlocal):
            fixed |= set(node.names)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            fixed.add(node.name)
    fixed |= {name.id for statement in tree.body for name in _top_names(statement)}
    stored = [
        node.id
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    ]
    free = [name for name in names or _NAMES if name not in taken]
    old = [name for name in dict.fromkeys(stored) if name not in fixed]
    if names is None:
        rng("names", ast.unparse(tree)).shuffle(free)
    renamed = dict(zip(old, free, strict=False))
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in renamed:
            node.id = renamed[node.id]
    return tree


def _top_names(statement: ast.stmt) -> list[ast.Name]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return []
    return [node for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]


def _drop_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    first = node.body[0] if node.body else None
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
        node.body = node.body[1:] or [ast.Pass()]
