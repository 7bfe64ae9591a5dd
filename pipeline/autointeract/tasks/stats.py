"""What was read, admitted and refused, as a StageReport: counts by reason, every refusal by name (up to a bound)."""

from collections import Counter
from typing import Any

from autointeract.records import StageReport
from autointeract.tasks.admission import Unknown
from autointeract.tasks.candidate import Refusal
from autointeract.tasks.settings import TasksSettings

MOST_LINES = 60
MOST_DETAILS = 2000
MOST_UNKNOWN = 20
_MEANING = {
    "guessable": "one constant answer scores too much",
    "broken": "the gold solution fails",
    "flaky": "equal runs disagree",
    "trivial": "the empty state passes",
    "untrusted": "only the candidate's own process could judge",
    "slow": "the gold solution runs out of time",
    "no_reference": "no gold solution to verify with",
}


def summarize(
    refusals: list[Refusal], unlisted: Counter[str], sources: Counter[str], admitted: int,
    unknown: dict[str, Unknown], settings: TasksSettings,
) -> StageReport:  # fmt: skip
    """The report of a run; `refusals` are those of reading and of running together."""
    by_reason = Counter(refusal.reason for refusal in refusals)
    counts = {"tasks": admitted, "candidates": sum(sources.values()), "refused": len(refusals)}
    counts.update({f"refused_{reason}": number for reason, number in sorted(by_reason.items())})
    counts.update({f"skipped_{reason}": number for reason, number in sorted(unlisted.items())})
    faults = Counter(item.boundary for item in unknown.values())
    notes = []
    for reason, number in by_reason.most_common():
        meaning = f" ({_MEANING[reason]})" if reason in _MEANING else ""
        notes.append(f"refused as {reason}{meaning}: {number}")
    notes.extend(refusal.line for refusal in refusals[:MOST_LINES])
    if len(refusals) > MOST_LINES:
        notes.append(f"... and {len(refusals) - MOST_LINES} more: autointeract tasks stats")
    if unknown:
        notes.append(
            f"{len(unknown)} tasks could not be judged ({', '.join(sorted(faults))} failed, not they): run again"
        )
    notes.extend(f"{name}: not judged: {item.detail}" for name, item in sorted(unknown.items())[:MOST_UNKNOWN])
    details: dict[str, Any] = {
        "sources": dict(sorted(sources.items())),
        "refused": [refusal.model_dump(mode="json") for refusal in refusals[:MOST_DETAILS]],
        "refused_by_reason": dict(sorted(by_reason.items())),
        "max_baseline": settings.max_baseline,
    }
    return StageReport(stage="tasks", counts=counts, faults=dict(faults), notes=notes, details=details)
