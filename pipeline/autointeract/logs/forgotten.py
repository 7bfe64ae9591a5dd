"""Forgotten: who asked to be forgotten, as digests of pseudonyms, so that a later run does not take them in again."""

import json
from pathlib import Path

from pydantic import TypeAdapter

from autointeract.errors import WorkspaceError
from autointeract.logs import spool
from autointeract.records.digest import digest
from autointeract.workspace import Workspace
from autointeract.workspace.files import write_text

_TEXTS = TypeAdapter(list[str])


class Forgotten:
    """The list `forgotten.json` of a workspace: digests only, the pseudonyms themselves are gone.

    Raises:
        WorkspaceError: the file is damaged; taking it for empty would take forgotten people in again.
    """

    def __init__(self, workspace: Workspace):
        self.path = workspace.root / "forgotten.json"
        self.marks: set[str] = set()
        if self.path.is_file():
            try:
                self.marks = {*_TEXTS.validate_json(self.path.read_bytes())}
            except ValueError as error:
                raise WorkspaceError(
                    f"{self.path}: damaged, so it is not known who asked to be forgotten; bring it back from a copy"
                ) from error

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
