"""Fingerprint: one real user, measured. Every number comes with the interval that its evidence allows."""

from typing import ClassVar

import pyarrow as pa

from autointeract.records.row import TEXT, Record, Row
from autointeract.records.vocabulary import Axis

AXIS = pa.struct(
    [
        ("axis", pa.string()),
        ("value", pa.float64()),
        ("low", pa.float64()),
        ("high", pa.float64()),
        ("known", pa.bool_()),
    ]
)


class AxisValue(Record):
    """One behavior axis of a user: value with a 90 % interval, in the axis's unit (profiles/axes.toml).

    `known` is false where the value cannot be told from the population's spread; niches then treat it as unknown.
    """

    axis: Axis
    value: float
    low: float
    high: float
    known: bool


class Fingerprint(Row):
    """Measured habits of one user.

    Attributes:
        axes: the five axes, in the order of `vocabulary.AXES`.
        request_mix_json: `{intent: share}`, shares sum to 1.
        reveal_json: `{"first_turn": share, "curve": [share stated by turn k, ...]}`; shares of requirement facts in
            [0, 1].
        style_json: style rates in [0, 1] and typical lengths in words.
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("user_id", TEXT), ("n_sessions", pa.int32()), ("n_turns", pa.int32()), ("axes", pa.list_(AXIS)),
            ("request_mix_json", TEXT), ("reveal_json", TEXT), ("style_json", TEXT),
        ]
    )  # fmt: skip

    user_id: str
    n_sessions: int
    n_turns: int
    axes: list[AxisValue]
    request_mix_json: str
    reveal_json: str
    style_json: str
