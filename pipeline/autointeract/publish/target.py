"""Target: one output format. A target turns rows into files of one shard; everything else is common to all."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from autointeract.publish.select import Selected
from autointeract.publish.settings import Format
from autointeract.records import Record, Trajectory


class FileInfo(Record):
    """One file that was written and read back.

    Attributes:
        path: relative to the format's folder.
        rows: trajectories in it.
        lines: objects in it, where a trajectory may give several (`atif`); null = one a row.
    """

    path: str
    config: str
    split: str
    rows: int
    sha256: str
    lines: int | None = None


class Shard(Record):
    """Which rows go into one file: shard `number` of `of` of a split of a config.

    Attributes:
        start: number of rows of this split before it.
    """

    config: str
    split: str
    number: int
    of: int
    start: int
    rows: list[Selected]

    def file_name(self, suffix: str) -> str:
        """`<config>/<split>-00000-of-00001.<suffix>`, the layout that the Hub and `datasets` use."""
        return f"{self.config}/{self.split}-{self.number:05d}-of-{self.of:05d}.{suffix}"


class Target(Protocol):
    """One format."""

    name: Format

    def config_of(self, row: Selected) -> str:
        """The config (subset) that a row belongs to."""
        ...

    def write(self, folder: Path, shard: Shard, rows: Sequence[Trajectory]) -> FileInfo:
        """Writes the shard and reads it back.

        Raises:
            WorkspaceError: what was read back is not what was written, or a row is missing.
        """
        ...
