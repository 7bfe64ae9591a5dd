"""What the names in a stage's report mean, for people: faults, and what of the logs could not be used."""

from autointeract.records.vocabulary import FAULTS
from autointeract.report.blocks import Table, table

LOST = {
    "invalid_lines": "lines that are no JSON (cut, or of another kind); skipped",
    "oversized_lines": "lines longer than logs.max_line_mb; skipped",
    "damaged_rows": "rows that do not have the shape of their format; skipped",
    "damaged_records": "records that do not have the shape of their format; skipped",
    "foreign_records": "records of another format inside a log; skipped",
    "rows_without_conversation": "rows that hold no messages; skipped",
    "damaged_archive": "archives that cannot be unpacked; what was read before the damage is kept",
    "truncated_archive": "archives that end too early; what was read before is kept",
    "marker_disagreements": "turns on which two signs of the format disagree about who wrote them",
}
"""Name of a problem in the report of `ingest` -> what it counts."""


def words(name: str) -> str:
    """A name as the command line prints it: underscores are spaces."""
    return name.replace("_", " ")


def faults_table(title: str, unit: str, faults: dict[str, int]) -> Table:
    """Faults by boundary with their meaning."""
    rows = [[name, number, FAULTS.get(name, "")] for name, number in faults.items()]
    return table(title, ["boundary", unit, "what it means"], rows, 40)


def lost_table(problems: dict[str, int]) -> Table:
    """What of the logs could not be used, one row a kind."""
    rows = [[words(name), number, LOST.get(name, "")] for name, number in problems.items()]
    return table("What could not be read", ["kind", "number", "what it means"], rows, 40)
