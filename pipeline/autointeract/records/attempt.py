"""Attempt: one round of one item, kept or not, with everything needed to see why."""

from typing import ClassVar

import pyarrow as pa

from autointeract.records.message import MESSAGE, Message
from autointeract.records.row import FLOATS, TEXT, TEXTS, Record, Row
from autointeract.records.vocabulary import Arm, Boundary, Domain, Origin, Outcome, Scenario, Strategy

USER_TURN = pa.struct(
    [
        ("index", pa.int32()), ("strategy", pa.string()), ("polarity", pa.int32()), ("origin", pa.string()),
        ("facts", TEXTS), ("visible_chars", pa.int32()),
    ]
)  # fmt: skip


class UserTurn(Record):
    """Private metadata of one simulated user turn (for credit assignment).

    Attributes:
        index: position of the turn in the conversation's messages.
        polarity: +1 progress, -1 friction, 0 neutral.
        origin: "scripted" (the scenario chose the strategy) or "reactive" (the simulator did).
        facts: ids of the task facts it reveals.
        visible_chars: length of the utterance.
    """

    index: int
    strategy: Strategy
    polarity: int
    origin: Origin
    facts: list[str]
    visible_chars: int


class Attempt(Row):
    """One attempt; key = (item_id, arm, round, retry).

    Attributes:
        item_id: digest of (task_id, profile_id, prompt_id, scenario, draw).
        round: revision, 0 first. A faulted round does not consume a revision; `retry` counts its repeats.
        fault: the boundary that failed, when outcome is "fault" (or that caused a low score).
        guidance_json: `{"text", "withhold", "reveal", "directness"}` that this round was given.
        responses_json: every solver response with its verdict: `[{"role", "sample", "text" | "patch", "verdict"}]`.
        usage_json: tokens of the replies used, by role.
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("item_id", TEXT), ("arm", pa.string()), ("round", pa.int32()), ("retry", pa.int32()), ("task_id", TEXT),
            ("profile_id", TEXT), ("prompt_id", TEXT), ("domain", pa.string()), ("scenario", pa.string()),
            ("outcome", pa.string()), ("fault", pa.string()), ("diagnosis", TEXT), ("guidance_json", TEXT),
            ("conversation", pa.list_(MESSAGE)), ("turns", pa.list_(USER_TURN)), ("checks_json", TEXT),
            ("responses_json", TEXT), ("weak_scores", FLOATS), ("strong_scores", FLOATS), ("repo_state", TEXT),
            ("usage_json", TEXT), ("seed", pa.int64()),
        ]
    )  # fmt: skip

    item_id: str
    arm: Arm = "guided"
    round: int = 0
    retry: int = 0
    task_id: str
    profile_id: str
    prompt_id: str
    domain: Domain
    scenario: Scenario
    outcome: Outcome
    fault: Boundary | None = None
    diagnosis: str = ""
    guidance_json: str = "{}"
    conversation: list[Message] = []
    turns: list[UserTurn] = []
    checks_json: str = "{}"
    responses_json: str = "[]"
    weak_scores: list[float] = []
    strong_scores: list[float] = []
    repo_state: str | None = None
    usage_json: str = "{}"
    seed: int = 0
