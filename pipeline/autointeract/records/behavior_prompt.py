"""BehaviorPrompt: the one role-play instruction that all simulated users share."""

from typing import ClassVar

import pyarrow as pa

from autointeract.records.row import TEXT, Row


class BehaviorPrompt(Row):
    """One candidate; the scores are means in [0, 1] over instances of each split, null where not evaluated.

    Attributes:
        prompt_id: sha256 of the text.
        optimizer_json: how it was found (optimizer, round, acceptance, intervals), and `{"selected": true}` on the
            one to use.
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("prompt_id", TEXT), ("text", TEXT), ("parent_id", TEXT), ("train_score", pa.float64()),
            ("val_score", pa.float64()), ("test_score", pa.float64()), ("optimizer_json", TEXT),
        ]
    )  # fmt: skip

    prompt_id: str
    text: str
    parent_id: str | None = None
    train_score: float | None = None
    val_score: float | None = None
    test_score: float | None = None
    optimizer_json: str = "{}"
