"""Trajectory: the product. `prompt` ends on a user turn and the model to be trained writes the next turn."""

from typing import Any, ClassVar

import pyarrow as pa

from autointeract.records.attempt import USER_TURN, UserTurn
from autointeract.records.digest import digest
from autointeract.records.message import MESSAGE, Message
from autointeract.records.row import FLOATS, TEXT, Row, load_json
from autointeract.records.vocabulary import Domain, Scenario


def is_simulated(models_json: str) -> bool:
    """Whether any model that made a row was a simulated stand-in, by the row's `models_json`."""
    return any(
        entry.get("simulated") or str(entry.get("model", "")).startswith("simulated/")
        if isinstance(entry, dict)
        else str(entry).startswith("simulated/")
        for entry in load_json(models_json, {}).values()
    )


class Trajectory(Row):
    """One accepted conversation with the verifier that scores its continuation.

    Attributes:
        trajectory_id: `make_id` of what defines it: equal inputs give equal ids.
        round: the revision at which it passed, 0 first.
        prompt: visible to the model; no private text, ever.
        turns: private metadata of the user turns.
        verifier_json: the source task's verifier, unchanged.
        image, repo_state: SWE only: image, and the cumulative diff of the assistant's edits before the last user turn.
        weak_scores, strong_scores: every sample's score, each in [0, 1]; `weak_score`, `strong_score` are their means.
        checks_json, guidance, models_json, usage_json, seed, config_sha, software: provenance; no clock times.
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("trajectory_id", TEXT), ("domain", pa.string()), ("scenario", pa.string()), ("round", pa.int32()),
            ("prompt", pa.list_(MESSAGE)), ("turns", pa.list_(USER_TURN)), ("verifier_json", TEXT), ("image", TEXT),
            ("repo_state", TEXT), ("source_task_id", TEXT), ("source", TEXT), ("license", TEXT), ("profile_id", TEXT),
            ("niche", TEXT), ("prompt_id", TEXT), ("weak_scores", FLOATS), ("strong_scores", FLOATS),
            ("weak_score", pa.float64()), ("strong_score", pa.float64()), ("checks_json", TEXT), ("guidance", TEXT),
            ("models_json", TEXT), ("usage_json", TEXT), ("seed", pa.int64()), ("config_sha", TEXT), ("software", TEXT),
        ]
    )  # fmt: skip

    trajectory_id: str
    domain: Domain
    scenario: Scenario
    round: int
    prompt: list[Message]
    turns: list[UserTurn]
    verifier_json: str
    image: str | None = None
    repo_state: str | None = None
    source_task_id: str
    source: str
    license: str | None = None
    profile_id: str
    niche: str
    prompt_id: str
    weak_scores: list[float]
    strong_scores: list[float]
    weak_score: float
    strong_score: float
    checks_json: str
    guidance: str
    models_json: str
    usage_json: str
    seed: int
    config_sha: str
    software: str

    @staticmethod
    def make_id(prompt: list[Message], verifier_json: str, repo_state: str | None) -> str:
        """The id: sha256 of what a trainer sees and scores."""
        parts: list[Any] = [[message.to_openai() for message in prompt], verifier_json, repo_state]
        return digest(parts)
