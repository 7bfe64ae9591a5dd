"""Remembers verdicts in one SQLite file. Only verdicts that judging again would give again are kept.

Key = digest of (format, spec, submission, state, settings that change results). Several processes may share the file.
"""

import sqlite3
import threading
from pathlib import Path

from autointeract.records import State, Submission, Verdict, VerifierSpec, digest

FORMAT = 1
"""Raised when the judge's rules change, so that old verdicts are not believed."""


def key(spec: VerifierSpec, submission: Submission, state: State | None, view: dict[str, object]) -> str:
    """The digest under which a verdict is kept."""
    parts = [spec.model_dump(mode="json"), submission.model_dump(mode="json")]
    return digest([FORMAT, *parts, state.model_dump(mode="json") if state else None, view])


def keepable(verdict: Verdict) -> bool:
    """Whether judging again must give the same: no fault, and no time-out (a busy machine makes those too)."""
    if verdict.score is None or verdict.fault is not None or verdict.status == "timeout":
        return False
    return not any(entry.get("status") == "timeout" for entry in verdict.details)


class VerdictCache:
    """`get` and `put` by key; thread-safe."""

    def __init__(self, path: Path):
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = threading.Lock()
        self._db = sqlite3.connect(path, timeout=30, check_same_thread=False, isolation_level=None)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute("CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, verdict TEXT NOT NULL)")
        self._db.execute("CREATE TABLE IF NOT EXISTS binaries (key TEXT PRIMARY KEY, data BLOB NOT NULL)")

    def get(self, name: str) -> Verdict | None:
        """The verdict kept under `name`, with `seconds` 0."""
        with self._lock:
            row = self._db.execute("SELECT verdict FROM verdicts WHERE key = ?", (name,)).fetchone()
        return Verdict.model_validate_json(row[0]) if row else None

    def put(self, name: str, verdict: Verdict) -> None:
        """Keeps a verdict if it is `keepable`."""
        if not keepable(verdict):
            return
        text = verdict.model_copy(update={"seconds": 0.0}).model_dump_json()
        with self._lock:
            self._db.execute("INSERT OR IGNORE INTO verdicts VALUES (?, ?)", (name, text))

    def get_binary(self, name: str) -> bytes | None:
        """A compiled program."""
        with self._lock:
            row = self._db.execute("SELECT data FROM binaries WHERE key = ?", (name,)).fetchone()
        return row[0] if row else None

    def put_binary(self, name: str, data: bytes) -> None:
        """Keeps a compiled program."""
        with self._lock:
            self._db.execute("INSERT OR IGNORE INTO binaries VALUES (?, ?)", (name, data))

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._db.close()
