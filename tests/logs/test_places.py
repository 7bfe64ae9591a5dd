"""Logs in other places than files of their own: Parquet tables, streamed datasets, Entire's branch of a repository."""

import json
import subprocess
from pathlib import Path

import datasets
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from logs_support import Claude, ingest, write_lines

from autointeract.errors import InputError
from autointeract.logs import ledger, tables
from autointeract.logs.places import Remote, parse_remote

FOLDER = Path(__file__).parent / "fixtures"


def table(path: Path, extra: bool = True) -> Path:
    rows = [json.loads(line) for line in (FOLDER / "swe_chat.jsonl").read_text(encoding="utf-8").splitlines()]
    rows += [
        {**row, "session_id": row["session_id"].replace("dd", "de"), "turn_id": "x" + row["turn_id"]} for row in rows
    ]
    rows.append({**rows[0], "session_id": "df000000-1111-4222-8333-444455556666", "repo_id": "dayhaysoos/nimbus"})
    columns = sorted({name for row in rows for name in row})
    data = {name: [row.get(name) for row in rows] for name in columns}
    if extra:
        data["patch_nobody_reads"] = ["wide"] * len(rows)
    pq.write_table(pa.table(data), path)
    return path


def humans(sessions) -> list[str]:
    return [turn.text for session in sessions for turn in session.turns if turn.kind == "human"]


def test_a_parquet_table_is_read_with_only_the_columns_it_needs(tmp_path, monkeypatch):
    path = table(tmp_path / "conversations.parquet")
    seen = []
    monkeypatch.setattr(tables, "wanted", lambda names, real=tables.wanted: seen.append(real(names)) or seen[-1])
    report, sessions = ingest(tmp_path / "w", path)
    assert "patch_nobody_reads" not in seen[0] and "content" in seen[0]
    assert humans(sessions) == ["mend the net", "wrong knot, use a sheet bend"] * 2
    assert report.counts["users"] == 1 and {session.license for session in sessions} == {"ODC-BY"}
    assert report.counts["sessions_without_person"] == 1


def test_a_dataset_is_streamed_and_read_once(tmp_path, monkeypatch):
    path = table(tmp_path / "conversations.parquet")
    real, calls = datasets.load_dataset, []

    def local(name, config=None, **options):
        calls.append((name, config, options))
        options.pop("revision")
        return real("parquet", data_files=str(path), cache_dir=str(tmp_path / "cache"), **options)

    monkeypatch.setattr(datasets, "load_dataset", local)
    monkeypatch.setattr(ledger, "remote_version", lambda remote: "abc")
    report, sessions = ingest(tmp_path / "w", "hf://SALT-NLP/SWE-chat/conversations:train@v2")
    assert len(humans(sessions)) == 4 and all(options["streaming"] for _, _, options in calls)
    assert "columns" in calls[-1][2] and "patch_nobody_reads" not in calls[-1][2]["columns"]
    asked = len(calls)
    report, _ = ingest(tmp_path / "w", "hf://SALT-NLP/SWE-chat/conversations:train@v2")
    assert report.counts["files_read_now"] == 0 and len(calls) == asked
    _, some = ingest(tmp_path / "w2", "hf://SALT-NLP/SWE-chat/conversations", max_rows=4)
    assert len(humans(some)) == 2


def test_a_dataset_that_cannot_be_reached_is_one_clear_error(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise ConnectionError("offline")

    monkeypatch.setattr(datasets, "load_dataset", refuse)
    monkeypatch.setattr(ledger, "remote_version", lambda remote: "abc")
    with pytest.raises(InputError, match=r"hf://a/b.*ConnectionError"):
        ingest(tmp_path / "w", "hf://a/b")


@pytest.mark.parametrize(
    ("text", "remote"),
    [
        ("hf://a/b", Remote("a/b", None, "train", None)), ("hf://a/b/c:test", Remote("a/b", "c", "test", None)),
        ("hf://datasets/a/b@v1", Remote("a/b", None, "train", "v1")),
    ],
)  # fmt: skip
def test_addresses_of_datasets(text, remote):
    assert parse_remote(text) == remote


def test_an_address_that_is_none_says_how_to_write_one():
    with pytest.raises(InputError, match="hf://owner/name"):
        parse_remote("hf://only-a-name")


def git(folder: Path, *arguments: str) -> None:
    identity = [
        "-c",
        "user.name=Marguerite Duval",
        "-c",
        "user.email=marguerite@example.org",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run(["git", "-C", str(folder), *identity, *arguments], check=True, capture_output=True)


def test_checkpoints_are_read_from_the_branch_without_a_checkout(tmp_path, claude):
    repo = tmp_path / "repo"
    repo.mkdir()
    git(repo, "init", "-q", "-b", "main")
    (repo / "code.py").write_text("print()\n")
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "code")
    git(repo, "checkout", "-q", "--orphan", "entire/checkpoints/v1")
    git(repo, "rm", "-q", "-rf", ".")
    claude.says("first of two")
    claude.answers("done, says Marguerite Duval")
    for row in claude.rows:
        row["cwd"] = "/workspace/garden"
    write_lines(repo / "ab" / "cdef012345" / "0" / "full.jsonl", claude.rows)
    (repo / "ab" / "cdef012345" / "0" / "prompt.txt").write_text("first of two\n---\nnot a prompt")
    (repo / "ab" / "cdef012345" / "0" / "metadata.json").write_text(
        '{"checkpoint_id": "abcdef012345", "session_id": "x"}'
    )
    claude.says("second of two", cwd="/workspace/garden")
    write_lines(repo / "cd" / "ef01234567" / "0" / "full.jsonl", claude.rows)
    git(repo, "add", ".")
    git(repo, "commit", "-q", "-m", "checkpoint")
    folder_report, folder_sessions = ingest(tmp_path / "w1", repo / "ab", repo / "cd")
    git(repo, "checkout", "-q", "main")
    report, sessions = ingest(tmp_path / "w2", repo)
    assert humans(sessions) == humans(folder_sessions) == ["first of two", "second of two"]
    assert report.counts["users"] == 1 and report.counts["files"] == 2
    assert folder_report.counts["users"] == 0
    assert "Marguerite" not in "".join(session.model_dump_json() for session in sessions)


def test_the_home_folder_is_better_evidence_than_the_author(tmp_path):
    other = Claude("99999999-2222-4333-8444-555555555555")
    other.says("hello there")
    _, sessions = ingest(tmp_path / "w", write_lines(tmp_path / "a.jsonl", other.rows))
    from autointeract.logs.identity import pseudonym

    both = [("author", "x@example.org"), ("home", "quillon")]
    assert sessions[0].user_id == pseudonym(both, b"test-key") == pseudonym([("home", "quillon")], b"test-key")
    assert pseudonym([("home", "quillon")], b"other-key") != sessions[0].user_id
    assert pseudonym([], b"test-key") is None
