"""What the rule-based user takes from the text of a behavior prompt: which assistant-like manners it drops.

Played without instructions, it behaves as chat models do when asked to play a user: courteous, wordy, polished,
complete, and content with everything. Each of these manners goes when the text holds an instruction against it; the
user then follows its own habits (profile settings) instead. An instruction is recognised in two ways, sentence by
sentence, in any case:

    against    a word that denies or reduces ("no", "never", "leave out", "fewer", "instead of") and, within eight
               words after it, the manner's topic ("courtesy", "punctuation")
    opposite   a word for the contrary ("terse", "push back"), without a denial in the four words before it

"Do not leave out ..." denies twice and is no instruction against. This is a table of words, not an understanding of
English: what it does not list is not heard. All manners and words are ours; a gain measured with this user shows that
an optimiser can find instructions from feedback, and nothing about any model.
"""

import re
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True)
class Manner:
    """One assistant-like manner.

    Attributes:
        shows: chance that it shows in a turn while nothing in the text speaks against it.
        topic: what an instruction against it names.
        opposite: what an instruction for its contrary says.
    """

    name: str
    shows: float
    topic: re.Pattern[str]
    opposite: re.Pattern[str]


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w-])(?:{'|'.join(alternatives)})(?![\w-])", re.IGNORECASE)


MANNERS: tuple[Manner, ...] = (
    Manner(
        "courtesy", 0.8,
        _words("courte(?:sy|sies|ous)", "polite(?:ness|ly)?", "please", "thanks?", "thank(?:ing)?(?: you)?",
               "pleasantr(?:y|ies)", "gratitude", "niceties", "apolog(?:y|ies|ise|ize|ising|izing)", "grateful"),
        _words("curt", "gruff", "matter-of-fact"),
    ),
    Manner(
        "preamble", 0.6,
        _words("preambles?", "summar(?:y|ies|ise|ize|ising|izing)", "recaps?", "acknowledge?(?:ments?|ing)?",
               "introductions?", "stock phrases", "(?:like|as) an assistant", "assistant(?:'s)? (?:phrases|tone|talk)",
               "announc(?:e|ing|ements?)"),
        _words("straight (?:to|into) (?:the|it)[\\w ]*", "get to the point", "come to the point"),
    ),
    Manner(
        "length", 0.7,
        _words("long (?:messages?|turns?|sentences?|texts?|explanations?)", "length", "lengthy", "padding", "wordy",
               "wordiness", "verbos(?:e|ity)", "rambl(?:e|ing)", "essays?", "paragraphs?", "background", "filler",
               "(?:extra|many|needless) words", "explain(?:ing)? (?:yourself|why|everything)"),
        _words("short(?:er|en)?", "brief(?:ly)?", "terse(?:ly)?", "concise(?:ly)?", "(?:one|a|single) line",
               "(?:a )?few words", "fragments?", "clipped", "laconic"),
    ),
    Manner(
        "detail", 0.6,
        _words("details?", "detailed", "specifics", "specifications?", "over-?specif(?:y|ying|ied)", "steps",
               "(?:every|all) (?:value|place|requirement)s?", "exhaustive(?:ly)?", "complete (?:list|description)s?"),
        _words("vague(?:ly)?", "under-?specif(?:y|ied)", "leave (?:things|it|much|the rest) (?:open|unsaid)",
               "goal (?:alone|only)", "hold(?:ing)? (?:things |something |much )?back", "(?:leave|let) .{0,40} guess"),
    ),
    Manner(
        "polish", 0.9,
        _words("capitals?", "capitali[sz](?:e|ing|ation)", "capital letters?", "full stops?", "periods?", "punctuation",
               "grammar", "polish(?:ed)?", "tidy", "well-formed", "proofread(?:ing)?", "final mark"),
        _words("lower[- ]?case", "sloppy", "sloppily", "careless(?:ly)?", "(?:with )?typos", "unpolished", "offhand"),
    ),
    Manner(
        "asking", 0.5,
        _words("questions?", "question marks?", "ask(?:ing)? (?:whether|if|for permission|politely)",
               "(?:could|can|would) you"),
        _words("command(?:s|ing)?", "imperatives?", "orders?", "tell (?:it|the assistant) what to do", "demand"),
    ),
    Manner(
        "agreement", 0.85,
        _words("agree(?:ing|ment|able)?", "accept(?:ing|ance)?", "approv(?:e|ing|al)", "go(?:ing)? along",
               "co-?operat(?:e|ing|ion|ive)", "praise", "compliant", "satisfied", "confirm(?:ing|ation)?s?"),
        _words("push(?:es|ing)? back", "object", "disagree", "refuse", "insist", "complain",
               "say so (?:at once|plainly|bluntly|directly|straight away)", "sceptical",
               "skeptical", "demanding", "hard to please", "ask for (?:the next|another|more|something).*",
               "(?:bring up|name) (?:the next|another).*"),
    ),
)  # fmt: skip
"""The manners; what the text of a prompt can take away, and nothing else in the text has any effect."""
SHOWS: dict[str, float] = {manner.name: manner.shows for manner in MANNERS}
NAMES: frozenset[str] = frozenset(SHOWS)

_SENTENCE = re.compile(r"[.!?;:\n]+")
_OMIT = re.compile(r"\b(?:leav(?:e|ing)|keep(?:ing)?)\b(?=.*\b(?:out|off|away|aside)\b)", re.IGNORECASE)
_DROPPING = "omit(?:ting)?|skip(?:ping)?|drop(?:ping)?|avoid(?:ing)?|cut|spare|forget|stop"
_TWICE = re.compile(
    rf"\b(?:do not|don't|never|not|without) (?:ever )?(?:{_DROPPING}|lose)\b|\b(?:{_DROPPING}) (?:no|nothing)\b",
    re.IGNORECASE,
)
_DENIAL = _words(
    "no", "not", "never", "don't", "doesn't", "without", "less", "fewer", "refrain", "instead", "rather than", "nor",
    "neither", "rarely", "seldom", "hardly", "resist(?:ing)?", "too", _DROPPING,
)  # fmt: skip
_BUT = _words("but", "except", "unless")


@lru_cache(maxsize=512)
def dropped(text: str) -> frozenset[str]:
    """Names of the manners that an instruction in `text` speaks against."""
    plain = text.replace("\u2019", "'")
    sentences = [_TWICE.sub("keep", _OMIT.sub("omit", part)) for part in _SENTENCE.split(plain)]
    return frozenset(
        manner.name
        for manner in MANNERS
        if any(_against(manner, sentence) or _opposite(manner, sentence) for sentence in sentences)
    )


def _against(manner: Manner, sentence: str) -> bool:
    return any(_denied(sentence[: topic.start()], 8) for topic in manner.topic.finditer(sentence))


def _opposite(manner: Manner, sentence: str) -> bool:
    return any(not _denied(sentence[: found.start()], 4) for found in manner.opposite.finditer(sentence))


def _denied(before: str, reach: int) -> bool:
    """Whether a denial stands among the last `reach` words, and nothing takes it back."""
    window = " ".join(before.split()[-reach:])
    denials = list(_DENIAL.finditer(window))
    return bool(denials) and not _BUT.search(window, denials[-1].end())
