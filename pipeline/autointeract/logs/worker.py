"""Reads one batch of log files to the end: chosen reader, human turns, redaction, spool. Runs in any process.

Goes in: paths and rules. Comes out: a spool file (if there was a session) and, for each file, what was found - format,
counts, problems - with nothing of its text. One bad file never costs another: what fails is named and counted.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autointeract.errors import InputError
from autointeract.logs import spool
from autointeract.logs.build import BuildRules, Stored, build
from autointeract.logs.event import RawSession
from autointeract.logs.readers import Head, choose, read_source
from autointeract.logs.source import Source
from autointeract.records.digest import digest
from autointeract.records.vocabulary import HUMAN_ACTS

STORED_ACTS = (HUMAN_ACTS - {"command"}) | {"handoff"}
"""A session without one of these holds no trace of a person: it is counted and not stored."""


@dataclass(frozen=True)
class Job:
    """One batch.

    Attributes:
        files: (path, digest of the file as stored, label for messages).
        folder: where the spool file goes.
    """

    files: tuple[tuple[Path, str, str], ...]
    folder: Path
    rules: BuildRules
    max_line_bytes: int


def run_job(job: Job) -> list[tuple[str, dict[str, Any]]]:
    """Reads a batch; gives (file digest, what was found) for each file, in order."""
    kept: list[tuple[str, Stored]] = []
    found: list[tuple[str, dict[str, Any]]] = []
    for path, file_digest, label in job.files:
        summary, sessions = read_file(path, file_digest, label, job.rules, job.max_line_bytes)
        kept += [(file_digest, stored) for stored in sessions]
        found.append((file_digest, summary))
    if kept:
        name = f"{digest([file_digest for _, file_digest, _ in job.files], 24)}.arrow"
        spool.write(job.folder / name, spool.table_of(kept))
        holders = {file_digest for file_digest, _ in kept}
        found = [(file, {**summary, "spool": name} if file in holders else summary) for file, summary in found]
    return found


def read_file(
    path: Path, file_digest: str, label: str, rules: BuildRules, max_line_bytes: int
) -> tuple[dict[str, Any], list[Stored]]:
    """One file: its summary (format or reason of refusal, counts, problems) and its sessions with a person in them."""
    source = Source(path, max_line_bytes)
    counts: Counter[str] = Counter()
    sessions: list[Stored] = []
    summary: dict[str, Any] = {"label": label, "format": "", "reason": ""}
    try:
        head = Head.of(source)
        chosen = choose(head)
        summary["format"], summary["reason"] = chosen.name, chosen.reason
        for raw in read_source(source, chosen, head) if not chosen.reason else ():
            counts["sessions_read"] += 1
            if not any(event.kind in STORED_ACTS for event in raw.events):
                counts["sessions_without_person"] += 1
                continue
            stored = build(raw, file_digest, rules)
            counts.update({f"redacted_{label}": n for label, n in stored.redacted.items()})
            sessions.append(stored)
    except InputError as error:
        summary["reason"] = str(error)
    except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError, MemoryError) as error:
        # A file that a reader cannot follow is that file's problem: it is named, and the others go on.
        summary["reason"] = f"damaged: {type(error).__name__} while reading as {summary['format'] or 'unknown format'}"
    return {
        **summary,
        "counts": dict(sorted(counts.items())),
        "problems": dict(sorted(source.problems.items())),
    }, sessions


def sessions_of(path: Path, max_line_bytes: int, trace: bool) -> Iterator[tuple[str, RawSession]]:
    """(format, raw session) pairs of one file, for `explain`.

    Raises:
        InputError: the file is no log; the message says why.
    """
    source = Source(path, max_line_bytes)
    head = Head.of(source)
    chosen = choose(head)
    if chosen.reason:
        raise InputError(f"{source.name}: {chosen.reason}")
    for raw in read_source(source, chosen, head, trace):
        yield chosen.name, raw
