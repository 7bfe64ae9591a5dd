"""ReplyCache: paid replies, kept. One SQLite file, safe for many processes; a killed process loses no committed reply.

In: a key (32 bytes) that covers everything that decides a reply. Out: what was stored, always a fresh object. It never
holds refusals, errors, truncations or empty answers (its caller sees to that), prompts, or keys to endpoints.
"""

import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autointeract.errors import WorkspaceError

_TABLES = """
CREATE TABLE IF NOT EXISTS replies (
  key BLOB PRIMARY KEY, role TEXT NOT NULL, model TEXT NOT NULL, item TEXT NOT NULL, tokens INTEGER NOT NULL,
  created REAL NOT NULL, body BLOB NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS replies_item ON replies (item);
CREATE TABLE IF NOT EXISTS faults (
  created REAL NOT NULL, role TEXT NOT NULL, model TEXT NOT NULL, item TEXT NOT NULL, fault TEXT NOT NULL,
  detail TEXT NOT NULL, text TEXT NOT NULL);
"""


class ReplyCache:
    """One cache file, opened when first used.

    Attributes:
        path: the file.
    """

    def __init__(self, path: Path):
        self.path = path
        self._opened: sqlite3.Connection | None = None
        self._json: Any = None
        self._packer: Any = None
        self._unpacker: Any = None

    def get(self, key: bytes) -> dict[str, Any] | None:
        """What was stored under `key`, or null."""
        row = self._db().execute("SELECT body FROM replies WHERE key = ?", (key,)).fetchone()
        return self._json.loads(self._unpacker.decompress(row[0])) if row else None

    def put(self, key: bytes, body: dict[str, Any], *, role: str, model: str, item: str, tokens: int) -> None:
        """Stores `body` (JSON data) durably before it returns; the first writer of a key wins."""
        database = self._db()
        packed = self._packer.compress(self._json.dumps(body))
        database.execute(
            "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?, ?, ?, ?)",
            (key, role, model, item, tokens, time.time(), packed),
        )

    def put_fault(self, fault: str, detail: str, text: str, *, role: str, model: str, item: str) -> None:
        """Keeps a reply that was no use, for people; it is never served."""
        values = (time.time(), role, model, item, fault, detail, text[:100_000])
        self._db().execute("INSERT INTO faults VALUES (?, ?, ?, ?, ?, ?, ?)", values)

    def faults(self, limit: int = 100) -> list[dict[str, Any]]:
        """The newest replies that were no use: created, role, model, item, fault, detail, text."""
        names = ("created", "role", "model", "item", "fault", "detail", "text")
        rows = self._db().execute(f"SELECT {', '.join(names)} FROM faults ORDER BY rowid DESC LIMIT ?", (limit,))
        return [dict(zip(names, row, strict=True)) for row in rows]

    def stats(self) -> list[dict[str, Any]]:
        """Replies, tokens and bytes by role and model."""
        rows = self._db().execute(
            "SELECT role, model, count(*), sum(tokens), sum(length(body)), min(created), max(created) FROM replies "
            "GROUP BY role, model ORDER BY role, model"
        )
        names = ("role", "model", "replies", "tokens", "bytes", "oldest", "newest")
        return [dict(zip(names, row, strict=True)) for row in rows]

    def prune(self, *, older_than: float | None = None, role: str | None = None, model: str | None = None) -> int:
        """Removes replies stored before `older_than` (epoch seconds), of a role, of a model; gives the count.

        Without any condition it empties the cache.
        """
        where = {"created < ?": older_than, "role = ?": role, "model = ?": model}
        conditions = [text for text, value in where.items() if value is not None]
        values = [value for value in where.values() if value is not None]
        clause = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        return self._remove(f"DELETE FROM replies{clause}", values)

    def forget(self, items: Iterable[str] = (), texts: Iterable[str] = ()) -> int:
        """Removes replies asked for on behalf of `items`, or that hold one of `texts`; gives the count."""
        removed = 0
        for item in items:
            removed += self._remove("DELETE FROM replies WHERE item = ?", [item])
            removed += self._remove("DELETE FROM faults WHERE item = ?", [item])
        wanted = [text for text in texts if text]
        if wanted:
            found = [
                key for key, body in self._db().execute("SELECT key, body FROM replies")
                if any(text in self._unpacker.decompress(body).decode() for text in wanted)
            ]  # fmt: skip
            removed += sum(self._remove("DELETE FROM replies WHERE key = ?", [key]) for key in found)
            for text in wanted:
                removed += self._remove("DELETE FROM faults WHERE instr(text, ?) OR instr(detail, ?)", [text, text])
        return removed

    def close(self) -> None:
        """Closes the file."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def _remove(self, statement: str, values: list[Any]) -> int:
        database = self._db()
        count = database.execute(statement, values).rowcount
        if count:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.execute("VACUUM")  # so that what was removed is no longer in the file
        return count

    def _db(self) -> sqlite3.Connection:
        if self._opened is None:
            import orjson
            import zstandard

            self._json = orjson
            self._packer, self._unpacker = zstandard.ZstdCompressor(level=3), zstandard.ZstdDecompressor()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                # Autocommit: each reply is on its way to disk when put() returns.
                database = sqlite3.connect(self.path, timeout=60, isolation_level=None, check_same_thread=False)
                database.execute("PRAGMA journal_mode = WAL")
                database.execute("PRAGMA synchronous = NORMAL")
                # A checkpoint syncs, and everything waits for it: every ten thousand replies, not every three hundred.
                database.execute("PRAGMA wal_autocheckpoint = 16000")
                database.execute("PRAGMA secure_delete = ON")
                database.executescript(_TABLES)
            except sqlite3.DatabaseError as error:
                raise WorkspaceError(f"{self.path} is no usable reply cache ({error}): move it away") from error
            self._opened = database
        return self._opened
