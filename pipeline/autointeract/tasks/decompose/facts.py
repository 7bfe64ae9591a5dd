"""The deterministic decomposition: a statement into atomic facts, by sentence, list item and example.

Declarations (imports, the stub's header) are left to the interface contract, headings to what follows them, and a
request that says nothing about the task ("Complete this function.") is no fact. Everything else is covered: `coverage`
measures it, for this decomposition and for a model's.
"""

import re

from autointeract.records import Fact
from autointeract.tasks.decompose.blocks import Block, blocks
from autointeract.tasks.decompose.examples import example_text

_ABBREVIATIONS = ("e.g.", "i.e.", "etc.", "vs.", "cf.", "Eg.", "ex.", "Ex.", "approx.", "resp.", "no.", "No.")
_SENTENCE_END = re.compile(r"[.!?]+[\"')\]]*(?=\s+[\"'(`\[]?[A-Z0-9`\"'\[(]|\s*$)")
_REQUEST = re.compile(
    r"^(please\s+)?(complete|implement|write|finish|solve|fill\s+in|create|define)\s+(this|the|a|an|the\s+following|"
    r"the\s+given)?\s*(following\s+)?(python3?\s+)?(function|program|code|stub|problem|method|task|solution)s?"
    r"(\s+below|\s+in\s+python3?)*\s*[.:!]?$|^solve\s+the\s+following\s+coding\s+problem.*$",
    re.IGNORECASE,
)
_BULLET = re.compile(r"^\s*([-*+•]|\(?\d{1,2}[.)]|\(?[a-z][.)]|\(?[ivx]{1,4}[.)])\s+")
_WORD = re.compile(r"\w+")


def decompose(statement: str) -> list[Fact]:
    """The facts of `statement`, `f1`, `f2` ... in its order; spans never overlap.

    A statement with no sentence at all (bare code) is one fact.
    """
    spans: list[tuple[int, int, bool]] = []
    for block in blocks(statement):
        if block.kind == "example":
            spans.append((block.start, block.end, True))
        elif block.kind in ("prose", "item"):
            spans.extend((start, end, False) for start, end in _sentences(statement, block))
    facts: list[Fact] = []
    for start, end, is_example in _without_requests(statement, spans):
        text = example_text(statement[start:end]) if is_example else _clean(statement[start:end])
        facts.append(Fact(id=f"f{len(facts) + 1}", text=text, span=(start, end)))
    if not facts and statement.strip():
        text = statement.strip()
        start = statement.index(text)
        facts.append(Fact(id="f1", text=" ".join(text.split()), span=(start, start + len(text))))
    return facts


def coverage(statement: str, facts: list[Fact]) -> float:
    """Share of the statement's requirement words (those of the deterministic facts) that lie in some fact's span."""
    wanted = _words(statement, decompose(statement))
    return len(wanted & _words(statement, facts)) / len(wanted) if wanted else 1.0


def _words(statement: str, facts: list[Fact]) -> set[int]:
    found: set[int] = set()
    for fact in facts:
        if fact.span:
            start, end = fact.span
            found.update(start + match.start() for match in _WORD.finditer(statement[start:end]))
    return found


def _sentences(statement: str, block: Block) -> list[tuple[int, int]]:
    text = statement[block.start : block.end]
    bullet = _BULLET.match(text) if block.kind == "item" else None
    cuts: list[tuple[int, int]] = []
    start = bullet.end() if bullet else 0
    for match in _SENTENCE_END.finditer(text, start):
        if text[: match.end()].endswith(_ABBREVIATIONS) and match.end() < len(text):
            continue
        cuts.append((start, match.end()))
        start = match.end()
    if text[start:].strip():
        cuts.append((start, len(text)))
    trimmed: list[tuple[int, int]] = []
    for first, last in cuts:
        piece = text[first:last]
        lead = len(piece) - len(piece.lstrip())
        begin, finish = block.start + first + lead, block.start + first + len(piece.rstrip())
        if trimmed and len(_WORD.findall(piece)) < 3:  # "Or not." belongs to what it follows
            trimmed[-1] = (trimmed[-1][0], finish)
        elif _WORD.search(piece):
            trimmed.append((begin, finish))
    return trimmed


def _without_requests(statement: str, spans: list[tuple[int, int, bool]]) -> list[tuple[int, int, bool]]:
    kept = [span for span in spans if not _REQUEST.match(" ".join(statement[span[0] : span[1]].split()))]
    return kept or spans


def _clean(text: str) -> str:
    return " ".join(text.split())
