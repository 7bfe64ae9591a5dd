"""The command line: quick to answer, light to import, one clear line and the right code for every mistake."""

import json
import subprocess
import sys

import pytest

from autointeract.workspace import Workspace

HEAVY = [
    "litellm",
    "gepa",
    "datasets",
    "pandas",
    "sklearn",
    "scipy",
    "matplotlib",
    "dspy",
    "torch",
    "aiohttp",
    "pyarrow",
    "pydantic",
]


def cli(*words, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "autointeract", *words], capture_output=True, text=True, cwd=cwd, timeout=100
    )


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nsys.argv = ['autointeract', '--help']\nfrom autointeract.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.strip().endswith("[]"), done.stdout[-300:]
    assert "synthesize" in done.stdout


def test_importing_the_package_touches_no_logging_and_nothing_heavy():
    code = (
        "import logging, sys\nlogging.basicConfig()\nbefore = list(logging.root.handlers)\nimport autointeract\n"
        f"assert logging.root.handlers == before\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["label", "-c", "engine.concurency=1"], 2, "did you mean 'engine.concurrency'"),
        (["label", "-c", "nowhere.toml"], 2, "does not exist"),
        (["status", "-w", "nowhere"], 2, "no workspace at nowhere"),
        (["label", "-w", "empty"], 2, "no workspace at empty"),
        (["label", "-w", ""], 2, "workspace: must not be empty"),
        (["label", "-w", "empty", "--resume", "sometimes"], 2, "sometimes"),
        (["no-such-stage"], 2, "No such command"),
    ],
)
def test_mistakes_get_one_clear_line(tmp_path, words, code, text):
    done = cli(*words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr


@pytest.fixture
def logs(tmp_path):
    """Files that are no use as logs, each in its own way."""
    (tmp_path / "nolog").mkdir()
    (tmp_path / "nolog" / "a.jsonl").write_text("hello\n")
    (tmp_path / "nobody.jsonl").write_text('{"type": "summary", "summary": "x", "leafUuid": "y"}\n')
    (tmp_path / "void").mkdir()
    return tmp_path


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["ingest"], "no logs given"),
        (["ingest", "gone"], "gone: no such file or folder"),
        (["ingest", "void"], "no file in this folder"),
        (["ingest", "nolog"], "a.jsonl: not a log in a known format"),
        (["ingest", "nobody.jsonl"], "no human turn"),
        (["tasks"], "tasks.sources"),
        (["tasks", "-c", 'tasks.sources=["gone.jsonl"]'], "gone.jsonl: no such file"),
        (["label", "-c", "models.weak.model=nothing/such"], "litellm knows no provider for 'nothing/such'"),
        (
            ["label", "-c", "models.weak.model=openai/x", "-c", "models.weak.api_key_env=NOT_SET_ANYWHERE"],
            "NOT_SET_ANYWHERE",
        ),
        (["synthesize", "-c", "models.default.model=simulated/x"], "no workspace at w"),
        (["export"], "no workspace at w"),
    ],
)
def test_bad_input_gets_one_clear_line_and_leaves_nothing_half_written(logs, words, text):
    done = cli(*words, "-w", "w", cwd=logs)
    assert done.returncode == 2, done.stdout + done.stderr
    assert text in done.stderr
    assert done.stderr.count("\n") <= 3
    for manifest in (logs / "w").glob("*/manifest.json"):
        assert manifest.parent.name == "sessions"
        assert list(Workspace(logs / "w").sessions.rows()) == []


def test_a_task_whose_reference_fails_is_refused_by_name(tmp_path):
    task = {
        "task_id": "t/broken", "source": "x", "domain": "algorithmic", "statement": "Add two numbers.",
        "entry_point": "add",
        "interface": "`add(a, b)`", "reference": "def add(a, b):\n    return a - b\n",
        "assertions": ["assert add(1, 2) == 3", "assert add(2, 2) == 4", "assert add(5, 1) == 6"],
    }  # fmt: skip
    (tmp_path / "t.jsonl").write_text(json.dumps(task) + "\n")
    done = cli("tasks", "-c", 'tasks.sources=["t.jsonl"]', "-w", "w", cwd=tmp_path)
    assert "t/broken: broken: the reference fails 3 of 3" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_status_names_who_is_writing(tmp_path):
    code = (
        "import time; from pathlib import Path; from autointeract.workspace import Workspace\n"
        "with Workspace(Path('w')).lock('label'): print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, cwd=tmp_path)
    try:
        assert holder.stdout is not None
        holder.stdout.readline()
        assert f"writing now: process {holder.pid}, stage label" in cli("status", "-w", "w", cwd=tmp_path).stdout
        refused = cli("export", "-w", "w", cwd=tmp_path)
        assert refused.returncode == 4
        assert str(holder.pid) in refused.stderr
    finally:
        holder.kill()
        holder.wait()


def test_doctor_names_each_role_and_fails_where_one_cannot_be_reached():
    good = cli("doctor", "-c", "models.default.model=simulated/x")
    assert "model strong" in good.stdout
    down = cli("doctor", "-c", "models.default.model=m", "-c", "models.default.api_base=http://127.0.0.1:9/v1")
    assert down.returncode == 2
    assert "is the server up" in down.stdout


def test_status_reads_a_workspace_with_an_export_and_a_damaged_manifest(tmp_path):
    for name in ("export", "tasks"):
        (tmp_path / "w" / name).mkdir(parents=True)
        (tmp_path / "w" / name / "manifest.json").write_text("{")
    (tmp_path / "w" / "export" / "rl").mkdir()
    done = cli("status", "-w", "w", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "tasks          its manifest is damaged" in done.stdout
    assert "export         rl" in done.stdout


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["label", "-w", "/proc/nowhere"], "/proc/nowhere"),
        (["label", "-w", "file/below"], "file"),
        (["label", "--seed", "-1"], "seed"),
        (["ingest", "x", "-c", "pseudonym_key="], "pseudonym_key"),
        (["tasks", "-c", "execution.backend=docker", "-c", "execution.docker_host=unix:///nowhere.sock"], "Docker"),
    ],
)
def test_places_and_values_that_cannot_be_used_are_named(tmp_path, words, text):
    (tmp_path / "file").write_text("")
    done = cli(*words, cwd=tmp_path)
    assert done.returncode == 2, done.stdout + done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr
