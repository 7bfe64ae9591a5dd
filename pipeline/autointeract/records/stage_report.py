"""StageReport: what a stage says when it ends. Clock times live here and in manifests, never in rows."""

from typing import Any

from autointeract.records.row import Record


class StageReport(Record):
    """The outcome of one stage run, printed by the command line and kept as `stages/<stage>.json`.

    Attributes:
        counts: rows and items by name, e.g. `{"sessions": 43, "users": 6}`.
        faults: lost or low-scored items by boundary.
        notes: sentences a person should read (what was skipped and why, what cannot be claimed).
        usage: calls, tokens, money (null = unknown price), spent now, in all and saved by the cache.
        details: structured results for the report page.
        seconds: wall time of this run.
        complete: false when the stage stopped early (budget, deadline, signal) and can be resumed.
    """

    stage: str
    counts: dict[str, int] = {}
    faults: dict[str, int] = {}
    notes: list[str] = []
    usage: dict[str, Any] = {}
    details: dict[str, Any] = {}
    seconds: float = 0.0
    complete: bool = True
