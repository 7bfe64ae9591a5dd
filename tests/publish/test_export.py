"""Export: every row is written and read back equal, or is left out by a named reason."""

import asyncio
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.trajectory_rows import SIMULATED, attempt, spec, tool_prompt, trajectory

from autointeract.errors import InputError
from autointeract.publish import export_stage
from autointeract.publish.messages import RefusedError, check
from autointeract.publish.rl_target import SCHEMAS
from autointeract.publish.settings import ExportSettings
from autointeract.publish.splits import assign
from autointeract.records import Message, Split
from autointeract.workspace import Workspace

Make = Callable[..., Workspace]


def export(workspace: Workspace, services: Any, **settings: Any) -> tuple[Any, dict[str, Any]]:
    report = asyncio.run(export_stage.run(ExportSettings(**settings), workspace, services))
    return report, json.loads((workspace.root / "export" / "manifest.json").read_text(encoding="utf-8"))


def read(workspace: Workspace, config: str = "default", form: str = "rl") -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for path in sorted((workspace.root / "export" / form / config).glob("*.parquet")):
        found.setdefault(path.name.partition("-")[0], []).extend(pq.read_table(path).to_pylist())
    return found


def test_rows_in_equal_rows_out_and_no_task_is_in_two_splits(workspace_of: Make, services: Any) -> None:
    rows = [trajectory(n, source_task_id=f"task-{n % 20}") for n in range(60)]
    workspace = workspace_of(rows, parts=3)
    report, manifest = export(workspace, services, rows_per_shard=7)
    splits = read(workspace)
    assert set(splits) == {"train", "val", "test"}
    assert sum(map(len, splits.values())) == 60 == manifest["rows_out"] == report.counts["rows out"]
    tasks = {name: {row["task"] for row in found} for name, found in splits.items()}
    assert [len(tasks[name]) for name in ("train", "val", "test")] == [16, 2, 2]
    assert not tasks["train"] & tasks["val"] and not tasks["train"] & tasks["test"] and not tasks["val"] & tasks["test"]
    for found in splits.values():
        assert [row["extra_info"]["index"] for row in found] == list(range(len(found)))
    by_id = {row.trajectory_id: row for row in rows}
    for row in (row for found in splits.values() for row in found):
        source = by_id[row["extra_info"]["trajectory_id"]]
        assert row["prompt"] == [{"role": m.role, "content": m.content} for m in source.prompt]
        assert json.loads(row["answer"])["verifier"] == json.loads(source.verifier_json)
        assert row["answer"] == row["reward_model"]["ground_truth"]


def test_one_seed_gives_equal_bytes_whatever_the_parts(workspace_of: Make, services: Any) -> None:
    rows = [trajectory(n) for n in range(12)]
    folders = [workspace_of(rows, name, parts) for name, parts in (("a", 1), ("b", 4))]
    for workspace in folders:
        export(workspace, services, formats=["rl"])
    first, second = (
        {path.name: path.read_bytes() for path in sorted(w.root.glob("export/rl/**/*")) if path.is_file()}
        for w in folders
    )  # fmt: skip
    assert first == second and first


def test_splits_are_kept_when_tasks_are_added() -> None:
    users = [Split(kind="user", id="u", split="test", rank=1)]
    before = assign(users, [f"t{n}" for n in range(10)], 0.1, 0.1, 3)
    after = assign(users + before, [f"t{n}" for n in range(40)], 0.1, 0.1, 3)
    kept = {row.id: row.split for row in after}
    assert all(kept[row.id] == row.split for row in before)
    assert sorted(row.split for row in after).count("test") == 4


def test_user_splits_survive_an_export(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([trajectory(n) for n in range(3)])
    user = Split(kind="user", id="u", split="val", rank=5)
    workspace.splits.write([[user]], stage="profile", stage_digest="d", inputs={}, complete=True)
    export(workspace, services)
    assert user in list(workspace.splits.rows())
    assert sum(row.kind == "task" for row in workspace.splits.rows()) == 3


def test_an_empty_export_is_valid(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([])
    report, manifest = export(workspace, services)
    table = pq.read_table(workspace.root / manifest["formats"]["rl"][0]["path"].replace("default", "export/rl/default"))
    assert table.num_rows == 0 and table.schema.equals(SCHEMAS["default"])
    assert any("no row to export" in note for note in report.notes)


def test_tool_calls_are_a_config_of_their_own_with_arguments_as_mappings(workspace_of: Make, services: Any) -> None:
    arguments = [{}, {"path": "a.py"}, {"n": 1}, {"n": "1"}, {"n": 2**70}, {"deep": {"list": [None, 1.5, "x"]}}]
    rows = [trajectory(n, prompt=tool_prompt(value, text=bool(n % 2))) for n, value in enumerate(arguments)]
    workspace = workspace_of([trajectory(100), *rows])
    export(workspace, services, val_share=0, test_share=0)
    assert len(read(workspace)["train"]) == 1
    found = {}
    for row in read(workspace, "tools")["train"]:
        messages = [json.loads(text) for text in row["prompt"]]
        assert all(value is not None for message in messages for value in message.values())
        found[row["task"]] = messages[1]["tool_calls"][0]["function"]["arguments"]
    assert found == {f"task-{n}": value for n, value in enumerate(arguments)}


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"weak_score": math.nan}, "not in [0, 1]"),
        ({"strong_scores": [1.0, math.inf]}, "not in [0, 1]"),
        ({"verifier_json": "{broken"}, "verifier_json"),
        ({"prompt": [Message(role="assistant", content="hello")]}, "ends on a turn of role 'assistant'"),
        ({"prompt": [Message(role="user", content="  ")]}, "empty user turn"),
        ({"prompt": tool_prompt("text")}, "not JSON"),
        ({"prompt": tool_prompt({"x": "\ud83d"})}, "lone surrogate"),
        ({"prompt": tool_prompt({"x": math.nan})}, "no JSON number"),
        ({"prompt": tool_prompt()[2:]}, "without a call"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused_by_name(
    changes: dict[str, Any], reason: str, workspace_of: Make, services: Any
) -> None:
    bad, good = trajectory(1, **changes), trajectory(2)
    report, manifest = export(workspace_of([bad, good]), services)
    assert reason in manifest["refused"][bad.trajectory_id]
    assert manifest["rows_out"] == 1 and manifest["dropped"] == {"refused": 1}
    assert any(bad.trajectory_id[:16] in note for note in report.notes)


def test_hard_text_comes_back_equal(workspace_of: Make, services: Any) -> None:
    texts = ["x" * 1_000_000, "\u2028 \x85 \x0b {{7*7}} ${HOME} ```", "юникод 漢字 \U0001f600", "\r\n\t trailing  "]
    rows = [trajectory(n, prompt=[Message(role="user", content=text)]) for n, text in enumerate(texts)]
    workspace = workspace_of(rows)
    export(workspace, services, val_share=0, test_share=0)
    assert {row["task"]: row["prompt"][0]["content"] for row in read(workspace)["train"]} == {
        f"task-{n}": text for n, text in enumerate(texts)
    }


def test_filters_dedup_and_cap_are_counted(workspace_of: Make, services: Any) -> None:
    rows = [
        trajectory(0), trajectory(0), trajectory(1, weak_score=0.39),
        trajectory(2, niche="high/low/low/low/mid"), trajectory(3, domain="swe", scenario="open"),
        *(trajectory(n, source_task_id="many", verifier_json=spec(1)) for n in range(10, 14)),
    ]  # fmt: skip
    _, manifest = export(
        workspace_of(rows), services, max_weak=0.3, niches=["mid/*/*/*/*"], domains=["algorithmic"], max_rows_per_task=3
    )
    assert manifest["rows_in"] == 9 and manifest["rows_out"] == 4
    assert manifest["dropped"] == {
        "duplicate": 1, "other domain": 1, "other niche": 1, "over max_rows_per_task": 1, "weak score out of range": 1,
    }  # fmt: skip


def test_a_mean_that_equals_the_bound_is_exported(workspace_of: Make, services: Any) -> None:
    weak, strong = sum([0.2, 0.4, 0.6]) / 3, sum([0.4, 1.0, 0.7]) / 3
    assert weak > 0.4 and strong < 0.7
    rows = [trajectory(0, weak_score=weak, strong_score=strong), trajectory(1, weak_score=0.401)]
    _, manifest = export(workspace_of(rows), services, max_weak=0.4, min_strong=0.7)
    assert manifest["rows_out"] == 1 and manifest["dropped"] == {"weak score out of range": 1}


def test_normalized_dedup_sees_through_case_and_space(workspace_of: Make, services: Any) -> None:
    rows = [
        trajectory(1, prompt=[Message(role="user", content=text)], source_task_id="t")
        for text in ("Write f", " write   F\n", "write g")
    ]
    _, manifest = export(workspace_of(rows), services, dedup="normalized")
    assert manifest["dropped"] == {"duplicate": 1}


def test_a_second_export_leaves_no_stale_shard(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([trajectory(n) for n in range(20)])
    export(workspace, services, rows_per_shard=3)
    _, manifest = export(workspace, services, rows_per_shard=50)
    folder = workspace.root / "export"
    on_disk = {str(path.relative_to(folder / "rl")) for path in folder.glob("rl/**/*.parquet")}
    assert on_disk == {info["path"] for info in manifest["formats"]["rl"]}
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_simulated_rows_are_counted(workspace_of: Make, services: Any) -> None:
    rows = [trajectory(1, models_json=json.dumps(SIMULATED)), trajectory(2)]
    report, manifest = export(workspace_of(rows), services)
    assert manifest["simulated"] == 1
    assert any("1 of 2 rows were made with simulated models" in note for note in report.notes)


def test_an_unknown_format_is_a_clear_error() -> None:
    with pytest.raises(ValueError, match="unknown format 'csv'; known: rl"):
        ExportSettings(formats=["csv"])


@given(st.lists(st.tuples(st.sampled_from(["user", "assistant"]), st.text(max_size=30)), max_size=6))
def test_check_passes_only_conversations_that_end_on_a_user_turn(turns: list[tuple[Any, str]]) -> None:
    prompt = [Message(role=role, content=text) for role, text in turns]
    try:
        check(prompt)
    except RefusedError:
        assert not turns or turns[-1][0] != "user" or any(r == "user" and not t.strip() for r, t in turns)
    else:
        assert turns[-1][0] == "user"


def test_an_export_needs_trajectories(tmp_path: Path, services: Any) -> None:
    from autointeract.errors import WorkspaceError

    with pytest.raises(WorkspaceError, match="trajectories"):
        asyncio.run(export_stage.run(ExportSettings(), Workspace(tmp_path), services))


def lines(workspace: Workspace, form: str) -> list[dict[str, Any]]:
    folder = workspace.root / "export" / form / "default"
    return [json.loads(line) for path in sorted(folder.glob("*.jsonl")) for line in path.read_bytes().split(b"\n")[:-1]]


def test_every_format_holds_the_same_trajectories(workspace_of: Make, services: Any) -> None:
    rows = [*(trajectory(n) for n in range(10)), *(trajectory(n, prompt=tool_prompt({"n": n})) for n in range(10, 14))]
    workspace = workspace_of(rows)
    _, manifest = export(workspace, services, formats=["all"])
    ids = {row.trajectory_id for row in rows}
    assert {row["id"] for row in lines(workspace, "verifiers")} == ids
    assert {row["metadata"]["trajectory_id"] for row in lines(workspace, "messages")} == ids
    assert {row["session_id"] for row in lines(workspace, "atif")} == ids
    found = [row for config in ("default", "tools") for part in read(workspace, config).values() for row in part]
    assert {row["extra_info"]["trajectory_id"] for row in found} == ids
    for infos in manifest["formats"].values():
        assert sum(info["rows"] for info in infos) == len(rows) == manifest["rows_out"]


def test_openai_lines_hold_arguments_as_text_and_verifiers_lines_are_flat(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([trajectory(1, prompt=tool_prompt({"n": 1}))])
    export(workspace, services, formats=["openai", "prime-rl"])
    call = lines(workspace, "messages")[0]["messages"][1]["tool_calls"][0]
    assert call == {"id": "c1", "type": "function", "function": {"name": "run", "arguments": '{"n": 1}'}}
    assert lines(workspace, "verifiers")[0]["prompt"][1]["tool_calls"] == [
        {"id": "c1", "name": "run", "arguments": '{"n": 1}'}
    ]


def test_atif_gives_one_line_a_solver_response(workspace_of: Make, services: Any) -> None:
    row = trajectory(1, prompt=tool_prompt({"n": 1}))
    workspace = workspace_of([row])
    responses = [
        {
            "role": "weak",
            "sample": 0,
            "text": "a",
            "thinking": "hm",
            "verdict": {"score": 0.4, "passed": 2, "total": 5},
        },
        {"role": "strong", "sample": 0, "text": "b", "thinking": None, "verdict": {"score": 1.0}},
        {"role": "assistant", "message": 1, "thinking": "not a rollout"},
    ]
    won = attempt("i", 0, "accepted", task_id="task-1", conversation=row.prompt, responses_json=json.dumps(responses))
    other = attempt("j", 0, "leak", task_id="task-1", conversation=row.prompt, responses_json="[]")
    workspace.attempts.write([[other, won]], stage="synthesize", stage_digest="d", inputs={}, complete=True)
    _, manifest = export(workspace, services, formats=["atif"])
    weak, strong = lines(workspace, "atif")
    assert manifest["formats"]["atif"][0]["lines"] == 2 and manifest["formats"]["atif"][0]["rows"] == 1
    assert [step["source"] for step in weak["steps"]] == ["user", "agent", "user", "agent"]
    assert weak["steps"][1]["tool_calls"][0] == {"tool_call_id": "c1", "function_name": "run", "arguments": {"n": 1}}
    assert weak["steps"][1]["observation"] == {"results": [{"source_call_id": "c1", "content": "done"}]}
    assert weak["steps"][3]["message"] == "a" and weak["steps"][3]["reasoning_content"] == "hm"
    assert [step["step_id"] for step in strong["steps"]] == [1, 2, 3, 4]
    assert strong["final_metrics"]["extra"]["score"] == 1.0 and weak["agent"]["model_name"] == "real/assistant"


@pytest.mark.parametrize("settings", [{"niches": ["high/high/nowhere/*/*"]}, {"max_weak": 0.0}, {"domains": ["swe"]}])
def test_settings_that_leave_no_row_replace_nothing(workspace_of: Make, services: Any, settings: Any) -> None:
    workspace = workspace_of([trajectory(n) for n in range(6)])
    with pytest.raises(InputError, match=r"none of 6 .* nothing was written"):
        export(workspace, services, **settings)
    assert not (workspace.root / "export").exists() and not workspace.splits.exists()
    export(workspace, services)
    before = {path: path.read_bytes() for path in (workspace.root / "export").rglob("*") if path.is_file()}
    with pytest.raises(InputError, match=r"stays as it is \(6 rows\)"):
        export(workspace, services, **settings)
    assert before == {path: path.read_bytes() for path in (workspace.root / "export").rglob("*") if path.is_file()}


def test_a_filter_that_matches_nothing_is_told_what_there_is(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([trajectory(0)])
    (row,) = workspace.trajectories.rows()
    with pytest.raises(InputError, match=re.escape(f"export.niches = nope, but there are {row.niche}")):
        export(workspace, services, niches=["nope"])


def test_an_export_with_rows_outlives_a_workspace_without(workspace_of: Make, services: Any) -> None:
    workspace = workspace_of([trajectory(0)])
    export(workspace, services)
    workspace.trajectories.write([[]], stage="synthesize", stage_digest="d", inputs={}, complete=True)
    with pytest.raises(InputError, match="holds no accepted trajectory"):
        export(workspace, services)
