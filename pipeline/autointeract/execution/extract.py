"""Takes the code out of a model's response, the same way everywhere.

Thinking is removed; then the last fenced block that defines the entry point counts, else (no entry point given) the
last fenced block, else the whole text if it parses as Python and defines the entry point. For C++ the rule of
LiveCodeBench-Pro holds: from the last block backwards the first with an `#include`, else the last `int main(`.
"""

import ast
import re

_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[ \t]*([\w+#.-]*)[^\n]*\n(.*?)(?:^[ \t]*\1`*[ \t]*$|\Z)", re.DOTALL | re.MULTILINE
)
_THINKING = re.compile(r"<(think|thinking|reasoning)>.*?</\1>", re.DOTALL)
_LEADING = re.compile(r"\A.*</(?:think|thinking|reasoning)>", re.DOTALL)
_OPEN = re.compile(r"<(?:think|thinking|reasoning)>.*\Z", re.DOTALL)
_PYTHON = frozenset({"", "python", "py", "python3", "py3"})


def extract_code(text: str, entry_point: str | None) -> str | None:
    """The Python code of a response, or None if it holds none."""
    text = visible(text)
    blocks = [body for language, body in fenced(text) if language in _PYTHON]
    if entry_point is None:
        return blocks[-1] if blocks else _bare(text, None)
    for body in reversed(blocks):
        if _defines(body, entry_point):
            return body
    return _bare(text, entry_point)


def extract_cpp(text: str) -> str | None:
    """The C++ program of a response, or None if it holds none."""
    text = visible(text)
    for language, body in reversed(list(fenced(text))):
        if language in ("", "cpp", "c++", "cc", "cxx") and "#include" in body:
            return body
    start = text.rfind("int main(")
    return _program(text, start) if start >= 0 else None


def visible(text: str) -> str:
    """`text` without thinking: closed blocks, a block whose opening tag is missing, a block that was cut off."""
    text = _THINKING.sub("", text)
    return _OPEN.sub("", _LEADING.sub("", text))


def fenced(text: str) -> list[tuple[str, str]]:
    """(language in lower case, content) of every fenced block, a last one without its end included."""
    return [(match[2].lower(), match[3]) for match in _FENCE.finditer(text)]


def _defines(code: str, name: str) -> bool:
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Code that does not parse is still the answer, and scores what it scores.
        return re.search(rf"^\s*(?:async\s+)?(?:def|class)\s+{re.escape(name)}\b", code, re.MULTILINE) is not None
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) and node.name == name:
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name) == name:
            return True
    return False


def _bare(text: str, entry_point: str | None) -> str | None:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if entry_point is None:
        plain = (ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom, ast.Assign, ast.AsyncFunctionDef)
        return text if any(isinstance(node, plain) for node in tree.body) else None
    return text if _defines(text, entry_point) else None


def _program(text: str, start: int) -> str | None:
    depth, opened = 0, False
    for end in range(start, len(text)):
        if text[end] == "{":
            depth, opened = depth + 1, True
        elif text[end] == "}":
            depth -= 1
            if opened and depth == 0:
                break
    else:
        return None
    head = text.rfind("#include", 0, start)
    while head > 0 and (before := text.rfind("#include", 0, head)) >= 0:
        head = before
    return text[head if head >= 0 else start : end + 1]
