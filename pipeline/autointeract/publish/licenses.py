"""What the licences of the sources allow: the card's licence field, and the conflicts that `push` refuses.

A coarse reading for a person to check, not legal advice. Unknown is a conflict, because nobody may publish what nobody
has licensed.
"""

import re
from collections.abc import Iterable

from autointeract.records import Record

_HUB = {
    "mit": "mit", "apache-2.0": "apache-2.0", "apache 2.0": "apache-2.0", "bsd-3-clause": "bsd-3-clause",
    "bsd-2-clause": "bsd-2-clause", "odc-by": "odc-by", "odc-by-1.0": "odc-by", "cc-by-4.0": "cc-by-4.0",
    "cc0-1.0": "cc0-1.0", "isc": "isc", "unlicense": "unlicense", "cc-by-sa-4.0": "cc-by-sa-4.0",
}  # fmt: skip
"""Names as sources write them (lower case) -> identifiers of the Hub."""
_OPEN = frozenset(_HUB.values()) - {"cc-by-sa-4.0"}


class LicenseReport(Record):
    """Licences of the rows. `conflicts` are sentences; empty = nothing speaks against publishing."""

    hub: str
    conflicts: list[str]


def read_licenses(by_source: Iterable[str]) -> LicenseReport:
    """Reads `source: licence` texts (`Selection.licenses`)."""
    found: dict[str, str] = {}
    for entry in sorted(by_source):
        source, _, name = entry.rpartition(": ")
        found[source] = name
    identifiers = {_identifier(name) for name in found.values()}
    return LicenseReport(hub=identifiers.pop() if len(identifiers) == 1 else "other", conflicts=list(_conflicts(found)))


def _conflicts(found: dict[str, str]) -> Iterable[str]:
    for source, name in found.items():
        if name == "unknown":
            yield f"source {source!r} states no licence"
        elif re.search(r"\bnc\b|non-?commercial", name, re.I):
            yield f"source {source!r} forbids commercial use ({name})"
        elif re.search(r"\bnd\b|no-?deriv", name, re.I):
            yield f"source {source!r} forbids derived works ({name})"
        elif re.search(r"gpl|-sa\b|share-?alike", name, re.I) and len(set(found.values())) > 1:
            yield f"source {source!r} wants its own licence for the whole ({name}), and other sources have others"
        elif re.search(r"gpl|-sa\b|share-?alike", name, re.I) is None and _identifier(name) not in _OPEN:
            yield f"source {source!r} has a licence this program does not know ({name}): read it, then decide"


def _identifier(name: str) -> str:
    return _HUB.get(name.strip().casefold(), "other")
