"""Examples that a statement shows: calls with what they give, found by reading text, never by running it."""

import ast
import re

from autointeract.records import Record
from autointeract.tasks.readers.assertions import parse

_ARROW = re.compile(
    r"^`?\s*(?:==+>?|=>|=|➞|→|-+>|#\s*(?:=>|returns?\b|->)?|//|"
    r"(?:should\s+)?(?:returns?|gives?|yields?|outputs?|evaluates?\s+to|is)\b)\s*:?\s*`?"
)
_CALL = re.compile(r"(?<![\w.])([A-Za-z_]\w*)\(")
_MAX_CALL = 20_000


class Example(Record):
    """A call the statement shows: `call` as written, `name` of the function, `expected` as written (null if the
    statement does not say), and where the call begins.
    """

    name: str
    call: str
    expected: str | None
    start: int


def find_examples(text: str) -> list[Example]:
    """Every call of a plain name in `text` whose arguments are literal values, in order."""
    found: list[Example] = []
    end = 0
    for match in _CALL.finditer(text):
        if match.start() < end:
            continue
        close = _closing(text, match.end() - 1)
        if close is None:
            continue
        call = text[match.start() : close]
        tree = parse(call.strip())
        node = tree.body[0].value if tree and tree.body and isinstance(tree.body[0], ast.Expr) else None
        if not isinstance(node, ast.Call) or not all(is_literal(arg) for arg in _arguments(node)):
            continue
        end = close
        found.append(Example(name=match[1], call=call, expected=_expected(text, close), start=match.start()))
    return found


def example_text(text: str) -> str:
    """One example block as a sentence: `f(2) returns 4` where it shows a call and its value, else its own words."""
    shown = find_examples(text)
    if len(shown) == 1 and shown[0].expected is not None:
        rest = text[shown[0].start + len(shown[0].call) :]
        after = rest[rest.find(shown[0].expected) + len(shown[0].expected) :].strip(" .;`")
        after = f"({after.lstrip('# ')})" if after.startswith("#") else after
        sentence = f"{' '.join(shown[0].call.split())} returns {' '.join(shown[0].expected.split())}"
        return f"{sentence} {' '.join(after.split())}" if after else sentence
    return " ".join(re.sub(r"^\s*(>>>|\.\.\.) ?", "", text, flags=re.MULTILINE).split())


def is_literal(node: ast.AST) -> bool:
    """Whether the expression is a literal value (signs, containers, `set()` and plain arithmetic of literals too)."""
    match node:
        case ast.Constant():
            return True
        case ast.UnaryOp(operand=operand):
            return is_literal(operand)
        case ast.BinOp(left=left, right=right):
            return is_literal(left) and is_literal(right)
        case ast.List(elts=items) | ast.Tuple(elts=items) | ast.Set(elts=items):
            return all(is_literal(item) for item in items)
        case ast.Dict(keys=keys, values=values):
            return all(key is not None and is_literal(key) for key in keys) and all(is_literal(v) for v in values)
        case ast.Call(func=ast.Name(id="set" | "tuple" | "list" | "dict" | "frozenset"), args=args, keywords=[]):
            return all(is_literal(arg) for arg in args)
    return False


def _arguments(node: ast.Call) -> list[ast.AST]:
    return [*node.args, *(keyword.value for keyword in node.keywords)]


def _closing(text: str, opening: int) -> int | None:
    depth, quote, at = 0, "", opening
    stop = min(len(text), opening + _MAX_CALL)
    while at < stop:
        char = text[at]
        if quote:
            if char == "\\":
                at += 1
            elif char == quote:
                quote = ""
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
            if depth == 0:
                return at + 1
        at += 1
    return None


def _expected(text: str, close: int) -> str | None:
    line_end = text.find("\n", close)
    same_line = text[close : line_end if line_end >= 0 else len(text)]
    arrow = _ARROW.match(same_line)
    if arrow:
        return _literal_prefix(same_line[arrow.end() :])
    before = text[text.rfind("\n", 0, close) + 1 : close]
    if line_end >= 0 and before.lstrip().startswith(">>>") and not same_line.strip():
        next_end = text.find("\n", line_end + 1)
        following = text[line_end + 1 : next_end if next_end >= 0 else len(text)].strip()
        return None if following.startswith((">>>", '"""', "'''")) else _literal_prefix(following)
    return None


def _literal_prefix(text: str) -> str | None:
    """The longest start of `text` that is a literal value: `5  # because` gives `5`, `[1, 2].` gives `[1, 2]`."""
    text = text.strip().rstrip("`")
    cuts = [len(text), *(m.start() for m in re.finditer(r"[#;.,(]|\s", text) if m.start())]
    for cut in sorted(set(cuts), reverse=True)[:200]:
        piece = text[:cut].strip().rstrip("`,")
        tree = parse(piece) if piece and len(piece) < _MAX_CALL else None
        if tree and len(tree.body) == 1 and isinstance(tree.body[0], ast.Expr) and is_literal(tree.body[0].value):
            return ast.get_source_segment(piece, tree.body[0].value)  # without a comment behind it
    return None
