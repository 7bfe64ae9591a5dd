"""Errors of the machine: one line that names what, where and what to do, and a code that says whether to go on."""

import errno
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from tests.trajectory_rows import trajectory

from autointeract.cli.failures import explain
from autointeract.workspace import Workspace


def cli(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "autointeract", *words], capture_output=True, text=True, cwd=cwd, timeout=100
    )


@pytest.mark.parametrize(
    ("error", "text", "code"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "w: no space left", 3),
        (OSError("Error writing bytes to file. Detail: [errno 28] No space left on device"), "w: no space left", 3),
        (sqlite3.OperationalError("database or disk is full"), "w: no space left for a database", 3),
        (sqlite3.DatabaseError("database disk image is malformed"), "move it away", 2),
        (
            FileExistsError(errno.EEXIST, "File exists", "w/labels"),
            "w/labels: there is a file where",
            2,
        ),
        (NotADirectoryError(errno.ENOTDIR, "Not a directory", "a/b"), "a/b: a part of this path is a file", 2),
        (
            IsADirectoryError(errno.EISDIR, "Is a directory", "w/lock"),
            "w/lock: there is a folder where",
            2,
        ),
        (PermissionError(errno.EACCES, "Permission denied", "w/lock"), "w/lock: no permission", 2),
        (OSError(errno.EROFS, "Read-only file system", "w/lock"), "w/lock: the file system is read-only", 2),
    ],
)
def test_errors_of_the_machine_say_what_to_do(error, text, code):
    found = explain(error, "w")
    assert found is not None
    assert text in found[0] and found[1] == code and "\n" not in found[0]


def test_a_bug_is_left_a_bug():
    assert explain(ValueError("x")) is None


def test_a_mistyped_workspace_is_not_made(tmp_path):
    (tmp_path / "src").mkdir()
    for words in (["export"], ["report"], ["status"], ["forget", "x"], ["tasks", "verify"], ["tasks", "stats"]):
        for place in ("gone", "."):
            done = cli(*words, "-w", place, cwd=tmp_path)
            assert done.returncode == 2 and "no workspace at" in done.stderr, done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["src"]


@pytest.mark.parametrize("name", ["trajectories", "splits"])
@pytest.mark.parametrize("command", ["export", "report"])
def test_a_damaged_part_is_one_line_and_replaces_nothing(tmp_path, name, command):
    workspace = Workspace(tmp_path / "w")
    workspace.trajectories.write([[trajectory(0)]], stage="synthesize", stage_digest="d", inputs={}, complete=True)
    assert cli("export", "-w", "w", cwd=tmp_path).returncode == 0
    before = (tmp_path / "w/export/manifest.json").read_bytes()
    (path,) = (tmp_path / "w" / name).glob("*.parquet")
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 255
    path.write_bytes(data)
    done = cli(command, "-w", "w", cwd=tmp_path)
    if command == "export" or name == "trajectories":
        assert done.returncode == 2
        assert f"{path.name} is not what was written" in done.stderr
    assert "Traceback" not in done.stderr and done.stderr.count("\n") <= 1
    assert (tmp_path / "w/export/manifest.json").read_bytes() == before


def test_a_damaged_verdict_cache_is_one_line(tmp_path):
    (tmp_path / "w" / "cache").mkdir(parents=True)
    (tmp_path / "w" / "cache" / "verdicts.sqlite").write_bytes(b"no database" * 100)
    (tmp_path / "t.jsonl").write_text('{"task_id": "x"}\n')
    done = cli("tasks", "-c", 'tasks.sources=["t.jsonl"]', "-w", "w", cwd=tmp_path)
    assert done.returncode == 2 and "Traceback" not in done.stderr, done.stderr
    assert "w" in done.stderr and "move it away" in done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="mounting needs root")
def test_a_full_disk_loses_nothing(tmp_path, root):
    """A disk of 400 kB fills up while logs are read; with room, the same command goes on and comes to the same end."""
    (tmp_path / "d").mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", str(tmp_path / "d")]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        words = ("ingest", str(root / "data/sample/logs"), "-c", "pseudonym_key=k", "-w")
        full = cli(*words, "d/w", cwd=tmp_path)
        assert full.returncode == 3, full.stderr
        assert "d/w: no space left" in full.stderr and "Traceback" not in full.stderr
        subprocess.run(["mount", "-o", "remount,size=32M", str(tmp_path / "d")], check=True)
        assert cli(*words, "d/w", cwd=tmp_path).returncode == 0
        assert cli(*words, "w", cwd=tmp_path).returncode == 0
        there, here = (Workspace(tmp_path / name).sessions.manifest().parts for name in ("d/w", "w"))
        assert there == here
    finally:
        subprocess.run(["umount", str(tmp_path / "d")], check=False)
