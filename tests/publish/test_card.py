"""The card: plain YAML that the Hub can read, true figures, and no text of the data that acts."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import yaml
from tests.trajectory_rows import SIMULATED, tool_prompt, trajectory

from autointeract.publish import export_stage
from autointeract.publish.settings import ExportSettings
from autointeract.records import StageReport
from autointeract.workspace import Workspace

Make = Callable[..., Workspace]


def card(workspace: Workspace, services: Any, form: str = "rl", **settings: Any) -> tuple[dict[str, Any], str]:
    asyncio.run(export_stage.run(ExportSettings(formats=[form], **settings), workspace, services))
    text = (workspace.root / "export" / form / "README.md").read_text(encoding="utf-8")
    _, head, body = text.split("---\n", 2)
    return yaml.safe_load(head), body


def test_the_head_names_configs_splits_and_licence(workspace_of: Make, services: Any) -> None:
    rows = [*(trajectory(n) for n in range(20)), trajectory(99, prompt=tool_prompt())]
    head, body = card(workspace_of(rows), services, name="my-data")
    configs = {entry["config_name"]: entry["data_files"] for entry in head["configs"]}
    assert set(configs) == {"default", "tools"} and head["configs"][0]["default"] is True
    assert {"split": "train", "path": "default/train-*.parquet"} in configs["default"]
    assert head["license"] == "mit" and head["size_categories"] == ["n<1K"] and head["pretty_name"] == "my-data"
    assert "21 rows on 21 tasks" in body and "simulated-models" not in head["tags"]


def test_the_body_says_what_the_stages_found(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([trajectory(n) for n in range(6)])
    comparison = {
        "items": 9, "guided": [0.1, 0.5], "null": [0.1, 0.2], "difference": [0.0, 0.3], "low": [0.0, 0.1],
        "high": [0.0, 0.5],
    }  # fmt: skip
    fresh = {"rows": 4, "held": 3, "weak": 0.2, "weak_fresh": 0.3, "strong": 0.9, "strong_fresh": 0.8}
    details = {"acceptance": {"items": 9, "guided": [0.1, 0.5]}, "comparison": comparison, "confirmation": fresh}
    workspace.save_report(StageReport(stage="synthesize", details=details))
    workspace.save_report(StageReport(stage="realism", notes=["judge tells simulated from real at AUC 0.61"]))
    _, body = card(workspace, services)
    for expected in (
        "accepted by round 0, 1, ...: 10.0 %, 50.0 %", "50.0 % against 20.0 %, difference +30.0 points [+10.0, +50.0]",
        "weak 0.200 -> 0.300", "AUC 0.61", "| sample | MIT | 6 |", "| weak | real/weak |", "Mean score: weak 0.200",
    ):  # fmt: skip
        assert expected in body, expected


def test_simulated_rows_and_missing_measurements_are_said(workspace_of: Make, services: Any) -> None:
    head, body = card(workspace_of([trajectory(1, models_json=json.dumps(SIMULATED))]), services)
    assert "**Not for training.** 1 of 1 rows" in body and "simulated-models" in head["tags"]
    assert "Not measured for this dataset" in body and "not known what guidance adds" in body


def test_text_of_the_data_stays_text(workspace_of: Make, services: Any) -> None:
    evil = "x|y\n---\n# <script>alert(1)</script> [a](http://b) `c`\n!!python/tuple"
    workspace = workspace_of([trajectory(1, niche=evil, source=evil, license=evil)])
    head, body = card(workspace, services)
    assert set(head) >= {"configs", "license"} and head["license"] == "other"
    assert "<script>" not in body and "\n# <" not in body and "[a](" not in body
    assert all(line.count("|") - line.count("\\|") in (0, 3, 4) for line in body.splitlines())


def test_an_empty_export_has_a_card(workspace_of: Make, services: Any) -> None:
    head, body = card(workspace_of([]), services)
    assert head["configs"][0]["config_name"] == "default" and "0 rows on 0 tasks" in body


def test_every_format_has_a_card_and_none_names_this_machine(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([trajectory(1)])
    for form in ("rl", "verifiers", "messages", "atif"):
        head, body = card(workspace, services, form)
        assert str(workspace.root) not in body and ("configs" in head) == (form != "atif")
