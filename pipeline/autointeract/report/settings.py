"""Settings of `report`. No heavy import."""

from pydantic import Field

from autointeract.records import SettingsModel


class ReportSettings(SettingsModel):
    """How much the page shows."""

    title: str = "AutoInteract report"
    """Title of the page."""
    samples: int = Field(default=6, ge=0)
    """Accepted conversations shown in full, drawn with the seed."""
    max_rows: int = Field(default=40, ge=1)
    """Rows of any table; what is left out is counted beneath it."""
    max_chars: int = Field(default=6000, ge=100)
    """Characters of any one message; the rest is counted."""
