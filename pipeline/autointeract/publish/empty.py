"""Refuses to write an export of no rows where that is a mistake, or would replace rows."""

import json
from pathlib import Path

from autointeract.errors import InputError
from autointeract.publish.select import Selection
from autointeract.publish.settings import ExportSettings
from autointeract.records import Trajectory
from autointeract.workspace import Dataset

SHOWN = 8
_VALUES = {"other niche": "niche", "other domain": "domain", "other source": "source"}
"""Reason of a drop -> the column whose values would have matched."""


def refuse_empty(dataset: Dataset[Trajectory], selection: Selection, settings: ExportSettings, root: Path) -> None:
    """Called when no row is left; returns where empty files may be written: nothing was accepted, none is lost.

    Raises:
        InputError: rows there are, but each was dropped; or `root` holds an export with rows. Nothing was written.
    """
    before = rows_before(root)
    stays = f"; the export in {root} stays as it is ({before:,} rows)" if before else "; nothing was written"
    if selection.rows_in:
        why = ", ".join(f"{number:,} {reason}" for reason, number in selection.dropped.items())
        raise InputError(
            f"export: none of {selection.rows_in:,} trajectories is left ({why}){_hint(dataset, selection, settings)}"
            f"{stays}"
        )
    if before:
        raise InputError(
            f"export: {dataset.folder} holds no accepted trajectory{stays}; remove that folder to export none"
        )


def rows_before(root: Path) -> int:
    """Rows of the export that is there; 0 where there is none, or its manifest cannot be read."""
    try:
        return int(json.loads((root / "manifest.json").read_text(encoding="utf-8"))["rows_out"])
    except (OSError, ValueError, KeyError, TypeError):
        return 0


def _hint(dataset: Dataset[Trajectory], selection: Selection, settings: ExportSettings) -> str:
    reason = max(selection.dropped, key=lambda name: selection.dropped[name], default="")
    if reason == "refused":
        name, refusal = next(iter(selection.refused.items()))
        return f"; first: trajectory {name[:16]}: {refusal}"
    column = _VALUES.get(reason)
    if column is None:
        return ""
    found = sorted({str(getattr(row, column)) for row in dataset.rows()})
    more = f" and {len(found) - SHOWN:,} more" if len(found) > SHOWN else ""
    asked = ", ".join(getattr(settings, f"{column}s"))
    return f"; export.{column}s = {asked}, but there are {', '.join(found[:SHOWN])}{more}"
