"""Spool: the candidates of a run on disk, so that memory does not grow with them; one offset a candidate is kept.

Reading all sources first gives a plan (every key, every input digest, duplicates found) before anything runs.
"""

import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from autointeract.tasks.candidate import UNLISTED, Candidate, Refusal


class Entry:
    """One spooled candidate: its key, digest, place, and what the pool's filters look at."""

    __slots__ = ("digest", "length", "offset", "repo", "source", "task_id")

    def __init__(self, candidate: Candidate, offset: int, length: int):
        self.task_id, self.digest, self.source, self.repo = (
            candidate.task_id, candidate.digest, candidate.source, candidate.repo,
        )  # fmt: skip
        self.offset, self.length = offset, length


class Spool:
    """A temporary file of candidates in `folder`; it vanishes when closed or when the process ends.

    Attributes:
        entries: what can be verified, in reading order.
        refusals: what was refused while reading; those that are no fault of the row are only in `unlisted`.
        unlisted: counts of rows that are not for us (`not_code`, `filtered`), by reason and detail.
    """

    def __init__(self, folder: Path):
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115 - closed by `close`
        self.entries: list[Entry] = []
        self.refusals: list[Refusal] = []
        self.unlisted: Counter[str] = Counter()
        self.sources: Counter[str] = Counter()
        self._ids: dict[str, bytes] = {}
        self._contents: dict[bytes, str] = {}

    def add(self, found: Iterable[Candidate | Refusal]) -> None:
        """Takes what a reader yields; a second task of one id, or one that asks and tests the same, is refused."""
        for item in found:
            if isinstance(item, Candidate):
                item = self._duplicate(item) or item
            if isinstance(item, Refusal):
                if item.reason in UNLISTED:
                    self.unlisted[item.reason] += 1
                else:
                    self.refusals.append(item)
                continue
            self.sources[item.source] += 1
            data = json.dumps(item.model_dump(mode="json"), ensure_ascii=False).encode()
            offset = self._file.seek(0, 2)
            self._file.write(data)
            self.entries.append(Entry(item, offset, len(data)))

    def read(self, entry: Entry) -> Candidate:
        """The candidate of an entry."""
        self._file.seek(entry.offset)
        return Candidate.model_validate_json(self._file.read(entry.length))

    def close(self) -> None:
        """Removes the file."""
        self._file.close()

    def __enter__(self) -> "Spool":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _duplicate(self, candidate: Candidate) -> Refusal | None:
        content = bytes.fromhex(candidate.content_digest)
        if candidate.task_id in self._ids:
            same = "the same task" if self._ids[candidate.task_id] == content else "another task"
            return candidate.refuse("duplicate_id", f"this id was read before, for {same}; the first one is kept")
        if content in self._contents:
            first = self._contents[content]
            return candidate.refuse("duplicate_content", f"asks and tests the same as {first}, which is kept")
        self._ids[candidate.task_id] = content
        self._contents[content] = candidate.task_id
        return None
