"""Session and Turn: one conversation of a real user with an agent, as `ingest` stores it.

A turn keeps what a person did (`kind`) apart from who the transport says spoke (`role`): in 109 real sessions only
about half of the "user" records were typed by a person. Text is redacted before a Session exists.
"""

from datetime import datetime
from typing import ClassVar

import pyarrow as pa

from autointeract.records.row import TEXT, TEXTS, TIME, Record, Row
from autointeract.records.vocabulary import Role, TurnKind

TURN = pa.struct(
    [
        ("index", pa.int32()), ("role", pa.string()), ("kind", pa.string()), ("text", TEXT), ("tool_json", TEXT),
        ("at", TIME), ("flags", TEXTS), ("source_ref", TEXT),
    ]
)  # fmt: skip


class Turn(Record):
    """One event of a session.

    Attributes:
        index: 0-based position in the session.
        kind: what it is; see `vocabulary.TurnKind`. `TYPED_KINDS` carry words a person typed.
        text: redacted text ("" for a pure act such as an interrupt).
        tool_json: for tool_call `{"name", "arguments", "id"}`, for tool_result `{"id", "is_error"}`; else null.
        at: when, if the source says.
        flags: small notes of the reader, e.g. "redacted", "truncated", "queued"; labels that came with the turn as
            "source_intent:<intent>" and "source_pushback:<SWE-chat label>".
        source_ref: `<file digest>:<line or index>[:<record id>]`.
    """

    index: int
    role: Role
    kind: TurnKind
    text: str
    tool_json: str | None = None
    at: datetime | None = None
    flags: list[str] = []
    source_ref: str = ""


class Session(Row):
    """One conversation. `user_id` is a pseudonym, or null where the source holds no identity."""

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("session_id", TEXT), ("user_id", TEXT), ("source_format", TEXT), ("repo", TEXT), ("agent", TEXT),
            ("started_at", TIME), ("license", TEXT), ("turns", pa.list_(TURN)),
        ]
    )  # fmt: skip

    session_id: str
    user_id: str | None
    source_format: str
    repo: str | None = None
    agent: str | None = None
    started_at: datetime | None = None
    license: str | None = None
    turns: list[Turn]
