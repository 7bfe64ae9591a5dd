"""The rule labeller: intent, reaction and specificity of one typed turn, without any model. Deterministic, English.

In: a `TypedTurn`. Out: `RuleLabel`. Where the words say nothing it falls back on structure (first turn, answer to a
question, pasted failure output, length), which also serves other languages; `label_stage` reports how many turns were
not English. Reactions come from the classifier in `reactions.py`, the other cues from `lexicon.py`.
"""

import re

from autointeract.records import Record
from autointeract.records.vocabulary import Intent, Reaction, Specificity
from autointeract.users import lexicon, reactions
from autointeract.users.surface import content_words, count_words, outside_fences, sentences
from autointeract.users.turns import TypedTurn

_IDENTIFIER = re.compile(
    r"`[^`\n]+`|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b[A-Z][a-z]+[A-Z]\w*\b|\b\w+\([^)\n]*\)|(?<!\w)--?[a-z][\w-]+|"
    r"(?:^|\s)[~./]?[\w.-]+/[\w./-]+"
    r"|\b[\w-]+\.(?:py|js|ts|tsx|go|rs|c|cpp|h|java|rb|sh|md|json|ya?ml|toml|sql|html|css|txt|csv|log|cfg|ini)\b"
)
_VALUE = re.compile(
    r"(?<![\w.])-?\d+(?:[.,]\d+)*(?:%|ms|s|kb|mb|gb|px|x)?\b|\"[^\"\n]{1,80}\"|(?<!\w)'[^'\n]{1,80}'(?!\w)|"
    r"[\[{(]\s*-?[\d\"'][^\])}\n]*[\])}]|->|=>|==|[<>]=?|"
    r"\b(?:e\.g\.|for example|for instance|such as|i\.e\.|namely|exactly|at (?:least|most)|up to|between \w+ and|"
    r"no more than|"
    r"true|false|none|null|zero|one|two|three|four|five|ten|first|last|twice|empty (?:list|string|input|dict))\b", re.I
)  # fmt: skip
_STEPS = re.compile(r"(?:^\s*(?:\d+[.)]|[-*])\s.*\n?){2,}|\bfirst\b.*\bthen\b|\bthen\b.*\bthen\b", re.M | re.S | re.I)
_PLACE = re.compile(
    r"\b(?:in|inside|under|from|into|on|at|of|to) (?:the |this |that |our |my )?(?:\w+ ){0,2}(?:function|method|"
    r"class|file|module|page|button|folder|"
    r"directory|table|column|field|line|loop|endpoint|route|menu|header|footer|config|component|script|test|"
    r"branch|parser|handler|query|list|"
    r"string|argument|parameter|output|input|constructor|section|screen|form)s?\b"
    r"|\b(?:when|whenever|if|unless|once|after|before|until|as soon as)\b.{3,}|\bshould(?:n'?t)? (?:return|be|not|"
    r"raise|print|accept|keep|ignore|"
    r"skip|count|show|have|start|stop|contain|preserve|handle)\b|\b(?:returns?|raises?|accepts?|takes?|ignores?|"
    r"sorted by|grouped by|only)\b", re.I,
)  # fmt: skip
_EMPTY = frozenset(
    """
    it this that them these those thing things stuff something anything everything nothing one ones way code
    work working works make fix better good nice please just now again need want like get got let here there
    maybe kind sort bit little really very help thanks thank hello okay problem problems project issue issues
    program app application part parts place idea question change changes done try trying look looks looking
    going still same other some more much lot lots task job topic matter point stuff area side general overall
    whole sure fine great wrong right right new old think know said see say come goes use used using time today
    sense people team situation
    """.split()  # noqa: SIM905
)
_ASKED = re.compile(r"[?？]\W*$")
_CHOICE = re.compile(
    r"^\W*(?:\d+|[a-e]|option \w+|the (?:first|second|third|last|former|latter)(?: one)?|both|neither|either|none)\W*$",
    re.I,
)


class RuleLabel(Record):
    """What the rules make of one turn; fields as in `TurnLabel`."""

    intent: Intent
    reaction: Reaction
    specificity: Specificity


def label(turn: TypedTurn) -> RuleLabel:
    """The label of one typed turn."""
    return RuleLabel(intent=intent_of(turn.text), reaction=reaction_of(turn), specificity=specificity_of(turn.text))


def identifiers(prose: str) -> list[str]:
    """Names of code, paths, flags and files in a text."""
    return _IDENTIFIER.findall(prose)


def intent_of(text: str) -> Intent:
    """The intent with the most cues; an earlier entry of `lexicon.INTENTS` wins a tie, and the first sentence counts
    twice.
    """
    prose = outside_fences(text)[:2000]
    head = prose[:160]
    scores = {name: len(cue.findall(prose)) + len(cue.findall(head)) for name, cue in lexicon.INTENTS.items()}
    if lexicon.STRONG_FAILURE.search(text):
        scores["debug"] += 2
    best = max(scores, key=lambda name: scores[name])
    return best if scores[best] else "other"  # type: ignore[return-value]


def specificity_of(text: str) -> Specificity:
    """0 no object, 1 names a goal, 2 names a place or behaviour, 3 gives values or steps."""
    prose = core(text)
    if "```" in text or _STEPS.search(prose):
        return 3
    places = len(_IDENTIFIER.findall(prose)) + len(_PLACE.findall(prose))
    values = len(_VALUE.findall(prose))
    objects = content_words(prose) - _EMPTY
    if values and (places or values > 1 or len(objects) >= 4):
        return 3
    if places or values:
        return 2
    return 1 if len(objects) >= 2 or (objects and lexicon.REQUEST.search(prose)) else 0


def reaction_of(turn: TypedTurn) -> Reaction:
    """How the turn reacts to what the assistant did; the first typed turn of a session is always a new request."""
    if not turn.reactive or turn.number == 0:
        return "new_request"
    if turn.kind == "rejection":
        return "reject"
    text = outside_fences(turn.text).strip()[:4000]
    asked = "?" in (turn.before.rstrip().splitlines() or [""])[-1]
    if asked and _CHOICE.match(text):
        return "answer"
    pasted = bool(lexicon.STRONG_FAILURE.search(turn.text))
    return reactions.predict(sentences(core(text)), asked, pasted) or _by_structure(turn, text, asked, pasted)


def core(text: str) -> str:
    """The sentences that ask or react: background ("for context, we ...") is dropped unless nothing else is left."""
    parts = sentences(text)
    kept = [part for part in parts if not lexicon.DIGRESSION.search(part) or lexicon.REQUEST.search(part)]
    return "\n".join(kept or parts)


def _by_structure(turn: TypedTurn, text: str, asked: bool, pasted: bool) -> Reaction:
    if pasted:
        return "report_failure"
    if _CHOICE.match(text) or (asked and not _ASKED.search(text)):
        return "answer"
    if _ASKED.search(text):
        return "clarify"
    if count_words(turn.text) <= 3 or specificity_of(turn.text) == 0:
        return "vague"
    return "new_request"
