"""Push: everything or nothing, nothing twice, and nothing that may not leave."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fake_hub import FakeHub
from tests.trajectory_rows import SIMULATED, tool_prompt, trajectory

from autointeract.errors import ConfigError, InputError, StoppedError, WorkspaceError
from autointeract.publish import export_stage, push_stage
from autointeract.publish.licenses import read_licenses
from autointeract.publish.secrets import find_secrets, own_secrets
from autointeract.publish.settings import ExportSettings, PushSettings
from autointeract.records import Message
from autointeract.workspace import Workspace

Make = Callable[..., Workspace]


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeHub]:
    monkeypatch.setenv("HF_TOKEN", "none")
    for name in list(os.environ):
        if name.upper().endswith(("_KEY", "_TOKEN", "_SECRET", "_PASSWORD")) and name != "HF_TOKEN":
            monkeypatch.delenv(name)
    # The stand-in speaks the LFS protocol, not Xet.
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_XET", True)
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    with FakeHub() as fake:
        yield fake


def export(workspace: Workspace, services: Any, **settings: Any) -> None:
    asyncio.run(export_stage.run(ExportSettings(**settings), workspace, services))


def push(workspace: Workspace, hub: FakeHub, **settings: Any) -> Any:
    given = {"repo": "me/data", "endpoint": hub.url, "wait_s": 0.001, **settings}
    return asyncio.run(push_stage.run(PushSettings(**given), workspace, None))  # type: ignore[arg-type]


def rows() -> list[Any]:
    return [*(trajectory(n) for n in range(30)), *(trajectory(n, prompt=tool_prompt({"n": n})) for n in range(30, 40))]


def test_push_and_load_back(workspace_of: Make, services: Any, hub: FakeHub, tmp_path: Path) -> None:
    workspace = workspace_of(rows())
    export(workspace, services, rows_per_shard=8)
    report = push(workspace, hub)
    assert hub.private["me/data"] and len(hub.commits) == 1 and report.counts["rows"] == 40
    environ = {
        **os.environ, "HF_ENDPOINT": hub.url, "HF_HOME": str(tmp_path / "hf"), "HF_HUB_DISABLE_XET": "1",
        "HF_HUB_DISABLE_TELEMETRY": "1", "HF_HUB_OFFLINE": "0",
    }  # fmt: skip
    script = Path(__file__).with_name("load_from_hub.py")
    done = subprocess.run(
        [sys.executable, str(script), "me/data", "default", "tools"], env=environ, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found = json.loads(done.stdout.splitlines()[-1])
    manifest = json.loads((workspace.root / "export" / "manifest.json").read_text(encoding="utf-8"))
    expected: dict[str, dict[str, int]] = {}
    for info in manifest["formats"]["rl"]:
        part = expected.setdefault(info["config"], {})
        part[info["split"]] = part.get(info["split"], 0) + info["rows"]
    assert found == expected and sum(sum(part.values()) for part in found.values()) == 40


def test_a_second_push_sends_and_commits_nothing(workspace_of: Make, services: Any, hub: FakeHub) -> None:
    workspace = workspace_of(rows())
    export(workspace, services)
    push(workspace, hub)
    uploads = hub.uploads
    report = push(workspace, hub)
    assert hub.uploads == uploads and len(hub.commits) == 1 and "holds this export already" in report.notes[0]


def test_a_new_plan_leaves_no_old_shard_and_no_other_file_is_touched(
    workspace_of: Make, services: Any, hub: FakeHub
) -> None:
    workspace = workspace_of(rows())
    export(workspace, services, rows_per_shard=5)
    push(workspace, hub)
    hub.repos["me/data"]["notes.md"] = b"mine"
    export(workspace, services, rows_per_shard=50)
    report = push(workspace, hub)
    folder = workspace.root / "export" / "rl"
    local = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert set(hub.repos["me/data"]) == local | {"notes.md"}
    assert report.counts["files removed"] > 0 and len(hub.commits) == 2


def test_a_push_that_breaks_is_gone_on_with_and_sends_nothing_twice(
    workspace_of: Make, services: Any, hub: FakeHub
) -> None:
    workspace = workspace_of(rows())
    export(workspace, services, rows_per_shard=6)
    hub.fail = {("PUT", number): 503 for number in range(3, 30)}
    with pytest.raises(StoppedError, match="again to go on"):
        push(workspace, hub, tries=2)
    assert hub.repos["me/data"] == {} and not hub.commits and hub.uploads == 3
    hub.fail = {}
    push(workspace, hub)
    shards = len(list((workspace.root / "export" / "rl").rglob("*.parquet")))
    assert hub.uploads == shards and len(hub.commits) == 1


def test_a_busy_hub_is_waited_for(workspace_of: Make, services: Any, hub: FakeHub) -> None:
    workspace = workspace_of(rows())
    export(workspace, services)
    hub.fail = {("POST", 1): 429, ("POST", 3): 503, ("GET", 1): 429}
    push(workspace, hub)
    assert len(hub.commits) == 1


def test_a_public_repository_is_only_made_on_request(workspace_of: Make, services: Any, hub: FakeHub) -> None:
    workspace = workspace_of([trajectory(1)])
    export(workspace, services)
    assert any("PUBLIC" in note for note in push(workspace, hub, private=False).notes)
    assert not hub.private["me/data"]


def test_simulated_rows_need_a_flag(workspace_of: Make, services: Any, hub: FakeHub) -> None:
    workspace = workspace_of([trajectory(1, models_json=json.dumps(SIMULATED))])
    export(workspace, services)
    with pytest.raises(ConfigError, match="1 of 1 rows were made with simulated models"):
        push(workspace, hub)
    assert hub.repos == {}
    push(workspace, hub, allow_simulated=True)
    assert b"Not for training" in hub.repos["me/data"]["README.md"]


def test_a_licence_conflict_needs_a_flag(workspace_of: Make, services: Any, hub: FakeHub) -> None:
    workspace = workspace_of([trajectory(1), trajectory(2, source="other", license=None)])
    export(workspace, services)
    with pytest.raises(ConfigError, match="source 'other' states no licence"):
        push(workspace, hub)
    push(workspace, hub, allow_license_conflicts=True)


def test_a_secret_stops_everything_and_is_not_printed(
    workspace_of: Make, services: Any, hub: FakeHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "sk-test-CANARY")
    secret = trajectory(1, prompt=[Message(role="user", content="use sk-test-CANARY please")])
    workspace = workspace_of([trajectory(2), secret])
    export(workspace, services, val_share=0, test_share=0)
    with pytest.raises(InputError, match="holds the value of SOME_API_KEY") as caught:
        push(workspace, hub, allow_simulated=True, allow_license_conflicts=True)
    assert "CANARY" not in str(caught.value) and hub.repos == {}


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("key sk-proj-abcDEF0123456789xyz", "OpenAI"), ("AKIA" + "A1B2C3D4E5F6G7H8", "AWS"),
        ("ghp_" + "a1" * 18, "GitHub"),
        ("hf_" + "Ab1" * 12, "Hub"), ("-----BEGIN RSA PRIVATE KEY-----", "private key"),
        ("import sklearn; task-based-scheduling-of-things; disk-usage", None), ("hf_home", None),
        ("a sk-learn-extension-pkg", None),
    ],
)  # fmt: skip
def test_keys_are_told_by_their_shape(text: str, what: str | None, tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text(json.dumps({"a": [{"b": text}]}) + "\n", encoding="utf-8")
    found = list(find_secrets([path], {}))
    assert bool(found) == bool(what) and all(what in line and text not in line for line in found if what)


def test_the_pseudonym_key_is_a_secret(tmp_path: Path) -> None:
    key = tmp_path / "key"
    key.write_text("0123abcd" * 8, encoding="utf-8")
    assert own_secrets({"A_TOKEN": "short", "PATH": "/bin:/usr/bin"}, key) == {
        "0123abcd" * 8: "the workspace's pseudonym key"
    }


@pytest.mark.parametrize(
    ("sources", "hub_name", "conflicts"),
    [
        (["a: MIT"], "mit", 0), (["a: MIT", "b: Apache-2.0"], "other", 0), (["a: unknown"], "other", 1),
        (["a: CC-BY-NC-4.0"], "other", 1), (["a: GPL-3.0", "b: MIT"], "other", 1),
        (["a: CC-BY-SA-4.0"], "cc-by-sa-4.0", 0),
        (["a: Proprietary"], "other", 1), ([], "other", 0), (["hub: x/y: ODC-BY"], "odc-by", 0),
        (["a: CC-BY-ND-4.0"], "other", 1),
    ],
)  # fmt: skip
def test_licences(sources: list[str], hub_name: str, conflicts: int) -> None:
    found = read_licenses(sources)
    assert found.hub == hub_name and len(found.conflicts) == conflicts


def test_files_changed_by_hand_are_not_pushed(workspace_of: Make, services: Any, hub: FakeHub) -> None:
    workspace = workspace_of([trajectory(1)])
    export(workspace, services)
    path = next((workspace.root / "export" / "rl").rglob("*.parquet"))
    path.write_bytes(path.read_bytes() + b"x")
    with pytest.raises(WorkspaceError, match="is not what the export wrote"):
        push(workspace, hub)


def test_what_is_missing_is_said(workspace_of: Make, services: Any, hub: FakeHub) -> None:
    workspace = workspace_of([])
    with pytest.raises(WorkspaceError, match="run `autointeract export` first"):
        push(workspace, hub)
    export(workspace, services)
    with pytest.raises(ConfigError, match="holds no row"):
        push(workspace, hub)
    with pytest.raises(ConfigError, match=r"push\.repo is not set"):
        push(workspace, hub, repo=None)


@pytest.mark.parametrize("text", ["", "{", "[]", "3"])
def test_a_damaged_manifest_is_one_line(tmp_path, text: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(WorkspaceError, match=r"manifest\.json is damaged: run `autointeract export` again"):
        push_stage.check_export(tmp_path, PushSettings(repo="me/x"))
