"""Says which sandbox can work on this machine, and what to do where none does."""

from autointeract.execution import bubblewrap
from autointeract.records.row import Record


class Finding(Record):
    """One thing looked at: `what`, whether it is good, and what was seen or what to do."""

    what: str
    ok: bool
    text: str


def doctor() -> list[Finding]:
    """Findings, most useful first; never raises."""
    reason = bubblewrap.works()
    return [Finding(what="bubblewrap", ok=reason is None, text=reason or f"works ({bubblewrap.binary()})")]
