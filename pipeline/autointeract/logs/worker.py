"""Reads one batch of logs to the end: chosen reader, human turns, redaction, spool. Runs in any process.

Goes in: places and rules. Comes out: a spool file (if there was a session) and, for each log, what was found - format,
counts, problems - with nothing of its text or name. One bad file never costs another: what fails is named and counted.
"""

import gc
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autointeract.errors import InputError
from autointeract.logs import spool
from autointeract.logs.build import BuildRules, Draft, draft, finish
from autointeract.logs.forgotten import Forgotten
from autointeract.logs.identity import pseudonym
from autointeract.logs.opening import open_log
from autointeract.logs.places import Place, Remote
from autointeract.logs.redaction import suspects
from autointeract.records.digest import digest
from autointeract.records.vocabulary import HUMAN_ACTS

STORED_ACTS = (HUMAN_ACTS - {"command"}) | {"handoff"}
"""A session without one of these holds no trace of a person: it is counted and not stored."""

BATCH_CHARS = 2_000_000
"""Characters that are redacted together."""
FOREIGN = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, MemoryError)


@dataclass(frozen=True)
class LogFile:
    """One log to read.

    Attributes:
        digest: of its content, 16 hex digits.
        label: its name without folders.
    """

    place: Place
    digest: str
    size: int
    label: str


@dataclass(frozen=True)
class Job:
    """One batch; `folder` is where the spool file goes. `forgotten`: marks of people of whom nothing may be stored."""

    files: tuple[LogFile, ...]
    folder: Path
    rules: BuildRules
    max_line_bytes: int
    forgotten: frozenset[str] = frozenset()


def run_job(job: Job) -> list[tuple[str, dict[str, Any]]]:
    """Reads a batch; gives (digest, what was found) for each log, in order."""
    # Millions of plain objects and no cycles: the collector would only walk them again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _run(job)
    finally:
        if collecting:
            gc.enable()


class _Batch:
    """Sessions that were read and wait for redaction: their texts are looked at together, which is much faster."""

    def __init__(self, writer: spool.SpoolWriter, job: Job):
        self.writer, self.level, self.name = writer, job.rules.level, writer.path.name
        self.waiting: list[tuple[Draft, dict[str, Any]]] = []
        self.chars = 0

    def add(self, drafted: Draft, summary: dict[str, Any]) -> None:
        """Takes a session of the log that `summary` is about."""
        self.waiting.append((drafted, summary))
        self.chars += sum(map(len, drafted.texts))
        if self.chars >= BATCH_CHARS:
            self.flush()

    def flush(self) -> None:
        """Redacts and writes what waits."""
        told = suspects([text for waiting, _ in self.waiting for text in waiting.texts]) if self.level != "off" else []
        start = 0
        for waiting, summary in self.waiting:
            end = start + len(waiting.texts)
            try:
                stored = finish(waiting, told[start:end])
                self.writer.add(waiting.file, stored)
                summary["spool"] = self.name
                summary["counts"].update({f"redacted_{name}": number for name, number in stored.redacted.items()})
            except FOREIGN as error:
                summary["reason"] = _damaged(error, summary)
            start = end
        self.waiting, self.chars = [], 0


def _run(job: Job) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    name = f"{digest([file.digest for file in job.files], 24)}.arrow"
    with spool.SpoolWriter(job.folder / name) as writer:
        batch = _Batch(writer, job)
        for file in job.files:
            summary: dict[str, Any] = {"format": "", "reason": "", "counts": Counter(), "problems": Counter()}
            found.append((file.digest, summary))
            for drafted in _read(file, job, summary):
                batch.add(drafted, summary)
        batch.flush()
    for _, summary in found:
        summary |= {name: dict(sorted(summary[name].items())) for name in ("counts", "problems")}
    return found


def _read(file: LogFile, job: Job, summary: dict[str, Any]) -> Iterator[Draft]:
    """The sessions with a person in them; fills in format or reason, counts and problems."""
    counts = summary["counts"]
    try:
        log = open_log(file.place, file.label, job.max_line_bytes)
        summary["format"], summary["reason"] = log.name, log.reason
        try:
            for raw in log.sessions:
                counts["sessions_read"] += 1
                if not any(event.kind in STORED_ACTS for event in raw.events):
                    counts["sessions_without_person"] += 1
                elif job.forgotten and Forgotten.marked(pseudonym(raw.evidence, job.rules.key), job.forgotten):
                    counts["sessions_of_forgotten"] += 1
                else:
                    yield draft(raw, file.digest, job.rules)
        finally:
            summary["problems"].update(log.source.problems)
    except InputError as error:
        if isinstance(file.place, Remote):
            # The network failed, not the data: nothing is journalled, so that the next run reads it again.
            raise
        summary["reason"] = str(error).removeprefix(f"{file.label}: ")
    except FOREIGN as error:
        # A log that its reader cannot follow is that log's problem: it is named, and the others go on.
        summary["reason"] = _damaged(error, summary)


def _damaged(error: Exception, summary: dict[str, Any]) -> str:
    return f"damaged ({type(error).__name__} while reading it as {summary['format'] or 'an unknown format'})"
