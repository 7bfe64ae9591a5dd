"""What every row has in common: a frozen pydantic model and one explicit Arrow schema of the same columns.

Rules for all rows: text is `large_string`; a free-form object is JSON text in a column whose name ends in `_json`;
times are `timestamp[us, tz=UTC]`. Schemas are written by hand and never inferred from data.
"""

import json
from collections.abc import Iterable
from typing import Any, ClassVar, Self

import pyarrow as pa
from pydantic import BaseModel, ConfigDict

TEXT = pa.large_string()
TIME = pa.timestamp("us", tz="UTC")
FLOATS = pa.list_(pa.float64())
TEXTS = pa.list_(TEXT)


class Record(BaseModel):
    """Frozen data that refuses unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Row(Record):
    """A record that is stored in a workspace dataset.

    `SCHEMA` lists the columns in the order of the fields; `SCHEMA_VERSION` rises when their meaning changes.
    """

    SCHEMA: ClassVar[pa.Schema]
    SCHEMA_VERSION: ClassVar[int] = 1

    def to_arrow(self) -> dict[str, Any]:
        """Plain Python data with one key a column."""
        return self.model_dump(mode="python")

    @classmethod
    def from_arrow(cls, row: dict[str, Any]) -> Self:
        """The row that `to_arrow` gave; also accepts files with columns added by later versions."""
        return cls.model_validate({name: row[name] for name in cls.SCHEMA.names if name in row})

    @classmethod
    def table(cls, rows: Iterable[Self]) -> pa.Table:
        """An Arrow table of `rows` under the explicit schema (an empty one too)."""
        return pa.Table.from_pylist([row.to_arrow() for row in rows], schema=cls.SCHEMA)


def load_json(text: str | None, default: Any = None) -> Any:
    """The data in a `_json` column; `default` where the column is null or empty."""
    return json.loads(text) if text else default
