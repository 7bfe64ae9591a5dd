"""Services whose models and sandbox must not be touched, and a workspace with a bit of everything."""

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.trajectory_rows import SIMULATED, attempt, spec, trajectory

from autointeract.records import (
    AxisValue,
    BehaviorPrompt,
    Fingerprint,
    Profile,
    Session,
    SourceTask,
    StageReport,
    Turn,
    TurnLabel,
)
from autointeract.records.vocabulary import AXES
from autointeract.workspace import Workspace


@pytest.fixture
def services() -> Any:
    """Report makes no model call and runs no code."""
    return SimpleNamespace(models=None, engine=None, execution=None, seed=7, resume="auto", config_sha="c")


@pytest.fixture
def full(tmp_path: Path) -> Workspace:
    """Every dataset, with hostile text wherever text can be."""
    workspace = Workspace(tmp_path / "demo")
    evil = "<script>alert(1)</script>{{7*7}}{% raw %}\x1b[2J"
    turns = [
        Turn(index=0, role="user", kind="human", text=evil),
        Turn(index=1, role="assistant", kind="text", text="ok"),
    ]
    sessions = [
        Session(session_id=f"s{n}", user_id=user, source_format="claude_code", turns=turns)
        for n, user in enumerate(["u1", "u1", "u2", None])
    ]
    axes = [AxisValue(axis=axis, value=0.5, low=0.2, high=0.8, known=axis == "pushback") for axis in AXES]  # type: ignore[arg-type]
    keep = {"stage": "s", "stage_digest": "d", "inputs": {}, "complete": True}
    workspace.sessions.write([sessions], **keep)
    label: dict[str, Any] = {"turn_index": 0, "intent": "debug", "reaction": "correct", "specificity": 2, "words": 3}
    workspace.labels.write([[TurnLabel(session_id=f"s{n}", labeller="rules", **label) for n in range(4)]], **keep)
    print_ = Fingerprint(
        user_id="u1", n_sessions=2, n_turns=2, axes=axes, request_mix_json="{}", reveal_json="{}", style_json="{}"
    )
    workspace.fingerprints.write([[print_]], **keep)
    profile = Profile(
        profile_id="p1", user_id="u1", niche="mid/low/low/low/mid", text=evil, settings_json="{}", weight=1.0
    )
    workspace.profiles.write([[profile]], **keep)
    workspace.prompts.write(
        [[BehaviorPrompt(prompt_id="q1", text="t", test_score=0.5, optimizer_json='{"selected":true}')]], **keep
    )
    task = SourceTask(
        task_id="task-1", domain="algorithmic", source="sample", statement=evil, interface="f(x)", reference_json="{}",
        verifier_json=spec(1), baseline_score=0.2,
    )  # fmt: skip
    workspace.tasks.write([[task]], **keep)
    rows = [trajectory(n, models_json=json.dumps(SIMULATED), niche=evil) for n in range(9)]
    workspace.trajectories.write([rows], **keep)
    attempts = []
    for n in range(20):
        attempts.append(attempt(f"i{n}", 0, "too_easy"))
        attempts.append(attempt(f"i{n}", 1, "accepted" if n < 15 else "leak"))
        attempts.append(attempt(f"i{n}", 1, "accepted" if n < 3 else "too_easy", "null"))
    attempts.append(attempt("i99", 0, "fault", fault="sandbox"))
    workspace.attempts.write([attempts], **keep)
    workspace.save_report(
        StageReport(stage="ingest", counts={"sessions": 4}, notes=[f"x cannot be claimed {evil}"], details={
            "redactions": {"email": 12, "path": 3}, "deep": [{"a": {"b": evil}}], "none": None,
        })
    )  # fmt: skip
    workspace.save_report(StageReport(stage="tasks", counts={"tasks": 1, "refused_broken": 2, "refused_guessable": 5}))
    total = {"calls": 100, "tokens": 3000, "money": None}
    workspace.save_report(StageReport(stage="synthesize", usage={**total, "total": total}, complete=False))
    return workspace
