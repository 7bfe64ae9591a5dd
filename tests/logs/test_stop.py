"""A stop in the middle of `ingest`: nothing that was read to its end is lost, nothing more is begun."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from logs_support import Claude, ingest, write_lines

from autointeract.engine import Engine, EngineSettings
from autointeract.errors import StoppedError
from autointeract.logs import spool, stage, worker
from autointeract.logs.build import BuildRules
from autointeract.logs.ledger import FileLedger
from autointeract.logs.settings import LogsSettings
from autointeract.logs.worker import Job, LogFile, run_job
from autointeract.workspace import Workspace

FILES = 12


@pytest.fixture
def logs(tmp_path) -> Path:
    for number in range(FILES):
        claude = Claude(f"{number:08d}-2222-4333-8444-555555555555", f"person{number % 3}x")
        claude.says(f"plant bed {number}")
        claude.answers("planted")
        write_lines(tmp_path / "logs" / f"{number:02d}.jsonl", claude.rows)
    return tmp_path / "logs"


def stopped_ingest(root: Path, logs: Path, engine: Engine, **options: Any) -> Any:
    services: Any = SimpleNamespace(engine=engine, resume="auto", seed=0)
    return asyncio.run(stage.run(LogsSettings(paths=[str(logs)], **options), Workspace(root, "test-key"), services))


def opened_files(monkeypatch, at: int = 0, engine: Engine | None = None) -> list[str]:
    """Notes each file as it is opened; asks the engine to stop when number `at` is."""
    opened: list[str] = []
    real = worker.open_log

    def open_log(place, label, *rest):
        opened.append(label)
        if engine is not None and len(opened) == at:
            engine.request_stop("SIGINT")
        return real(place, label, *rest)

    monkeypatch.setattr(worker, "open_log", open_log)
    return opened


def part_digests(root: Path) -> list[str]:
    return [part["sha256"] for part in json.loads((root / "sessions" / "manifest.json").read_text())["parts"]]


@pytest.mark.parametrize("at", [1, 5, FILES])
def test_after_the_signal_no_file_is_begun_and_a_resumed_run_ends_in_the_same_bytes(tmp_path, logs, monkeypatch, at):
    ingest(tmp_path / "whole", logs)
    engine = Engine(EngineSettings())
    with monkeypatch.context() as patch:
        opened = opened_files(patch, at, engine)
        report = stopped_ingest(tmp_path / "w", logs, engine)
        assert len(opened) == at
    # The file that was open then is dropped, those before it stay.
    assert not report.complete and report.counts["files_read_now"] == report.counts["sessions"] == at - 1
    opened = opened_files(monkeypatch)
    report, _ = ingest(tmp_path / "w", logs)
    assert len(opened) == report.counts["files_read_now"] == FILES - (at - 1)
    assert part_digests(tmp_path / "w") == part_digests(tmp_path / "whole")
    spooled = list((tmp_path / "w" / "journal" / "spool").glob("*.arrow"))
    assert sum(spool.read(path).num_rows for path in spooled) == FILES


def test_workers_hear_of_a_stop(tmp_path, logs, monkeypatch):
    ingest(tmp_path / "whole", logs)
    monkeypatch.setattr(stage, "POOL_BYTES", 0)
    monkeypatch.setattr(stage, "BATCH_FILES", 1)
    engine = Engine(EngineSettings(), lambda finished, total: engine.request_stop("SIGTERM"))
    report = stopped_ingest(tmp_path / "w", logs, engine, workers=2)
    # One batch had ended, and at most one was in each worker's hands.
    assert not report.complete and 1 <= report.counts["files_read_now"] <= 3
    ingest(tmp_path / "w", logs, workers=2)
    assert part_digests(tmp_path / "w") == part_digests(tmp_path / "whole")


def test_a_file_of_many_conversations_is_left_between_two_of_them(tmp_path, claude):
    rows = [
        {"id": f"c{number}", "user": "p", "messages": [{"role": "user", "content": f"ask {number}"}]}
        for number in range(9)
    ]
    claude.says("plant the tulips")
    whole, torn = write_lines(tmp_path / "a.jsonl", claude.rows), write_lines(tmp_path / "b.jsonl", rows)
    files = tuple(LogFile(path, name * 16, 0, path.name) for path, name in ((whole, "a"), (torn, "b")))
    asked = iter([False] * 5 + [True] * 99)
    found = run_job(Job(files, tmp_path, BuildRules("standard", b"k"), 1 << 20), lambda: next(asked))
    assert [name for name, _ in found] == ["a" * 16]
    (spooled,) = tmp_path.glob("*.arrow")
    assert spool.read(spooled).column("file").to_pylist() == ["a" * 16]


def test_a_stop_leaves_the_earlier_version_of_a_file_that_has_grown(tmp_path, claude, monkeypatch):
    claude.says("plant the tulips")
    path = write_lines(tmp_path / "logs" / "a.jsonl", claude.rows)
    ingest(tmp_path / "w", path)
    claude.says("and water them")
    write_lines(path, claude.rows)
    engine = Engine(EngineSettings())
    with monkeypatch.context() as patch:
        opened_files(patch, 1, engine)
        assert stopped_ingest(tmp_path / "w", path, engine).counts["sessions"] == 1
    report, sessions = ingest(tmp_path / "w", path)
    assert report.counts["versions_merged"] == 0
    assert [turn.text for session in sessions for turn in session.turns] == ["plant the tulips", "and water them"]


def test_looking_for_what_is_new_can_be_stopped_and_keeps_what_it_found(tmp_path, logs):
    place = tmp_path / "ledger.json"
    asked = iter([False] * 4 + [True])
    with pytest.raises(StoppedError, match="the same command"):
        FileLedger(place, b"k").survey([str(logs)], None, lambda: next(asked))
    assert len(json.loads(place.read_text())["seen"]) == 5


def test_a_passed_deadline_counts_as_stopping():
    engine = Engine(EngineSettings(deadline_s=1e-9))
    assert not engine.stopping

    async def work(item):
        return engine.stopping

    seen: list[bool] = []
    asyncio.run(engine.map([1], work, lambda item, result: seen.append(result)))
    assert engine.stopping and seen in ([], [True])


def test_a_long_file_is_left_between_two_blocks(tmp_path, claude):
    claude.says("plant the tulips")
    claude.answers("word " * 300_000)
    path = write_lines(tmp_path / "a.jsonl", [*claude.rows, "", "x" * 3_000_000])
    asked: list[bool] = []

    def stopping() -> bool:
        asked.append(len(asked) >= 2)
        return asked[-1]

    file = LogFile(path, "a" * 16, 0, path.name)
    assert run_job(Job((file,), tmp_path, BuildRules("standard", b"k"), 1 << 20), stopping) == []
    # Before the file, then at its blocks of 1 MiB: not at all of them.
    assert len(asked) == 3 and not list(tmp_path.glob("*.arrow"))
