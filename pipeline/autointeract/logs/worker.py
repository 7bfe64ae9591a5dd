"""Reads one batch of logs to the end: chosen reader, human turns, redaction, spool. Runs in any process.

Goes in: places and rules. Comes out: a spool file (if there was a session) and, for each log, what was found - format,
counts, problems - with nothing of its text or name. One bad file never costs another: what fails is named and counted.
Told to stop, it drops the file that it is reading and brings those before it.
"""

import gc
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autointeract.errors import InputError, StoppedError
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


_stop: Any = None
"""In a process of a pool: the event that its parent sets to stop all."""


def heed(stop: Any) -> None:
    """Readies a process of a pool: it ends when `stop` is set, and no signal to the whole group tears it down."""
    global _stop
    _stop = stop
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def run_pooled_job(job: Job) -> list[tuple[str, dict[str, Any]]]:
    """`run_job` in a process of a pool."""
    return run_job(job, _stop.is_set)


def run_job(job: Job, stopping: Callable[[], bool] = lambda: False) -> list[tuple[str, dict[str, Any]]]:
    """Reads a batch; gives (digest, what was found) for each log that was read to its end, in order.

    Args:
        stopping: asked between files and inside of long ones; when it says yes, no more is read.
    """
    # Millions of plain objects and no cycles: the collector would only walk them again and again.
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _run(job, stopping)
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

    def drop(self, summary: dict[str, Any]) -> None:
        """Forgets what waits of one log."""
        self.waiting = [item for item in self.waiting if item[1] is not summary]

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


def _run(job: Job, stopping: Callable[[], bool]) -> list[tuple[str, dict[str, Any]]]:
    found: list[tuple[str, dict[str, Any]]] = []
    name = f"{digest([file.digest for file in job.files], 24)}.arrow"
    with spool.SpoolWriter(job.folder / name) as writer:
        batch = _Batch(writer, job)
        for file in job.files:
            summary: dict[str, Any] = {"format": "", "reason": "", "counts": Counter(), "problems": Counter()}
            try:
                for drafted in _read(file, job, summary, stopping):
                    batch.add(drafted, summary)
            except StoppedError:
                batch.drop(summary)
                break
            found.append((file.digest, summary))
        batch.flush()
    for _, summary in found:
        summary |= {name: dict(sorted(summary[name].items())) for name in ("counts", "problems")}
    return found


def _read(file: LogFile, job: Job, summary: dict[str, Any], stopping: Callable[[], bool]) -> Iterator[Draft]:
    """The sessions with a person in them; fills in format or reason, counts and problems."""
    counts = summary["counts"]
    _go_on(stopping)
    try:
        log = open_log(file.place, file.label, job.max_line_bytes)
        log.source.stopping = stopping
        summary["format"], summary["reason"] = log.name, log.reason
        try:
            for raw in log.sessions:
                _go_on(stopping)
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


def _go_on(stopping: Callable[[], bool]) -> None:
    if stopping():
        raise StoppedError("told to stop")


def _damaged(error: Exception, summary: dict[str, Any]) -> str:
    return f"damaged ({type(error).__name__} while reading it as {summary['format'] or 'an unknown format'})"
