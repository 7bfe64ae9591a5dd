"""What an assertion says, before anything of it runs: which of its names are the candidate's, and how they are used."""

import ast
import builtins
import contextlib
import functools
import importlib

MODULES = {
    "array", "bisect", "cmath", "collections", "copy", "datetime", "decimal", "fractions", "functools", "heapq",
    "itertools", "json", "math", "numpy", "operator", "random", "re", "statistics", "string", "sys", "typing",
}  # fmt: skip
"""Modules that an assertion may use although only the candidate imports them."""
COMMON = {
    "collections": ["Counter", "OrderedDict", "defaultdict", "deque", "namedtuple"],
    "datetime": ["date", "datetime", "timedelta"], "decimal": ["Decimal"], "fractions": ["Fraction"],
    "functools": ["reduce"], "itertools": ["chain", "combinations", "permutations", "product"],
    "math": ["ceil", "comb", "cos", "factorial", "floor", "gcd", "inf", "isclose", "log", "nan", "pi", "sin", "sqrt"],
    "typing": ["Any", "Dict", "List", "Optional", "Set", "Tuple", "Union"],
}  # fmt: skip
"""Names that code usually imports, resolved here and not in the candidate."""
_ORIGIN = {name: module for module, names in COMMON.items() for name in names}
_REPEATING = {
    ast.For, ast.While, ast.AsyncFor, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.Lambda,
    ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef,
}  # fmt: skip
"""Where something written once may run more than once."""
_LOOKING = {"eval", "exec", "globals", "locals", "vars"}


class Names:
    """The free names of an assertion, and what each is taken for: code of this side, a remote, a remote's value."""

    def __init__(self, text, base, entry_point):
        tree = ast.parse(text)
        self.code = compile(tree, "<assertion>", "exec")
        self.remote, self.values, self.resolved = set(), set(), {}
        self._own, self._called, self._attributed, names = set(), set(), set(), []
        self._uses, nodes = [], list(ast.walk(tree))
        repeats = False
        for node in nodes:
            kind = type(node)
            repeats = repeats or kind in _REPEATING
            if kind is ast.Name:
                if type(node.ctx) is ast.Load:
                    names.append(node)
                else:
                    self._own.add(node.id)
            elif kind is ast.Call:
                self._called.add(node.func)
            elif kind is ast.Attribute:
                self._attributed.add(node.value)
            elif kind in (ast.FunctionDef, ast.ClassDef, ast.ExceptHandler):
                self._own.add(node.name)
            elif kind is ast.arg:
                self._own.add(node.arg)
            elif kind in (ast.Import, ast.ImportFrom):
                self._own |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
        self._base = base
        self._entry = entry_point
        for node in names:
            self._sort(node)
        self.only_inside = any(self._types(node) for node in nodes) if self.remote or self.values else False
        self.once = (
            not repeats and len(self._uses) == 1 and self._uses[0] in self._called
            and not any(node.id in _LOOKING for node in names)
        )  # fmt: skip
        """Whether the candidate is called exactly once, by name, if nothing fails before."""

    def body(self, link, base, remote):
        """The assertion as a function without arguments that raises unless it holds; `remote` makes stand-ins."""

        def run():
            scope = {**base, **{name: remote(link, name) for name in sorted(self.remote)}}
            for name in sorted(self.values):
                scope[name] = link.ask("value", name)
            exec(self.code, {**scope, **self.resolved})

        return run

    def _sort(self, node):
        name = node.id
        if not self._foreign(name):
            return
        found = self._resolve(name, node)
        if found is None:
            self._uses.append(node)
        if found is not None:
            self.resolved[name] = found
        elif node in self._called or node in self._attributed or name == self._entry:
            self.remote.add(name)
        else:
            self.values.add(name)

    def _types(self, node):
        """Whether a name of the candidate is used as a type here, which only its own process can do."""
        kind = type(node)
        where = None
        if kind is ast.ExceptHandler:
            where = node.type
        elif kind is ast.Call and type(node.func) is ast.Name and node.func.id in ("isinstance", "issubclass"):
            where = node.args[1] if len(node.args) == 2 else None
        if where is None:
            return False
        names = [child for child in ast.walk(where) if type(child) is ast.Name]
        return any(self._foreign(child.id) and self._resolve(child.id, child) is None for child in names)

    def _foreign(self, name):
        if name == self._entry:
            return name not in self._own and name not in self._base
        return not (name in self._own or name in self._base or hasattr(builtins, name))

    def _resolve(self, name, node):
        if name == self._entry:
            return None
        if name in MODULES and node in self._attributed:
            return _module(name)
        if name == "np" and node in self._attributed:
            return _module("numpy")
        if name in _ORIGIN:
            return getattr(_module(_ORIGIN[name]), name)
        return None


@functools.cache
def _module(name):
    with contextlib.suppress(ImportError):
        return importlib.import_module(name)
    return None
