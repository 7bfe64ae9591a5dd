"""Profile: one user's habits as text a simulator reads, with the measured settings as data beside it."""

from typing import ClassVar

import pyarrow as pa

from autointeract.records.row import TEXT, Row


class Profile(Row):
    """One member of the population.

    Attributes:
        profile_id: digest of (text, settings).
        user_id: pseudonym of the real user whose fingerprint it inherits.
        niche: the five levels in the order of `vocabulary.AXES`, joined by "/", e.g. "mid/high/low/unknown/low".
        settings_json: `{axis: value in [0, 1], ..., "reveal": {...}, "style": {...}, "request_mix": {...}}`;
            inherited, never invented.
        generation: 0 for a real user's own profile, parent's + 1 for a variation.
        audit_json: what the audit and the privacy check found.
        fidelity: agreement of a blind re-reading of the text with the fingerprint, in [0, 1]; null before the audit.
        weight: sampling weight, > 0; weights of a population sum to 1.
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("profile_id", TEXT), ("user_id", TEXT), ("niche", TEXT), ("text", TEXT), ("settings_json", TEXT),
            ("generation", pa.int32()), ("parent_id", TEXT), ("audit_json", TEXT), ("fidelity", pa.float64()),
            ("weight", pa.float64()),
        ]
    )  # fmt: skip

    profile_id: str
    user_id: str
    niche: str
    text: str
    settings_json: str
    generation: int = 0
    parent_id: str | None = None
    audit_json: str = "{}"
    fidelity: float | None = None
    weight: float
