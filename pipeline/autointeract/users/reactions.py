"""Which reaction the words of a turn speak for: a small trained classifier that needs no model at run time. English.

In: the sentences of a turn that ask or react, whether the assistant had asked, whether failure output was pasted.
Out: a reaction, or None where too few of the words are known. It is a linear classifier (multinomial logistic
regression over TF-IDF rows of unit length) whose weights lie in `reactions.tsv` as whole numbers;
`data/train_reactions.py` makes that file from the sentences in `data/reactions`. Sums are sums of integers and a tie
goes to the earlier class, so every machine gives the same label.

A feature is a run of up to three words of the first sentence (`w:`), the same run with words replaced by their class
(`c:`, `lexicon.WORD_CLASSES`), a turn of speech (`m:` in the first sentence, `n:` in a later one) or a mark of shape.
"""

import functools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from autointeract.records.vocabulary import Reaction
from autointeract.users import lexicon

MODEL = Path(__file__).with_name("reactions.tsv")
SCALE = 100
"""The whole numbers in the file are hundredths."""
_KNOWN = 0.4
"""At least this share of the words of the first sentence must have been seen in training."""
_SENTENCES, _CHARS, _WORDS = 8, 300, 40
"""What is read of a turn: the reaction stands in front, detail and background follow."""
_KEPT = frozenset(
    ("a an the and or of to in on for with by from at as if so than then there here only just very").split()  # noqa: SIM905
)
_CODE = re.compile(
    r"`[^`\n]+`|https?://\S+|(?<!\w)[~./]?[\w.-]+/[\w./-]+|\b\w+_\w+\b|\b[a-z]+[A-Z]\w*\b|\b\w+\([^)\n]*\)"
    r"|\b[\w-]+\.(?:py|js|tsx?|go|rs|c|cpp|h|java|rb|sh|md|json|ya?ml|toml|sql|html|css|txt|csv|log|cfg|ini)\b"
)
_QUOTE = re.compile(r'"[^"\n]{1,80}"')
_NUMBER = re.compile(r"\b\d[\d.,:]*\w*\b")
_TOKEN = re.compile(r"[a-z]+(?:'[a-z]+)*|<\w+>|[?!]")


class Model(NamedTuple):
    """The weights: class names, one intercept each, the row of every feature, IDF and weights by row (hundredths)."""

    classes: tuple[Reaction, ...]
    intercepts: np.ndarray
    rows: dict[str, int]
    idf: np.ndarray
    weights: np.ndarray


def predict(parts: Sequence[str], asked: bool, pasted: bool) -> Reaction | None:
    """The most likely reaction; None when most words of the first sentence are unknown.

    Args:
        parts: the sentences of the turn, those that ask or react.
        asked: whether the last line of the assistant's text before holds a question.
        pasted: whether the turn holds failure output.
    """
    model = load()
    words = tokens_of(parts[0]) if parts else []
    if sum(f"w:{word}" in model.rows for word in words) < _KNOWN * len(words) or not words:
        return None
    rows = [model.rows[name] for name in features(parts, asked, pasted) if name in model.rows]
    idf = model.idf[rows]
    length = float(np.sqrt(np.dot(idf, idf)))
    scores = model.intercepts + (idf @ model.weights[rows]) / length / SCALE
    return model.classes[int(np.argmax(scores))]


def features(parts: Sequence[str], asked: bool, pasted: bool) -> set[str]:
    """The features of one turn; arguments as in `predict`."""
    first = _plain(parts[0]) if parts else ""
    tokens = _TOKEN.findall(first)[:_WORDS]
    classes = [lexicon.WORD_CLASSES.get(word, word if word in _KEPT or word[0] in "<?!" else "*") for word in tokens]
    found = {f"w:{run}" for run in _runs(["^", *tokens])} | {f"c:{run}" for run in _runs(["^", *classes])}
    found |= {f"c:{left} _ {right}" for left, right in zip(classes, classes[2:], strict=False)}
    found |= {f"m:{name}" for name in _turns_of_speech(first)}
    found |= {f"n:{name}" for part in parts[1:_SENTENCES] for name in _turns_of_speech(_plain(part))}
    size, question = _size(len(first.split())), first.rstrip(" \"')").endswith("?")
    found |= {f"first:{size}", f"all:{_size(sum(len(part.split()) for part in parts))}", f"asked:{asked}"}
    marks = {
        "first:?": question,
        "all:?": any("?" in part for part in parts),
        "pasted": pasted,
        f"asked:{size}": asked,
        "asked:?": asked and question,
    }
    return found | {name for name, holds in marks.items() if holds}


def tokens_of(part: str) -> list[str]:
    """The words of a sentence in lower case; code, numbers and quotations as `<code>`, `<num>`, `<quote>`."""
    return _TOKEN.findall(_plain(part))[:_WORDS]


@functools.cache
def load() -> Model:
    """The weights as `data/train_reactions.py` wrote them."""
    head, intercepts, *lines = MODEL.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    numbers = np.array([row[1].split(" ") for row in rows], dtype=np.int64)
    names: Any = tuple(head.split("\t")[1].split(" "))
    return Model(
        classes=names,
        intercepts=np.array(intercepts.split("\t")[1].split(" "), dtype=np.int64) / SCALE,
        rows={row[0]: place for place, row in enumerate(rows)},
        idf=numbers[:, 0],
        weights=numbers[:, 1:],
    )


def _plain(part: str) -> str:
    text = _QUOTE.sub(" <quote> ", part[:_CHARS].replace("’", "'"))
    return _NUMBER.sub(" <num> ", _CODE.sub(" <code> ", text)).lower()


def _runs(items: Sequence[str]) -> set[str]:
    return {" ".join(items[at : at + size]) for size in (1, 2, 3) for at in range(len(items) - size + 1)}


def _turns_of_speech(plain: str) -> list[str]:
    return [name for name, cue in lexicon.TURNS_OF_SPEECH.items() if cue.search(plain)]


def _size(words: int) -> int:
    return sum(words > bound for bound in (1, 3, 6, 12, 30))
