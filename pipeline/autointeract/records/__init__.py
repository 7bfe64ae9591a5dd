"""The rows that pass between stages: one pydantic model and one explicit Arrow schema each, and the shared vocabulary.

Rooms meet only through these rows. This floor imports nothing of the house but `errors`.
"""

from autointeract.records.attempt import Attempt, UserTurn
from autointeract.records.behavior_prompt import BehaviorPrompt
from autointeract.records.digest import canonical_json, derive_seed, digest, rng
from autointeract.records.finding import Finding
from autointeract.records.fingerprint import AxisValue, Fingerprint
from autointeract.records.label import TurnLabel
from autointeract.records.message import Message
from autointeract.records.profile import Profile
from autointeract.records.row import Record, Row, load_json
from autointeract.records.session import Session, Turn
from autointeract.records.settings import RUN_ONLY, SettingsModel
from autointeract.records.split import Split
from autointeract.records.stage_report import StageReport
from autointeract.records.task import Fact, SourceTask
from autointeract.records.text import clean_json, clean_text
from autointeract.records.trajectory import Trajectory, is_simulated
from autointeract.records.verifier import (
    AssertionsSpec,
    Case,
    PytestSpec,
    State,
    StdioFilesSpec,
    StdioSpec,
    Submission,
    Verdict,
    VerifierSpec,
    dump_spec,
    parse_spec,
)

__all__ = [
    "RUN_ONLY",
    "AssertionsSpec",
    "Attempt",
    "AxisValue",
    "BehaviorPrompt",
    "Case",
    "Fact",
    "Finding",
    "Fingerprint",
    "Message",
    "Profile",
    "PytestSpec",
    "Record",
    "Row",
    "Session",
    "SettingsModel",
    "SourceTask",
    "Split",
    "StageReport",
    "State",
    "StdioFilesSpec",
    "StdioSpec",
    "Submission",
    "Trajectory",
    "Turn",
    "TurnLabel",
    "UserTurn",
    "Verdict",
    "VerifierSpec",
    "canonical_json",
    "clean_json",
    "clean_text",
    "derive_seed",
    "digest",
    "dump_spec",
    "is_simulated",
    "load_json",
    "parse_spec",
    "rng",
]  # fmt: skip
