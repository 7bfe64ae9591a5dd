"""The rule labeller: intent, reaction and specificity of one typed turn, without any model. Deterministic, English.

In: a `TypedTurn`. Out: `RuleLabel`. Where the words say nothing it falls back on structure (first turn, answer to a
question, pasted failure output, length), which also serves other languages; `label_stage` reports how many turns were
not English. The cues are in `lexicon.py`; this file only weighs them.
"""

import re

from autointeract.records import Record
from autointeract.records.vocabulary import Intent, Reaction, Specificity
from autointeract.users import lexicon
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
_ACCUSES = re.compile(r"\bwhy (?:did|are|do|would|have) you\b", re.I)
_BUT = re.compile(r"\b(?:but|however|except|though|although|still|yet|unfortunately|only that)\b", re.I)
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
    scores = _scores(turn, text)
    best = max(scores, key=lambda name: scores[name])
    if scores[best] > 0:
        return best  # type: ignore[return-value]
    return _by_structure(turn, text)


def core(text: str) -> str:
    """The sentences that ask or react: background ("for context, we ...") is dropped unless nothing else is left."""
    parts = sentences(text)
    kept = [part for part in parts if not lexicon.DIGRESSION.search(part) or lexicon.REQUEST.search(part)]
    return "\n".join(kept or parts)


def _scores(turn: TypedTurn, text: str) -> dict[str, float]:
    text = core(text) or text
    parts = sentences(text)
    # The reaction stands in front; what follows is mostly detail and background.
    first, head = parts[0][:200] if parts else "", " ".join(parts[:2])[:300]
    words = count_words(head)
    question = any(_is_question(part) for part in (*parts[:2], *parts[-1:]))

    def cues(cue: re.Pattern[str]) -> float:
        return 1.5 * bool(cue.search(first)) + 0.5 * bool(cue.search(head))

    gone = lexicon.NO_FAILURE.sub(" ", head)
    absent = len(gone) < len(head)
    accept = 0.8 * cues(lexicon.ACCEPT) + 0.8 * absent
    failure = 1.5 * bool(lexicon.FAILURE.search(lexicon.NO_FAILURE.sub(" ", first)))
    failure += 0.5 * bool(lexicon.FAILURE.search(gone)) + 3.0 * bool(lexicon.STRONG_FAILURE.search(turn.text))
    tried, negative = bool(lexicon.TRIED.search(head)), len(lexicon.NEGATIVE.findall(gone))
    if tried and not accept:
        failure, accept = (failure + 0.7, accept) if negative else (failure, 0.5)
    correct, reject = cues(lexicon.CORRECT), 1.2 * cues(lexicon.REJECT)
    change, adds = 1.1 * cues(lexicon.CHANGE), bool(lexicon.ADDITION.search(head))
    explain = (1.6 if question else 0.0) + 0.6 * min(len(lexicon.EXPLAIN.findall(head)), 2)
    end = 1.3 * cues(lexicon.END)
    vague = 1.2 * bool(lexicon.VAGUE.search(head)) if words <= 12 else 0.0
    asks = bool(lexicon.REQUEST.search(lexicon.ACCEPT.sub(" ", head)))
    if asks and accept and not end:
        accept *= 0.4
    if lexicon.ACCEPT.search(first) and not _BUT.search(head):
        failure *= 0.4
    elif accept and _BUT.search(head):
        accept *= 0.3
    if _ACCUSES.search(text):
        correct = correct + 0.7
    if question:
        failure, correct = failure * 0.8, correct * 0.8
    answer = 1.0 if _asked_for_fact(turn) and not question else 0.0
    return {
        "report_failure": failure, "correct": correct, "reject": reject, "change_requirement": change, "end": end,
        "clarify": explain, "accept": accept, "vague": vague, "answer": answer, "new_request": 0.9 * asks + 0.7 * adds,
    }  # fmt: skip


def _is_question(part: str) -> bool:
    return bool(_ASKED.search(part)) and bool(lexicon.QUESTION_START.search(part))


def _asked_for_fact(turn: TypedTurn) -> bool:
    lines = [line for line in turn.before.rstrip().splitlines()[-3:] if "?" in line]
    return bool(lines) and not lexicon.OFFER.search(lines[-1])


def _by_structure(turn: TypedTurn, text: str) -> Reaction:
    words = count_words(turn.text)
    last = turn.before.rstrip()[-400:]
    asked = "?" in last.splitlines()[-1] if last else False
    if _CHOICE.match(text) or (asked and not _ASKED.search(text)):
        return "answer"
    if _ASKED.search(text):
        return "clarify"
    if words <= 3 or specificity_of(turn.text) == 0:
        return "vague"
    return "new_request"
