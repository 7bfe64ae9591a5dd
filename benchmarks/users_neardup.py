"""The near-duplicate gate at 20,000 profiles: time, memory, recall; beside semhash and datasketch if installed.

python benchmarks/users_neardup.py --profiles 20000
"""

import argparse
import resource
import statistics
import time
from typing import Any

from autointeract.records import rng
from autointeract.records.vocabulary import AXES
from autointeract.users import phrases
from autointeract.users.neardup import SimilarTexts

THRESHOLD = 0.7


def texts_of(count: int) -> list[str]:
    """Profiles of every kind, worded by the phrase bank."""
    found = []
    for number in range(count):
        draw = rng("neardup", number)
        levels = {axis: draw.choice(("low", "mid", "high")) for axis in AXES}
        sentences = phrases.sentences_for(levels, {"style": {"lowercase_start": draw.random(), "polite": 0.0}}, draw)
        draw.shuffle(sentences)
        found.append(" ".join(sentences))
    return found


def near(text: str, number: int) -> str:
    """The text with one word in twenty replaced."""
    draw = rng("near", number)
    return " ".join("indeed" if draw.random() < 0.05 else word for word in text.split())


def ours(texts: list[str], probes: list[str]) -> tuple[list[float], float]:
    """Milliseconds of each question (vectorise, ask, add), and the share of probes found."""
    box = SimilarTexts(texts[:200])
    times, found = [], 0
    for text in texts:
        started = time.perf_counter()
        vector = box.vector(text)
        box.best(vector)
        box.add(vector)
        times.append((time.perf_counter() - started) * 1000)
    for text in probes:
        found += box.best(box.vector(text))[0] >= THRESHOLD
    return times, found / len(probes)


def false_alarms(texts: list[str]) -> float:
    """Share of texts that are refused though all were worded independently."""
    box = SimilarTexts(texts[:200])
    refused = 0
    for text in texts:
        vector = box.vector(text)
        refused += box.best(vector)[0] >= THRESHOLD
        box.add(vector)
    return refused / len(texts)


class Hashed:
    """Stands in for semhash's model."""

    def encode(self, inputs: list[str], **_: object) -> Any:
        """Unit rows of 512 signed counts."""
        from sklearn.feature_extraction.text import HashingVectorizer

        rows: Any = HashingVectorizer(ngram_range=(1, 2), n_features=512).transform(inputs)
        return rows.toarray().astype("float32")


def peer(name: str, texts: list[str], probes: list[str]) -> str:
    """Total seconds and recall of another library, or why it was not run."""
    started = time.perf_counter()
    try:
        if name == "datasketch":
            from datasketch import MinHash, MinHashLSH  # pyright: ignore[reportMissingImports]

            def hashed(text: str) -> MinHash:
                found = MinHash(num_perm=128)
                found.update_batch([text[k : k + 5].encode() for k in range(len(text) - 4)])
                return found

            index = MinHashLSH(threshold=0.7, num_perm=128)
            for number, text in enumerate(texts):
                index.insert(str(number), hashed(text))
            recall = sum(bool(index.query(hashed(text))) for text in probes) / len(probes)
        else:
            from semhash import SemHash  # pyright: ignore[reportMissingImports]

            try:
                index = SemHash.from_records(records=texts)
            except Exception:  # its model lies on a hub that may be out of reach
                name = "semhash (model out of reach: words and pairs hashed to 512 numbers)"
                index = SemHash.from_records(records=texts, model=Hashed())
            kept = index.deduplicate(records=probes, threshold=THRESHOLD)
            recall = 1 - len(kept.selected) / len(probes)
    except ImportError:
        return f"{name}: not installed"
    return f"{name}: {time.perf_counter() - started:.1f} s in all, recall {recall:.3f}"


def main() -> None:
    """Prints one line a claim."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--profiles", type=int, default=20_000)
    args = parser.parse_args()
    texts = texts_of(args.profiles)
    probes = [near(text, number) for number, text in enumerate(texts[:: max(len(texts) // 500, 1)])]
    started = time.perf_counter()
    times, recall = ours(texts, probes)
    last = times[-max(len(times) // 20, 1) :]
    print(
        f"ours: {time.perf_counter() - started:.1f} s in all, recall {recall:.3f}; a proposal at {len(texts)} kept: "
        f"median {statistics.median(last):.2f} ms, 95 % {sorted(last)[int(len(last) * 0.95)]:.2f} ms"
    )
    print(f"memory: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB at most")
    print(f"refused among {min(len(texts), 2000)} independently worded: {false_alarms(texts[:2000]):.4f}")
    for name in ("datasketch", "semhash"):
        print(peer(name, texts, probes))


if __name__ == "__main__":
    main()
