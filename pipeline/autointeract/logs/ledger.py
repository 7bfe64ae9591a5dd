"""FileLedger: which files were seen with which content, so that an unchanged file is not even opened again.

Kept in the workspace's cache under keyed digests of the paths (a path may hold a name). A file whose earlier content is
the beginning of its present one has grown: the earlier version is superseded. Losing the ledger costs time only.
"""

import json
import os
from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from pathlib import Path

import xxhash

from autointeract.errors import StoppedError
from autointeract.logs.event_folder import EventFolder, event_folders
from autointeract.logs.find import find_files, logs_in_repository
from autointeract.logs.identity import keyed
from autointeract.logs.places import MISSING, entire_blobs, parse_remote
from autointeract.logs.tables import remote_version
from autointeract.logs.worker import LogFile
from autointeract.records.digest import digest
from autointeract.workspace.files import write_text

BLOCK = 1 << 20


class FileLedger:
    """The ledger of one workspace.

    Attributes:
        superseded: digests of contents that a grown file has replaced.
    """

    def __init__(self, path: Path, key: bytes):
        self.path = path
        self.key = key
        self._seen: dict[str, list] = {}
        self.superseded: set[str] = set()
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            self._seen, self.superseded = dict(data["seen"]), set(data["superseded"])
        except (OSError, ValueError, KeyError, TypeError):
            pass

    def survey(
        self, paths: list[str], max_rows: int | None, stopping: Callable[[], bool] = lambda: False
    ) -> list[LogFile]:
        """The files that `paths` name, each content once, with digests.

        A file that cannot be opened is among them: whoever reads it says so.

        Raises:
            InputError: a path is missing or holds nothing.
            StoppedError: `stopping` said so; what was found out is kept.
        """
        files: dict[str, LogFile] = {}
        local = []
        for text in paths:
            if text.startswith("hf://"):
                remote = replace(parse_remote(text), max_rows=max_rows)
                version = digest(["hf", remote.name, remote.config, remote.split, remote_version(remote), max_rows], 16)
                files.setdefault(version, LogFile(remote, version, 0, text))
                continue
            blobs = entire_blobs(Path(text).expanduser())
            for blob in blobs:
                # A missing one has a name of its own, so that it is read once the repository has it.
                name = digest(["git", *(["missing"] if blob.size == MISSING else []), blob.blob], 16)
                files.setdefault(name, LogFile(blob, name, max(blob.size, 0), f"full.jsonl@{blob.blob[:8]}"))
            local += logs_in_repository(Path(text).expanduser()) if blobs else [text]
        alone, folders = event_folders(find_files(local) if local or not paths else ())
        for file in chain(map(self._look, alone), map(self._look_into, folders)):
            files.setdefault(file.digest, file)
            if stopping():
                self.save()
                raise StoppedError("stopped while it was looking for what is new; the same command goes on from here")
        self.superseded -= files.keys()
        return list(files.values())

    def save(self) -> None:
        """Writes the ledger."""
        write_text(self.path, json.dumps({"seen": self._seen, "superseded": sorted(self.superseded)}, indent=0) + "\n")

    def _look(self, path: Path) -> LogFile:
        try:
            stat = path.stat()
            place = keyed(self.key, "path", os.path.realpath(path))[:32]
            size, changed, name = self._seen.get(place, [-1, -1, ""])
            if (size, changed) != (stat.st_size, stat.st_mtime_ns):
                before = name
                name, grown = _digests(path, size if 0 <= size < stat.st_size else -1, before)
                if grown:
                    self.superseded.add(before)
                self._seen[place] = [stat.st_size, stat.st_mtime_ns, name]
        except OSError:
            name = digest(["unreadable", keyed(self.key, "path", os.path.realpath(path))], 16)
            return LogFile(path, name, 0, path.name)
        return LogFile(path, name, stat.st_size, path.name)

    def _look_into(self, folder: EventFolder) -> LogFile:
        place = keyed(self.key, "path", os.path.realpath(folder.files[0].parent))[:32]
        try:
            stamp = folder.stamp()
            size, changed, name = self._seen.get(place, [-1, -1, ""])
            if (size, changed) != stamp:
                before, whole = name, xxhash.xxh3_64()
                for path in folder.files:
                    whole.update(path.read_bytes())
                name = whole.hexdigest()
                # A conversation's folder only grows.
                if before and before != name:
                    self.superseded.add(before)
                self._seen[place] = [*stamp, name]
        except OSError:
            return LogFile(folder, digest(["unreadable", place], 16), 0, folder.name)
        return LogFile(folder, name, stamp[0], folder.name)


def _digests(path: Path, earlier_size: int, earlier: str) -> tuple[str, bool]:
    """(digest of the content, 16 hex digits, whether its first `earlier_size` bytes have the digest `earlier`)."""
    whole = xxhash.xxh3_64()
    grown = False
    read = 0
    with open(path, "rb") as file:
        while True:
            block = file.read(min(BLOCK, earlier_size - read) if read < earlier_size else BLOCK)
            if not block:
                return whole.hexdigest(), grown
            whole.update(block)
            read += len(block)
            if read == earlier_size:
                grown = whole.copy().hexdigest() == earlier
