"""A workspace with trajectories, and services whose models and sandbox must not be touched."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from autointeract.records import Trajectory
from autointeract.workspace import Workspace


@pytest.fixture
def services() -> Any:
    """Export and report make no model call and run no code."""
    return SimpleNamespace(models=None, engine=None, execution=None, seed=7, resume="auto", config_sha="c")


@pytest.fixture
def workspace_of(tmp_path: Path) -> Callable[..., Workspace]:
    """Makes a workspace that holds these trajectories."""

    def make(rows: list[Trajectory], name: str = "ws", parts: int = 1) -> Workspace:
        workspace = Workspace(tmp_path / name)
        size = max(1, -(-len(rows) // parts))
        workspace.trajectories.write(
            [rows[start : start + size] for start in range(0, max(len(rows), 1), size)],
            stage="synthesize", stage_digest="d", inputs={}, complete=True,
        )  # fmt: skip
        return workspace

    return make
