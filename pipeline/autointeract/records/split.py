"""Split: which users (or tasks) are for training, validation or test. Assigned once, stored, kept."""

from typing import ClassVar, Literal

import pyarrow as pa

from autointeract.records.row import TEXT, Row


class Split(Row):
    """One assignment; `rank` is the seeded order within the kind, so that quotas are exact."""

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [("kind", pa.string()), ("id", TEXT), ("split", pa.string()), ("rank", pa.int64())]
    )

    kind: Literal["user", "task"]
    id: str
    split: Literal["train", "val", "test"]
    rank: int
