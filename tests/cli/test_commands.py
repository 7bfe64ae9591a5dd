"""Single commands: what they print for people, and that none throws away what was paid for."""

import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.trajectory_rows import trajectory

from autointeract import __version__
from autointeract.models.cache import ReplyCache
from autointeract.workspace import Workspace


def cli(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "autointeract", *words], capture_output=True, text=True, cwd=cwd, timeout=100
    )


def test_the_version(tmp_path):
    assert cli("--version", cwd=tmp_path).stdout == f"autointeract {__version__}\n"


def test_pruning_the_cache_needs_a_condition_and_counts_days_from_now(tmp_path, monkeypatch):
    cache = ReplyCache(tmp_path / "w" / "cache" / "replies.sqlite")
    now = time.time()
    for days in (1, 10, 100):
        monkeypatch.setattr(time, "time", lambda days=days: now - days * 86400)
        cache.put(bytes([days]) * 32, {}, role="judge", model="m", item="i", tokens=1)
    monkeypatch.undo()
    cache.close()
    refused = cli("cache", "prune", "-w", "w", cwd=tmp_path)
    assert refused.returncode == 2 and "--all" in refused.stderr
    assert cli("cache", "prune", "--days", "30", "-w", "w", cwd=tmp_path).stdout == "1 replies removed\n"
    assert cli("cache", "prune", "--days", "5", "--role", "weak", "-w", "w", cwd=tmp_path).stdout.startswith("0 ")
    assert "replies 2" in cli("cache", "stats", "-w", "w", cwd=tmp_path).stdout
    assert cli("cache", "prune", "--all", "-w", "w", cwd=tmp_path).stdout == "2 replies removed\n"


def test_doctor_says_once_that_no_model_is_set(tmp_path):
    done = cli("doctor", cwd=tmp_path)
    assert done.returncode == 2
    assert done.stdout.count("models.default.model") == 1


@pytest.mark.parametrize("port", ["-1", "65536", "x"])
def test_a_port_that_is_none_is_named(tmp_path, port):
    for command in (("verify", "serve"), ("serve-local",)):
        done = cli(*command, "--port", port, cwd=tmp_path)
        assert done.returncode == 2
        assert "--port" in done.stderr and "Traceback" not in done.stderr


def test_formats_of_an_earlier_export_are_said_to_be_so(tmp_path):
    Workspace(tmp_path / "w").trajectories.write(
        [[trajectory(0)]], stage="synthesize", stage_digest="d", inputs={}, complete=True
    )
    assert cli("export", "--format", "messages", "-w", "w", cwd=tmp_path).returncode == 0
    second = cli("export", "-w", "w", cwd=tmp_path)
    assert "w/export/messages is of an earlier export" in second.stdout
    said = cli("status", "-w", "w", cwd=tmp_path).stdout
    assert "messages: 2 files in w/export/messages  (of an earlier export)" in said
    assert "rl: 2 files in w/export/rl\n" in said


def test_the_recipe_for_verl_takes_any_path_and_says_what_is_missing(root, tmp_path):
    def recipe(*words: str) -> subprocess.CompletedProcess[str]:
        (tmp_path / "python").write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n')
        (tmp_path / "python").chmod(0o755)
        path = f"{tmp_path}:/usr/bin:/bin"
        command = ["bash", str(root / "docs/training/verl.sh"), *words]
        return subprocess.run(command, capture_output=True, text=True, env={"PATH": path})

    assert (recipe().returncode, "usage" in recipe().stderr) == (2, True)
    folder = tmp_path / "a b" / "export/rl/default"
    folder.mkdir(parents=True)
    (folder / "train-00000-of-00001.parquet").touch()
    lacks = recipe(str(tmp_path / "a b"), "m")
    assert lacks.returncode == 1 and "no val split" in lacks.stderr
    (folder / "val-00000-of-00001.parquet").touch()
    done = recipe(str(tmp_path / "a b"), "m", "trainer.nnodes=2")
    assert f"data.val_files=['{folder}/val-00000-of-00001.parquet']" in done.stdout
    assert done.stdout.endswith("trainer.nnodes=2\n")
