"""The marks of Claude Code's screen: what begins at a line of an `/export` or of a copied terminal.

`> ` or `❯ ` begins a message, `●` or `⏺` an answer or a tool call, `  ⎿` what hangs below. Newer versions fold tool
calls into one unmarked line (`  Ran 2 shell commands (ctrl+o to expand)`), which may follow a message directly; so
may a thinking block and the line that says how long an answer took. The box between two rules is the input line: what
stands in it was not sent.
"""

import re
from collections.abc import Iterator, Sequence

PROMPTS = ("> ", "❯ ")
ANSWERS = ("●", "⏺")
_STATUS = re.compile(r"[✻✽✶✢✳∴*·] ")
_SPINNER = re.compile(r"[●⏺✻✽✶✢✳*·] \S+… ?\(.*\b(?:tokens|interrupt)\b")
_ENDS_MESSAGE = re.compile(
    r"[✻✽✶✢✳∴*·] (?:Thinking…|Thought for \d|\w+ for \d+(?:h|m|s)\b|Conversation compacted|Waiting for \d)|※ recap:|"
    r"[═─]{5,} Conversation compacted"
)
_FOLDED = re.compile(r"  [A-Z][a-z]+ (?:for )?\S[^.!?]*\(ctrl\+[a-z] to expand\)\s*")
_RULE = re.compile(r"─{20,}\s*")
_SCRIPT = re.compile(r"> @?[\w./-]+@\d[\w.+-]* [\w:.-]+\s*")
"""What npm, yarn and pnpm print above the output of a script: part of a pasted log."""
_COMMAND = re.compile(r"[>❯] /[a-z][\w:-]*\s*")
_ESCAPE = re.compile(r"\\([\\`*_{}\[\]()#+\-.!>|~=$&<])")

_JOINED = re.compile(r" (?=[●⏺⎿] )")


def blocks(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """(kind, 1-based line, lines) of what the screen shows, in order.

    Kinds: none (before the first mark), user, box (the input line), answer, folded (tool calls in one line), result,
    status.
    """
    numbers, lines = _shown(text.replace("\r", "").split("\n"))
    block: list[str] = []
    start, kind = 1, "none"
    for index, line in enumerate(lines):
        begins = _begins(lines, index, kind, block)
        if begins:
            if block:
                yield kind, start, block
            kind, start, block = begins, numbers[index], []
        block.append(line)
    if block:
        yield kind, start, block


def _begins(lines: list[str], index: int, kind: str, block: list[str]) -> str | None:
    line, before = lines[index], lines[index - 1] if index else ""
    in_message = kind == "user"
    if line.startswith(PROMPTS) or line in (">", "❯"):
        if in_message and line[0] == ">" and _is_content(line, before, block):
            return None
        return "box" if _RULE.fullmatch(before) and _closed(lines, index) else "user"
    if line.startswith(ANSWERS):
        return "status" if _SPINNER.match(line) else "answer"
    if line.startswith("  ⎿"):
        return "result"
    if kind == "box" and _RULE.fullmatch(line):
        return "status"
    if _ENDS_MESSAGE.match(line) or (_STATUS.match(line) and not in_message):
        return "status" if not in_message or not before.strip() else None
    if not before.strip() and kind != "result" and _is_folded(lines, index):
        return "folded"
    return None


def _is_content(line: str, before: str, block: list[str]) -> bool:
    """Whether a line of a message only looks like the next message: a quote in a pasted log or in the words."""
    if len(block) == 1 and _COMMAND.fullmatch(block[0]):
        return False
    return bool(before.strip() or _SCRIPT.fullmatch(line))


def _closed(lines: list[str], index: int) -> bool:
    for line in lines[index + 1 : index + 40]:
        if _RULE.fullmatch(line):
            return True
        if line.startswith((*PROMPTS, *ANSWERS, "  ⎿")):
            return False
    return False


def _is_folded(lines: list[str], index: int) -> bool:
    line = lines[index]
    if _FOLDED.fullmatch(line):
        return True
    # A narrow terminal broke the line.
    wrapped = lines[index + 1] if index + 1 < len(lines) else ""
    return (
        "(ctrl+" in wrapped and line[:3].strip() != "" and bool(_FOLDED.fullmatch(f"{line.rstrip()} {wrapped.strip()}"))
    )


def _shown(lines: list[str]) -> tuple[Sequence[int], list[str]]:
    """Numbers and texts of the lines; without the escapes and joins that a Markdown editor made of a pasted screen."""
    if not any(line.startswith("\\> ") for line in lines):
        return range(1, len(lines) + 1), lines
    plain: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        for piece in _JOINED.split(_ESCAPE.sub(r"\1", line)):
            plain.append((number, "  " + piece.lstrip() if piece.lstrip().startswith("⎿") else piece))
    return [number for number, _ in plain], [piece for _, piece in plain]
