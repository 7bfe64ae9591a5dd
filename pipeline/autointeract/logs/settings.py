"""LogsSettings: what `ingest` reads and what it keeps."""

from typing import Annotated, Literal

from pydantic import Field

from autointeract.records.settings import RUN_ONLY, SettingsModel


class LogsSettings(SettingsModel):
    """Settings of the stage `ingest`. Only what changes the stored rows is part of the stage digest."""

    paths: Annotated[list[str], RUN_ONLY] = []
    """Files, folders (read with all below them), globs, and `hf://owner/name[/config][:split]` datasets. A workspace
    keeps what it has read: reading other paths later adds to it."""
    redact: Literal["strict", "standard", "off"] = "standard"
    """What is removed before anything is written: docs/privacy.md."""
    workers: Annotated[int, RUN_ONLY] = Field(default=1, ge=1, le=256)
    """Processes that read files; 1 = none but this one."""
    max_tool_chars: int = Field(default=1000, ge=100, le=1_000_000)
    """Longest stored tool argument, tool result or thought, in characters: the beginning and the end are kept. Users
    are modelled from what they said and answered to, and a bounded copy leaks less."""
    max_text_chars: int = Field(default=200_000, ge=1000)
    """Longest stored message, in characters."""
    max_line_mb: int = Field(default=64, ge=1, le=1024)
    """A longer line of a log (MiB) is skipped and counted."""
    max_rows: int | None = Field(default=None, ge=1)
    """Most rows read of each `hf://` dataset; null = all."""
