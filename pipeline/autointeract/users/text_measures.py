"""Classifiers and clusters over texts of turns: can they be told apart, and which behaviours are missed or invented?

Two classifiers, because each sees half (words miss case and punctuation, characters miss word order); per turn and per
dialogue, because a collapsed habit shows in dialogues first; with all lengths and with lengths matched. Folds never
split a user. AUC 0.5 = cannot be told apart; a value under the floor means copied text.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from autointeract.records import derive_seed
from autointeract.users import similarity as sim
from autointeract.users.corpus import Item

KINDS = {
    "words": {"analyzer": "word", "ngram_range": (1, 2)},
    "characters": {"analyzer": "char_wb", "ngram_range": (2, 4)},
}
MIN_TURNS = 20
"""Fewer texts a side than this give no AUC."""


def classifiers(
    left: Mapping[str, Sequence[Item]], right: Mapping[str, Sequence[Item]], splits: int, seed: int
) -> dict[str, Any]:
    """AUC by kind and unit with its real-versus-real range (5 % to 95 %), and `realism` = 1 - 2 |AUC - 0.5|."""
    found: dict[str, Any] = {}
    for unit in ("turn", "dialogue", "turn_length_matched"):
        ours, theirs = _texts(left, unit), _texts(right, unit)
        if unit == "turn_length_matched":
            ours, theirs = match_lengths(ours, theirs, seed)
        for kind in KINDS:
            value = auc_of(ours, theirs, kind)
            spans = []
            for k in range(splits):
                a, b = sim.split_half(list(left), derive_seed("c2st", seed, k))
                one = _texts({g: left[g] for g in left if g in a}, unit)
                two = _texts({g: left[g] for g in left if g in b}, unit)
                spans.append(auc_of(one, two, kind))
            known = [item for item in spans if item is not None]
            found[f"{unit}_{kind}"] = {
                "auc": value, "realism": round(1 - 2 * abs(value - 0.5), 4) if value is not None else None,
                "floor": [round(float(np.quantile(known, q)), 4) for q in (0.05, 0.95)] if known else None,
            }  # fmt: skip
    return found


def auc_of(ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]], kind: str) -> float | None:
    """Grouped, cross-fitted AUC of telling two lists of (group, text) apart; null for too few texts."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    if min(len(ours), len(theirs)) < MIN_TURNS:
        return None
    rows = [*ours, *theirs]
    options: Any = KINDS[kind]
    vectorizer = TfidfVectorizer(min_df=2, sublinear_tf=True, lowercase=kind == "words", max_features=5000, **options)
    try:
        features = vectorizer.fit_transform([text for _, text in rows])
    except ValueError:  # no word occurs twice
        return None
    truth = np.array([0] * len(ours) + [1] * len(theirs))
    value = sim.c2st(features, truth, [group for group, _ in rows])
    return round(value, 4) if value is not None else None


def match_lengths(
    ours: Sequence[tuple[str, str]], theirs: Sequence[tuple[str, str]], seed: int
) -> tuple[list[tuple[str, str]], list[tuple[str, str]]]:
    """Equally many texts of each length class (powers of 1.5 words) on both sides."""
    tables: list[dict[int, list[tuple[str, str]]]] = [{}, {}]
    for table, rows in zip(tables, (ours, theirs), strict=True):
        for row in rows:
            table.setdefault(int(np.log(1 + len(row[1].split())) / np.log(1.5)), []).append(row)
    kept: tuple[list[tuple[str, str]], list[tuple[str, str]]] = ([], [])
    for size in sorted(tables[0].keys() & tables[1].keys()):
        n = min(len(tables[0][size]), len(tables[1][size]))
        for side, table in zip(kept, tables, strict=True):
            order = np.random.default_rng(derive_seed("match", seed, size)).permutation(len(table[size]))[:n]
            side.extend(table[size][place] for place in sorted(order))
    return kept


def clusters(real: Sequence[Item], other: Sequence[Item], count: int, seed: int) -> list[dict[str, Any]]:
    """Clusters of turns by TF-IDF, with both sides' shares and the words that mark them.

    `verdict`: captured (shares within a factor of two), missed (the other side has less than half), invented (the real
    side has less than half).
    """
    from sklearn.cluster import KMeans
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    items = [*real, *other]
    texts = [t.text for t in items]
    if len(texts) < 4 * count:
        return []
    vectorizer = TfidfVectorizer(min_df=2, sublinear_tf=True, max_features=20_000)
    try:
        table = vectorizer.fit_transform(texts)
    except ValueError:
        return []
    width = min(50, table.shape[1] - 1, len(texts) - 1)
    if width < 2:
        return []
    flat = normalize(TruncatedSVD(width, random_state=seed % 2**31).fit_transform(table))
    labels = KMeans(count, random_state=seed % 2**31).fit_predict(flat)
    names = vectorizer.get_feature_names_out()
    whole = np.asarray(table.mean(axis=0)).ravel()
    found = []
    for cluster in range(count):
        mask = labels == cluster
        if not mask.any():
            continue
        shares = [float(mask[: len(real)].mean()), float(mask[len(real) :].mean())]
        weights = np.asarray(table[mask].mean(axis=0)).ravel() - whole
        verdict = "missed" if shares[1] < shares[0] / 2 else "invented" if shares[0] < shares[1] / 2 else "captured"
        found.append(
            {
                "real": round(shares[0], 4), "other": round(shares[1], 4), "verdict": verdict, "turns": int(mask.sum()),
                "marks": [str(names[place]) for place in np.argsort(-weights)[:6]],
            }
        )  # fmt: skip
    return sorted(found, key=lambda row: (-row["real"], -row["other"], row["marks"]))


def _texts(groups: Mapping[str, Sequence[Item]], unit: str) -> list[tuple[str, str]]:
    if unit != "dialogue":
        return [(group, t.text) for group in groups for t in groups[group]]
    found = []
    for group in groups:
        dialogues: dict[str, list[str]] = {}
        for t in groups[group]:
            dialogues.setdefault(t.dialogue, []).append(t.text)
        found += [(group, "\n".join(texts)) for texts in dialogues.values()]
    return found
