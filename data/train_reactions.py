"""Trains the reaction classifier of the rule labeller on the sentences of data/reactions. Seeded; about a CPU minute.

    python data/train_reactions.py                      # writes pipeline/autointeract/users/reactions.tsv
    python data/train_reactions.py --out /tmp/new.tsv

The sentences were written for this purpose. No wording of the generated logs (data/loggen) is among them: those measure
whether the classifier carries over to words that it has not seen (benchmarks/users_recovery.py).

The file: a line of classes, a line of intercepts, then a line for every feature with its IDF and a weight for every
class, in hundredths. Another machine may differ by one in the last place where a weight lies on an edge.
"""

import argparse
import random
import re
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "pipeline"))

import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402
from sklearn.linear_model import LogisticRegression  # noqa: E402

from autointeract.records.vocabulary import Reaction  # noqa: E402
from autointeract.users import lexicon, reactions, rules  # noqa: E402
from autointeract.users.surface import sentences  # noqa: E402

SEED = 0
PER_PATTERN = 20  # wordings drawn from a pattern
COPIES = 2  # turns made of a wording, one more where it has slots
LEAST = 3  # turns that must hold a feature
FEATURES = 20000  # kept, those that weigh most
PENALTY = 10.0  # C of the regression: the inverse of the penalty on weights
ASKED = {"answer": 0.97, "clarify": 0.1, "accept": 0.08, "new_request": 0.08, "change_requirement": 0.08}
CARRIES = ("new_request", "change_requirement", "correct", "answer")  # reactions that state what is wanted
LEADS = ("It should ", "It must ", "And ", "The rule is to ", "We want to ", "Make sure to ", "- ")
TAILS = (" please", ", thanks", " thx", " if you can", ", ok?", " for me")
_CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")


def read(name: str) -> dict:
    """One file of data/reactions."""
    return tomllib.loads((ROOT / "data" / "reactions" / f"{name}.toml").read_text(encoding="utf-8"))


def wordings(rng: random.Random) -> list[tuple[str, str]]:
    """(wording with slots, reaction): the sentences as they are, and draws from the patterns."""
    found = [
        (text, name)
        for file in ("sentences", "people", "fields")
        for name, part in read(file).items()
        for text in part["texts"]
    ]
    for name, part in read("patterns").items():
        for pattern in part["patterns"]:
            drawn = {expand(pattern, rng) for _ in range(PER_PATTERN)}
            found += [(text, name) for text in sorted(drawn)]
    return found


def expand(pattern: str, rng: random.Random) -> str:
    """One choice for every `{a|b}`, innermost first; the slots `{t}` and `{r}` stay."""
    text = pattern.replace("{t}", "\0t").replace("{r}", "\0r")
    while choice := _CHOICE.search(text):
        text = text[: choice.start()] + rng.choice(choice.group(1).split("|")) + text[choice.end() :]
    return " ".join(text.split(" ")).strip().replace("\0t", "{t}").replace("\0r", "{r}")


def turns(rng: random.Random) -> list[tuple[str, str, bool]]:
    """(text, reaction, whether the assistant had asked): wordings with filled slots, detail and background."""
    slots, found = read("slots"), []
    for wording, name in wordings(rng):
        filled = "{t}" in wording or "{r}" in wording
        for number in range(COPIES + filled):
            text = wording
            for mark, fill in (("{t}", "things"), ("{r}", "rules")):
                while mark in text:
                    text = text.replace(mark, rng.choice(slots[fill]), 1)
            if number or filled:
                text = dressed(text, name, slots, rng)
            found.append((text, name, rng.random() < ASKED.get(name, 0.05)))
    return found


def dressed(text: str, name: str, slots: dict, rng: random.Random) -> str:
    """The text as another person would have sent it: case, courtesy, and what follows the reaction."""
    if rng.random() < 0.3:
        text = (text[0].lower() if rng.random() < 0.5 else text[0].upper()) + text[1:]
    if rng.random() < 0.3:
        text = text.rstrip(".")
    if name in CARRIES and rng.random() < 0.12 and "\n" not in text and text[-1] not in "?.!":
        text += rng.choice(TAILS)
    more = []
    if name in CARRIES and rng.random() < 0.25:
        more.append(rng.choice(LEADS) + rng.choice(slots["rules"]))
    if rng.random() < 0.6:
        more += rng.sample(slots["background"], rng.choice((1, 1, 2, 3, 4)))
    if more:
        text = (text if text[-1] in ".?!`" else f"{text}.") + " " + " ".join(f"{part.rstrip('.')}." for part in more)
    if rng.random() < (0.12 if name == "report_failure" else 0.005):
        text += f"\n\n```\n{rng.choice(slots['pasted'])}\n```"
    return text


def train() -> str:
    """The text of the model file."""
    rows = turns(random.Random(SEED))
    found = [
        reactions.features(sentences(rules.core(text)), asked, bool(lexicon.STRONG_FAILURE.search(text)))
        for text, _, asked in rows
    ]
    names = [name for _, name, _ in rows]
    counts = Counter(feature for row in found for feature in row)
    kept = sorted(feature for feature, number in counts.items() if number >= LEAST)
    _, weights, _ = fit(found, names, kept, counts)
    order = np.argsort(-np.abs(weights).max(axis=0) * np.sqrt([counts[name] for name in kept]), kind="stable")
    kept = sorted(kept[place] for place in order[:FEATURES])
    intercepts, weights, idf = fit(found, names, kept, counts)
    lines = ["classes\t" + " ".join(reaction_names()), "intercepts\t" + whole(intercepts)]
    lines += [f"{name}\t{whole([idf[i], *weights[:, i]])}" for i, name in enumerate(kept)]
    return "\n".join(lines) + "\n"


def fit(found: list[set[str]], names: list[str], kept: list[str], counts: Counter) -> tuple:
    """(intercepts, weights, IDF) of the regression on these features; classes in the order of the vocabulary."""
    place = {name: i for i, name in enumerate(kept)}
    idf = np.round(np.log((1 + len(found)) / (1 + np.array([counts[name] for name in kept]))) + 1, 2)
    columns = [sorted(place[name] for name in row if name in place) for row in found]
    ends = np.cumsum([0, *map(len, columns)])
    flat = np.array([i for row in columns for i in row])
    matrix = sparse.csr_matrix((idf[flat], flat, ends), shape=(len(found), len(kept)))
    lengths = np.sqrt(np.asarray(matrix.multiply(matrix).sum(axis=1)).ravel())
    order = {name: i for i, name in enumerate(reaction_names())}
    model = LogisticRegression(C=PENALTY, max_iter=300, class_weight="balanced")
    model.fit(sparse.diags(1 / lengths) @ matrix, [order[name] for name in names])
    return model.intercept_, model.coef_, idf


def reaction_names() -> list[str]:
    """The classes, in the order of the vocabulary."""
    return list(Reaction.__args__)


def whole(numbers) -> str:
    """Hundredths, as whole numbers."""
    return " ".join(str(round(float(number) * reactions.SCALE)) for number in numbers)


def main() -> None:
    """Writes the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=reactions.MODEL)
    parser.parse_args().out.write_text(train(), encoding="utf-8")


if __name__ == "__main__":
    main()
