"""The answer book: the tasks a simulated model "knows", found by what a conversation shows of them.

It stands for what a real model has in its weights. A task is found by its entry point and by the facts visible in the
user's turns; where several fit equally, a seed decides.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from autointeract.records import SourceTask, derive_seed
from autointeract.symbolic.forms import Form, content, is_case, read
from autointeract.workspace import Dataset

_IDENTIFIER = re.compile(r"[^\W\d]\w*")
MIN_OVERLAP = 0.3
"""Least share of a task's content words that must be visible when no entry point names it (ours)."""


class Book:
    """Tasks by entry point, and by content words.

    Attributes:
        tasks: in the order of the dataset.
    """

    def __init__(self, tasks: Sequence[SourceTask]):
        self.tasks = list(tasks)
        self._by_entry: dict[str, list[int]] = defaultdict(list)
        self._by_word: dict[str, list[int]] = defaultdict(list)
        for number, task in enumerate(self.tasks):
            if task.entry_point:
                self._by_entry[task.entry_point].append(number)
            for word in content(task.statement):
                self._by_word[word].append(number)

    def find(self, turns: Sequence[str], seed: int) -> SourceTask | None:
        """The task that the user turns speak of, or null.

        Args:
            seed: breaks ties.
        """
        ranked = self.ranked(turns, seed)
        return ranked[0][1] if ranked else None

    def alike(self, turns: Sequence[str], seed: int, most: int = 4) -> list[SourceTask]:
        """The tasks that fit the user turns as well as the best one does, the best first."""
        ranked = self.ranked(turns, seed)
        return [task for share, task in ranked if share == ranked[0][0]][:most]

    def ranked(self, turns: Sequence[str], seed: int) -> list[tuple[float, SourceTask]]:
        """Candidates with the share of their words that is visible, best first; `seed` orders equal ones."""
        text = "\n".join(turns)
        named = [n for word in sorted(set(_IDENTIFIER.findall(text))) for n in self._by_entry.get(word, ())]
        candidates = sorted(set(named)) or self._overlapping(text)
        here = content(text)
        shares = {n: len(content(self.tasks[n].statement) & here) for n in candidates}
        found = [(shares[n] / max(len(content(self.tasks[n].statement)), 1), self.tasks[n]) for n in candidates]
        return sorted(found, key=lambda pair: (-pair[0], derive_seed("tie", seed, pair[1].task_id)))

    def _overlapping(self, text: str) -> list[int]:
        counts: dict[int, int] = defaultdict(int)
        for word in sorted(content(text)):
            places = self._by_word.get(word, ())
            if len(places) <= max(20, len(self.tasks) // 4):
                for number in places:
                    counts[number] += 1
        good = [(n / max(len(content(self.tasks[number].statement)), 1), number) for number, n in counts.items()]
        return [number for share, number in sorted(good, reverse=True)[:5] if share >= MIN_OVERLAP]


def forms_of(task: SourceTask, turns: Sequence[str]) -> dict[str, Form | None]:
    """How each requirement of a task is visible in the user turns; worked cases are evidence, not requirements, unless
    a task has nothing else.
    """
    facts = [fact for fact in task.facts if not is_case(fact.text)] or task.facts
    return {fact.id: read(fact.text, turns) for fact in facts}


def load(path: str) -> Book:
    """The book made of the tasks dataset at `path`; read once for each version of the dataset. Where no tasks were
    read yet it is empty: `realism` plays whole sessions before, and without, any task.
    """
    manifest = Path(path) / "manifest.json"
    return _load(path, manifest.stat().st_mtime_ns) if manifest.is_file() else Book([])


@lru_cache(maxsize=2)
def _load(path: str, version: int) -> Book:
    return Book(list(Dataset(Path(path), SourceTask).rows()))
