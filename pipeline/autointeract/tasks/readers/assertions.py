"""What readers ask of assertion texts before anything runs: each is a text of Python that holds an assertion.

The names an assertion list calls are also found here: they tell the entry point where a row does not.
"""

import ast
import builtins
import warnings
from collections import Counter
from typing import Any

from autointeract.records import clean_text
from autointeract.tasks.readers.context import RowError, one_line

MAX_ASSERTION_CHARS = 200_000


def check_assertions(value: Any) -> list[str]:
    """`value` as cleaned assertion texts, duplicates dropped.

    Raises:
        RowError: not a list of texts, empty, or one is no Python with an assertion; the message quotes its start.
    """
    if not isinstance(value, list):
        raise RowError("bad_row", f"assertions: needs a list of texts, got {type(value).__name__}")
    texts: dict[str, None] = {}
    for item in value:
        if not isinstance(item, str):
            raise RowError("bad_ground_truth", f"an assertion is no text but a {type(item).__name__}")
        text = clean_text(item).strip()
        if not text:
            continue
        if len(text) > MAX_ASSERTION_CHARS:
            raise RowError("too_large", f"an assertion of {len(text)} characters (at most {MAX_ASSERTION_CHARS})")
        tree = parse(text)
        if tree is None or not any(isinstance(node, ast.Assert) for node in ast.walk(tree)):
            raise RowError("bad_assertion", f"not a Python assertion: {one_line(text, 80)}")
        texts[text] = None
    if not texts:
        raise RowError("no_tests", "the list of assertions is empty")
    return list(texts)


def parse(text: str) -> ast.Module | None:
    """The syntax tree of `text`; null where it is no Python (or nested beyond what the parser takes)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # invalid escapes in foreign code are not ours to report
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def called_names(assertions: list[str]) -> list[str]:
    """Names that the assertions call as plain functions and that Python does not bring, most called first (ties by
    first appearance).
    """
    counts: Counter[str] = Counter()
    for text in assertions:
        tree = parse(text)
        nodes = ast.walk(tree) if tree else ()
        names = [node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
        counts.update([name for name in dict.fromkeys(names) if not hasattr(builtins, name)])
    return [name for name, _ in counts.most_common()]
