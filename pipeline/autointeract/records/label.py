"""TurnLabel: what a typed human turn asks for and how it reacts to the assistant."""

from typing import ClassVar

import pyarrow as pa

from autointeract.records.row import TEXT, Row
from autointeract.records.vocabulary import Intent, Reaction, Specificity


class TurnLabel(Row):
    """One label; key = (session_id, turn_index, labeller).

    Attributes:
        words: whitespace-separated words of the turn outside code fences.
        labeller: "rules", "model:<name>" or "source" (labels that came with the dataset).
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("session_id", TEXT), ("turn_index", pa.int32()), ("intent", pa.string()), ("reaction", pa.string()),
            ("specificity", pa.int32()), ("words", pa.int32()), ("labeller", TEXT),
        ]
    )  # fmt: skip

    session_id: str
    turn_index: int
    intent: Intent
    reaction: Reaction
    specificity: Specificity
    words: int
    labeller: str
