"""`learn-prompt` as a user types it, killed with SIGKILL while it learns: resumed, it ends in the same bytes."""

import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from autointeract.models.ledger import read_lines
from autointeract.records import canonical_json, load_json
from autointeract.workspace import Workspace

DEMO = ["-c", "examples/demo.toml"]
LEARN = [
    "learn-prompt", *DEMO, "-c", "learn_prompt.optimizer=gepa", "-c", "learn_prompt.metric_calls=200",
    "-c", "learn_prompt.max_instances=40", "-c", "learn_prompt.judge_checks=4",
]  # fmt: skip
LEARNED = ("seed_prompt", "lineage", "selected", "gains", "fresh_val", "judge", "aspects")


def command(workspace: Path, words: list[str]) -> list[str]:
    return [sys.executable, "-m", "autointeract", *words, "-w", str(workspace)]


def finish(root: Path, workspace: Path, *words: str) -> None:
    done = subprocess.run(command(workspace, list(words)), cwd=root, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr


def lines(workspace: Path) -> list[bytes]:
    """Whole lines of the stage's journal, in the order written; the first names the stage."""
    path = workspace / "journal" / "learn-prompt.jsonl"
    return path.read_bytes().split(b"\n")[:-1] if path.exists() else []


def calls(workspace: Path) -> int:
    """Model calls in the ledgers, those answered from the cache too."""
    found = [line for path in sorted((workspace / "ledger").glob("*.jsonl")) for line in read_lines(path)]
    return len(found)


def kill_at(root: Path, workspace: Path, count: int, *more: str) -> list[bytes]:
    """Starts the stage, kills it as soon as its journal holds `count` lines; what the journal then holds."""
    process = subprocess.Popen(
        command(workspace, [*LEARN, *more]), cwd=root, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    end = time.monotonic() + 100
    while process.poll() is None and time.monotonic() < end and len(lines(workspace)) < count:
        time.sleep(0.005)
    assert process.poll() is None, "the stage ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    process.wait()
    return lines(workspace)


def bare(value: dict[str, Any]) -> str:
    """A journalled value without what it cost: a reply that was paid before the kill comes from the cache after it."""
    return canonical_json({name: part for name, part in value.items() if name != "usage"})


def outcome(workspace: Path) -> dict[str, Any]:
    """The prompts and their lineage as bytes, what the report says of them, and all that was journalled."""
    report = load_json((workspace / "stages" / "learn-prompt.json").read_text())
    details = report["details"]
    items = [load_json(line.decode())["item"] for line in lines(workspace)[1:]]
    return {
        "parts": {path.name: path.read_bytes() for path in sorted((workspace / "prompts").glob("*.parquet"))},
        "report": {name: details[name] for name in LEARNED},
        "journal": sorted((item["key"], item["input"], bare(item["value"])) for item in items),
    }


@pytest.fixture(scope="module")
def prepared(root, tmp_path_factory) -> Path:
    """A workspace with everything that learning needs, and nothing learned."""
    workspace = tmp_path_factory.mktemp("killed") / "prepared"
    finish(root, workspace, "ingest", "data/sample/logs", *DEMO)
    finish(root, workspace, "label", *DEMO)
    finish(root, workspace, "profile", *DEMO)
    return workspace


@pytest.fixture(scope="module")
def unkilled(root, prepared) -> Path:
    workspace = prepared.with_name("unkilled")
    shutil.copytree(prepared, workspace)
    finish(root, workspace, *LEARN)
    return workspace


@pytest.mark.timeout(300)
@pytest.mark.parametrize(
    ("shares", "more", "cache"), [((0.3, 0.7), [], True), ((0.4,), ["-c", "engine.concurrency=2"], False)]
)
def test_killed_and_resumed_the_lineage_is_the_same_bytes(root, prepared, unkilled, tmp_path, shares, more, cache):
    workspace = tmp_path / "w"
    shutil.copytree(prepared, workspace)
    whole, reached, before = len(lines(unkilled)), 0, [b""]
    for share in shares:
        before = kill_at(root, workspace, max(int(share * whole), reached + 1), *more)
        reached = len(before)
        assert reached < whole
        assert not list((workspace / "prompts").glob("*.parquet")), "killed too late: the prompts were written"
    if not cache:  # the journal alone must do
        shutil.rmtree(workspace / "cache")
    finish(root, workspace, *LEARN, *more)
    assert lines(workspace)[:reached] == before, "finished work was done again"
    wanted, found = outcome(unkilled), outcome(workspace)
    assert len(wanted["report"]["lineage"]) > 1, "nothing was learned: the test shows nothing"
    for name in wanted:
        assert found[name] == wanted[name], name


@pytest.mark.timeout(120)
def test_a_finished_stage_makes_no_call_when_run_again(root, unkilled):
    wanted, paid = outcome(unkilled), calls(unkilled)
    assert paid > 200
    keys = [load_json(line.decode())["item"]["key"] for line in lines(unkilled)[1:]]
    assert len(keys) == len(set(keys)), "something was run twice"
    finish(root, unkilled, *LEARN)
    assert calls(unkilled) == paid
    assert outcome(unkilled) == wanted
    chosen = [row for row in Workspace(unkilled).prompts.rows() if load_json(row.optimizer_json)["selected"]]
    assert len(chosen) == 1
