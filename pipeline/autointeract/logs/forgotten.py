"""Forgotten: who asked to be forgotten, as digests of pseudonyms, so that a later run does not take them in again."""

import json
from pathlib import Path

from autointeract.logs import spool
from autointeract.records.digest import digest
from autointeract.workspace import Workspace
from autointeract.workspace.files import write_text


class Forgotten:
    """The list `forgotten.json` of a workspace: digests only, the pseudonyms themselves are gone."""

    def __init__(self, workspace: Workspace):
        self.path = workspace.root / "forgotten.json"
        self.marks: set[str] = set(json.loads(self.path.read_text(encoding="utf-8"))) if self.path.is_file() else set()

    def add(self, user_id: str) -> None:
        """Notes a user and saves the list."""
        self.marks.add(digest(["forgotten", user_id], 32))
        write_text(self.path, json.dumps(sorted(self.marks), indent=1) + "\n")

    @staticmethod
    def marked(user_id: str | None, marks: frozenset[str]) -> bool:
        """Whether `marks` hold this user."""
        return bool(marks) and user_id is not None and digest(["forgotten", user_id], 32) in marks

    def holds(self, user_id: str | None) -> bool:
        """Whether this user asked to be forgotten."""
        return self.marked(user_id, frozenset(self.marks))

    def users_in(self, folder: Path, names: set[str]) -> frozenset[str]:
        """The forgotten users whose sessions lie in spool files."""
        if not self.marks:
            return frozenset()
        users = {user for name in names for user in spool.read(folder / name).column("user_id").unique().to_pylist()}
        return frozenset(user for user in users if self.holds(user))
