"""What can be read off a text without understanding it: words, sentences, style marks, language. Pure functions.

Every rate is per text, in {0, 1}; callers average. "Words" are whitespace-separated pieces outside code fences, as in
`TurnLabel.words`.
"""

import re

_FENCE = re.compile(r"```.*?(?:```|\Z)", re.S)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*", re.UNICODE)
_SENTENCE = re.compile(r"(?<=[.!?;])\s+|\n+")
_POLITE = re.compile(
    r"\b(?:please|pls|plz|thanks?|thank you|thx|cheers|appreciate|sorry|kindly|would you mind)\b", re.I
)
_LIST = re.compile(r"^\s*(?:[-*•]|\d+[.)])\s+\S", re.M)
_EMOJI = re.compile("[\U0001f300-\U0001faff\u2600-\u27bf]|(?<!\\w)[:;]-?[)(DP](?!\\w)")
_TYPO = re.compile(
    r"\b(?:teh|dont|doesnt|didnt|isnt|wont|cant|im|ive|thats|whats|lets|youre|u|ur|pls|plz|recieve|seperate|definately"
    r"|occured|wich|becuase|alot|thier|wierd|adress|enviroment|lenght|funciton|retrun|adn|jsut|shoud|woudl)\b",
    re.I,
)
_STOPWORDS = frozenset(
    """
    the a an and or of to in on for with is are was be it this that i you we my your can do not no if so but at from as
    by what how why when have has just now should would could all it's i'm don't me they there please
    """.split()  # noqa: SIM905
)
STYLE_MARKS = (
    "lowercase_start", "no_final_mark", "question", "exclamation", "polite", "code_fence", "inline_code", "list",
    "caps_word", "em_dash", "emoji", "typo", "short",
)  # fmt: skip
"""Names of the style rates, in a fixed order."""
SHORT_WORDS = 5
"""A short reply has at most this many words (the figure that published human rates use)."""


def outside_fences(text: str) -> str:
    """The text with fenced code blocks removed."""
    return _FENCE.sub(" ", text)


def count_words(text: str) -> int:
    """Whitespace-separated words outside code fences."""
    return len(outside_fences(text).split())


def tokens(text: str) -> list[str]:
    """Lower-case words of letters, any script, outside code fences."""
    return [word.lower().replace("’", "'") for word in _WORD.findall(outside_fences(text))]


def sentences(text: str) -> list[str]:
    """Non-empty sentences or lines outside code fences."""
    return [part.strip() for part in _SENTENCE.split(outside_fences(text)) if part.strip()]


def style(text: str) -> dict[str, float]:
    """Every style mark of one text, each 0.0 or 1.0, keyed by `STYLE_MARKS`."""
    prose = outside_fences(text).strip()
    first = next((char for char in prose if char.isalpha()), "")
    marks = {
        "lowercase_start": first.islower(),
        "no_final_mark": bool(prose) and prose[-1] not in ".!?…。！？:;",
        "question": "?" in prose or "？" in prose,
        "exclamation": "!" in prose,
        "polite": bool(_POLITE.search(prose)),
        "code_fence": "```" in text,
        "inline_code": bool(re.search(r"`[^`\n]+`", prose)),
        "list": bool(_LIST.search(prose)),
        "caps_word": bool(re.search(r"\b(?!TODO|JSON|HTML|HTTP|README)[A-Z]{4,}\b", prose)),
        "em_dash": "—" in prose,
        "emoji": bool(_EMOJI.search(prose)),
        "typo": bool(_TYPO.search(prose)),
        "short": count_words(text) <= SHORT_WORDS,
    }
    return {name: float(marks[name]) for name in STYLE_MARKS}


def is_english(text: str) -> bool | None:
    """Whether the text looks English; null when it is too short (under five words) to tell."""
    words = tokens(text)
    letters = [char for char in outside_fences(text) if char.isalpha()]
    if letters and sum(char.isascii() for char in letters) / len(letters) < 0.8:
        return False
    if len(words) < 5:
        return None
    share = sum(word in _STOPWORDS for word in words) / len(words)
    return share >= 0.15


def content_words(text: str) -> frozenset[str]:
    """Lower-case words longer than two letters that are no stopwords."""
    return frozenset(word for word in tokens(text) if len(word) > 2 and word not in _STOPWORDS)
