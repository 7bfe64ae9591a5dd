"""Near-duplicates among profile texts: TF-IDF of word 1-2-grams, cosine, exact over all texts kept so far.

Hashed features with weights fixed at the start (from the real profiles), so that adding a text never changes what was
decided before. One question against 20,000 texts takes a few milliseconds (benchmarks/users_neardup.py).
"""

from collections.abc import Sequence
from typing import Any

FEATURES = 2**18
JOIN = 64
"""Rows are joined 64 at a time, and blocks of one size into a larger one: few blocks to ask, each row copied rarely."""


class SimilarTexts:
    """Texts kept so far, and how similar a new one is to them.

    Args:
        reference: texts that fix the weights of words; with none, all words weigh the same.
    """

    def __init__(self, reference: Sequence[str]):
        import numpy as np
        from sklearn.feature_extraction.text import HashingVectorizer

        plain: Any = {"norm": None, "alternate_sign": False, "token_pattern": r"(?u)\b\w+\b"}
        self._hash = HashingVectorizer(ngram_range=(1, 2), n_features=FEATURES, **plain)
        self._idf = np.ones(FEATURES, dtype=np.float32)
        if reference:
            rows: Any = self._hash.transform(reference)
            seen = np.bincount(rows.indices, minlength=FEATURES)
            self._idf = (np.log((1 + len(reference)) / (1 + seen)) + 1).astype(np.float32)
        self._dense = np.zeros(FEATURES, dtype=np.float32)
        self._blocks: list[Any] = []
        self._pending: list[Any] = []
        self.count = 0

    def vector(self, text: str) -> Any:
        """The text's unit vector, a sparse row."""
        return self._unit(self._hash.transform([text]))

    def best(self, vector: Any) -> tuple[float, int]:
        """(cosine, number) of the most similar text kept; (0.0, -1) when none is kept."""
        best, place, start = 0.0, -1, 0
        for block in self._blocks:
            # Only the columns of the question's own words are touched: most postings are short.
            scores = block[:, vector.indices] @ vector.data
            top = int(scores.argmax())
            if scores[top] > best or place < 0:
                best, place = float(scores[top]), start + top
            start += block.shape[0]
        self._dense[vector.indices] = vector.data
        for number, row in enumerate(self._pending):
            score = float(self._dense[row.indices] @ row.data)
            if score > best or place < 0:
                best, place = score, start + number
        self._dense[vector.indices] = 0.0
        return best, place

    def add(self, vector: Any) -> int:
        """Keeps a text's vector; gives its number."""
        from scipy.sparse import vstack

        self._pending.append(vector)
        if len(self._pending) >= JOIN:
            joined: Any = vstack(self._pending, format="csc")
            self._pending = []
            while self._blocks and self._blocks[-1].shape[0] <= joined.shape[0]:
                joined = vstack([self._blocks.pop(), joined], format="csc")
            self._blocks.append(joined)
        self.count += 1
        return self.count - 1

    def _unit(self, rows: Any) -> Any:
        from sklearn.preprocessing import normalize

        rows = rows.astype("float32")
        rows.data *= self._idf[rows.indices]
        unit: Any = normalize(rows, copy=False)
        return unit
