"""A statement cut into blocks: code that only declares, examples, prose. Every block knows its place in the text.

Statements of coding tasks are Markdown, docstrings inside fenced stubs, or plain text; all three are read line by line.
"""

import re
from typing import Literal

from autointeract.records import Record

Kind = Literal["declaration", "example", "prose", "heading", "item"]

_FENCE = re.compile(r"^\s*(```|~~~)")
_DECLARATION = re.compile(
    r"^\s*(@\w|(async\s+)?def\s+\w+\s*\(|class\s+\w+|from\s+[\w.]+\s+import\b|import\s+[\w.]+|"
    r"pass\s*$|\.\.\.\s*$)"
)
_DOCQUOTE = re.compile(r"^(\s*)[rRuU]?(\"\"\"|''')")
_HEADING = re.compile(
    r"^\s*#{0,6}\s*\**\s*(for\s+)?(some\s+)?(examples?(\s+cases?)?|example\s+\d+|sample\s+(input|output)s?(\s+\d+)?|notes?|"
    r"inputs?|outputs?|constraints?|returns?|args|arguments|parameters|e\.g\.?|test\s+cases?|explanation|"
    r"(input|output)\s+format|requirements?|rules?|conditions?|"
    r"function\s+signature|it\s+must\s+be\s+implemented\s+like\s+this|"
    r"here\s+are\s+some\s+examples|\[?input/output\]?\s+samples|for\s+(example|instance))\s*\**\s*[:.]?\s*\**\s*$",
    re.IGNORECASE,
)
_ITEM = re.compile(r"^\s*([-*+•]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])\s+\S")
_PROMPT = re.compile(r"^\s*>>>\s?\S")
_CALL_EXAMPLE = re.compile(
    r"^\s*(?:assert\s+|>\s*|\d+[.)]\s*|[-*]\s+)?[A-Za-z_][\w.]*\(.*\)\s*"
    r"(?:==+>?|=>|=|➞|→|-+>|#\s*(?:=>|returns?|->)?|\.\.\.|//|(?:should\s+)?(?:returns?|gives?|yields?|evaluates?\s+to|outputs?|is))\s*\S"
)
_IO_EXAMPLE = re.compile(r"^\s*[-*]?\s*(sample\s+)?(input|output|explanation)\s*(\d+)?\s*[:=]\s*\S", re.IGNORECASE)


class Block(Record):
    """Part of a statement: `[start, end)` holds its lines, `mark` is the column where its words begin."""

    kind: Kind
    start: int
    end: int


def blocks(statement: str) -> list[Block]:
    """The blocks of `statement`, in order, without overlap; blank lines and fences belong to none."""
    found: list[Block] = []
    previous = ""  # kind of the line before; "" after a blank line
    in_doctest = False
    declared_parens = 0
    at = 0
    for raw in statement.splitlines(keepends=True):
        start, at = at, at + len(raw)
        line = raw.rstrip()
        quote = _DOCQUOTE.match(line)
        if quote:  # the opening (or closing) quotes of a docstring are no words of it
            start += quote.end()
            line = line[quote.end() :]
        stripped = re.sub(r"(\"\"\"|''')\s*$", "", line).rstrip()
        end = start + len(stripped)
        start += len(stripped) - len(stripped.lstrip())
        if not stripped.strip() or _FENCE.match(line):
            previous, in_doctest = "", False
            continue
        if declared_parens > 0 or (_DECLARATION.match(stripped) and not _PROMPT.match(stripped)):
            declared_parens = max(0, declared_parens + stripped.count("(") - stripped.count(")"))
            kind: Kind = "declaration"
        elif _PROMPT.match(stripped):
            kind, in_doctest = "example", True
        elif (
            in_doctest
            or (previous == "example" and stripped.lstrip().startswith("#"))
            or _CALL_EXAMPLE.match(stripped)
            or _IO_EXAMPLE.match(stripped)
        ):
            kind = "example"
        elif _HEADING.match(stripped):
            kind = "heading"
        elif _ITEM.match(stripped):
            kind = "item"
        else:
            kind = "prose"
        joins = bool(found) and _joins(kind, previous, statement[start:end], found)
        if joins:
            found[-1] = found[-1].model_copy(update={"end": end})
        else:
            found.append(Block(kind=kind, start=start, end=end))
        previous = found[-1].kind
    return found


def _joins(kind: Kind, previous: str, text: str, found: list[Block]) -> bool:
    if kind == "prose":
        return previous in ("prose", "item")
    if kind == "declaration":
        return previous == "declaration"
    if kind == "example" and previous == "example":
        if text.startswith((">>>", "Input", "input", "INPUT", "Sample Input")):
            return False
        return not _CALL_EXAMPLE.match(text)
    return False
