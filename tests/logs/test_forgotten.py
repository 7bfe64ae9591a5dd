"""After `forget`, later runs of `ingest` store nothing of the person, wherever it would lie, and say so."""

from pathlib import Path

import pytest
from logs_support import Claude, ingest, write_lines
from test_forget import everything

from autointeract.errors import InputError, WorkspaceError
from autointeract.logs.forget import forget
from autointeract.workspace import Workspace

SAID = "the marmalade dragon sleeps under the third staircase"
OTHER = "somebody else entirely asks about the weather"


def log(path: Path, user: str, *texts: str) -> None:
    claude = Claude(f"{len(user):08d}-2222-4333-8444-555555555555", user)
    for text in texts:
        claude.says(text)
        claude.answers("as you wish")
    write_lines(path, claude.rows)


def test_a_grown_log_of_a_forgotten_person_leaves_no_trace_and_is_reported(tmp_path):
    logs, root = tmp_path / "logs", tmp_path / "w"
    log(logs / "a.jsonl", "quillon", SAID)
    log(logs / "b.jsonl", "bertram-x", OTHER)
    ingest(root, logs)
    forget(Workspace(root, "test-key"), "quillon")
    again, _ = ingest(root, logs)
    assert any("1 person(s) that this workspace was told to forget" in note for note in again.notes)
    log(logs / "a.jsonl", "quillon", SAID, SAID + " again")
    report, sessions = ingest(root, logs)
    assert [session.turns[0].text for session in sessions] == [OTHER]
    assert report.counts["sessions_of_forgotten"] == 1
    assert any("1 met again" in note for note in report.notes)
    for trace in ("marmalade", "quillon"):
        assert trace not in everything(root)


def test_when_only_forgotten_people_are_left_the_error_says_so(tmp_path):
    logs, root = tmp_path / "logs", tmp_path / "w"
    log(logs / "a.jsonl", "quillon", SAID)
    ingest(root, logs)
    forget(Workspace(root, "test-key"), "quillon")
    with pytest.raises(InputError, match="told to forget"):
        ingest(root, logs)


def test_a_damaged_list_is_named_and_never_taken_for_empty(tmp_path):
    logs, root = tmp_path / "logs", tmp_path / "w"
    log(logs / "a.jsonl", "quillon", SAID)
    ingest(root, logs)
    for damage in (b"{", b"\xff\xfe", b'{"a": 1}', b"[1]"):
        (root / "forgotten.json").write_bytes(damage)
        with pytest.raises(WorkspaceError, match=r"forgotten\.json: damaged"):
            ingest(root, logs)


def test_a_workspace_among_the_logs_is_no_log(tmp_path):
    logs, other = tmp_path / "logs", tmp_path / "logs" / "w"
    log(logs / "a.jsonl", "bertram-x", OTHER)
    report, _ = ingest(other, logs / "a.jsonl")
    with Workspace(other).lock("ingest"):
        Workspace(other).save_report(report)
    log(other / "export" / "messages.jsonl", "nobody", SAID)
    for root in (tmp_path / "w2", other):
        report, sessions = ingest(root, logs)
        assert [session.turns[0].text for session in sessions] == [OTHER]
        assert "a workspace, not logs" in report.model_dump_json()
    with pytest.raises(InputError, match="a workspace, not logs"):
        ingest(tmp_path / "w3", other)
