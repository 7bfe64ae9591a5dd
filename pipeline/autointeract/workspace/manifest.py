"""Manifest: what a dataset folder holds and what it was made from. It is written last; parts it does not name do not
exist.
"""

from typing import Any

from autointeract.records.row import Record


class PartInfo(Record):
    """One Parquet file of a dataset."""

    name: str
    rows: int
    sha256: str


class Manifest(Record):
    """Contents and origin of a dataset.

    Attributes:
        row: name of the record class.
        schema_version: of that class.
        inputs: content digest of every input dataset or file group.
        stage_digest: digest of the settings that decide results.
        complete: false for a stage that stopped early.
        notes: facts about the dataset that its readers show (for example that rows are simulated).
        written_at: ISO time; the only clock in a dataset folder.
    """

    row: str
    schema_version: int
    software: str
    stage: str
    stage_digest: str
    inputs: dict[str, str]
    rows: int
    parts: list[PartInfo]
    complete: bool
    notes: dict[str, Any] = {}
    written_at: str = ""

    @property
    def content_digest(self) -> str:
        """Digest of the rows alone; equal rows in equal parts give equal digests."""
        from autointeract.records.digest import digest

        return digest([[part.name, part.sha256] for part in self.parts])
