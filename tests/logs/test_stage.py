"""The stage as a whole: what it stores, what it refuses, what a second run costs."""

import json

import pytest
from logs_support import Claude, ingest, write_lines

from autointeract.errors import InputError, ResumeError
from autointeract.logs import stage


def conversation(claude: Claude, *texts: str) -> Claude:
    for text in texts:
        claude.says(text)
        claude.answers(f"done: {len(text)}")
    return claude


def test_real_logs_give_their_users_sessions_and_turns(shared, tmp_path):
    report, sessions = ingest(tmp_path / "w", shared / "logs" / "claude_code")
    assert report.counts["sessions"] == len(sessions) == 43
    assert report.counts["users"] == 6
    assert report.counts["human_turns"] == 150
    assert all(turn.index == index for session in sessions for index, turn in enumerate(session.turns))


def test_a_second_run_reads_only_what_is_new_or_grown(tmp_path, claude):
    logs = tmp_path / "logs"
    conversation(claude, "plant the tulips")
    write_lines(logs / "a.jsonl", claude.rows)
    report, _ = ingest(tmp_path / "w", logs)
    assert report.counts["files_read_now"] == 1
    report, first = ingest(tmp_path / "w", logs)
    assert report.counts["files_read_now"] == 0
    conversation(claude, "and water them")
    write_lines(logs / "a.jsonl", claude.rows)
    other = conversation(Claude("99999999-2222-4333-8444-555555555555", "bertil"), "prune the roses")
    write_lines(logs / "b.jsonl", other.rows)
    report, sessions = ingest(tmp_path / "w", logs)
    assert report.counts["files_read_now"] == 2
    assert report.counts["sessions"] == 2 and report.counts["versions_merged"] == 0
    grown = next(session for session in sessions if session.session_id == first[0].session_id)
    assert [turn.text for turn in grown.turns if turn.kind == "human"] == ["plant the tulips", "and water them"]


def test_bytes_do_not_depend_on_order_workers_or_number_of_runs(tmp_path, monkeypatch):
    logs = tmp_path / "logs"
    for number in range(6):
        claude = conversation(Claude(f"{number:08d}-2222-4333-8444-555555555555", f"person{number % 3}x"), "one", "two")
        write_lines(logs / f"{number}.jsonl", claude.rows)
    ingest(tmp_path / "once", logs)
    for number in reversed(range(6)):
        ingest(tmp_path / "many", logs / f"{number}.jsonl")
    monkeypatch.setattr(stage, "POOL_BYTES", 0)
    monkeypatch.setattr(stage, "BATCH_FILES", 2)
    ingest(tmp_path / "processes", logs, workers=2)
    parts = [
        [part["sha256"] for part in json.loads((tmp_path / name / "sessions" / "manifest.json").read_text())["parts"]]
        for name in ("once", "many", "processes")
    ]
    assert parts[0] == parts[1] == parts[2]


def test_what_was_read_stays_when_the_file_is_gone(tmp_path, claude):
    path = write_lines(tmp_path / "logs" / "a.jsonl", conversation(claude, "keep this").rows)
    ingest(tmp_path / "w", tmp_path / "logs")
    path.unlink()
    other = conversation(Claude("99999999-2222-4333-8444-555555555555"), "and that")
    write_lines(tmp_path / "logs" / "b.jsonl", other.rows)
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert len(sessions) == 2


def test_other_settings_are_refused_in_the_same_workspace(tmp_path, claude):
    write_lines(tmp_path / "logs" / "a.jsonl", conversation(claude, "hello there").rows)
    ingest(tmp_path / "w", tmp_path / "logs")
    with pytest.raises(ResumeError, match="redact"):
        ingest(tmp_path / "w", tmp_path / "logs", redact="strict")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty file"),
        (b"just some words\n", "not a log in a known format"),
        (b'{"name": "package", "version": "1"}', "not a log in a known format"),
    ],
)
def test_what_is_no_log_is_refused_in_one_line_that_says_why(tmp_path, content, message):
    path = tmp_path / "x.txt"
    path.write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        ingest(tmp_path / "w", path)
    assert "\n" not in str(caught.value) and "x.txt" in str(caught.value)


def test_an_empty_folder_a_missing_path_and_no_path_are_refused(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match="no file in this folder"):
        ingest(tmp_path / "w", tmp_path / "empty")
    with pytest.raises(InputError, match="no such file or folder"):
        ingest(tmp_path / "w", tmp_path / "missing")
    with pytest.raises(InputError, match="no logs given"):
        ingest(tmp_path / "w")


def test_a_log_without_a_person_is_refused_alone_and_counted_among_others(tmp_path, claude):
    robot = Claude("99999999-2222-4333-8444-555555555555")
    robot.unmarked("Warmup")
    robot.answers("ready")
    write_lines(tmp_path / "robot.jsonl", robot.rows)
    with pytest.raises(InputError, match="no human turn in 1 session"):
        ingest(tmp_path / "w", tmp_path / "robot.jsonl")
    write_lines(tmp_path / "person.jsonl", conversation(claude, "hello there").rows)
    report, sessions = ingest(tmp_path / "w2", tmp_path / "robot.jsonl", tmp_path / "person.jsonl")
    assert report.counts["sessions_without_person"] == 1 and len(sessions) == 1


def test_chat_rows_with_a_user_field_give_users(tmp_path):
    rows = [
        {"id": f"c{number}", "user": f"person-{number % 2}", "messages": [
            {"role": "system", "content": "be kind"}, {"role": "user", "content": f"question {number}"},
            {"role": "assistant", "content": "answer"}]}
        for number in range(4)
    ]  # fmt: skip
    report, sessions = ingest(tmp_path / "w", write_lines(tmp_path / "chat.jsonl", rows))
    assert report.counts["users"] == 2 and report.counts["sessions"] == 4
    assert all("person-" not in session.model_dump_json() for session in sessions)
    assert {turn.kind for session in sessions for turn in session.turns} == {"human", "text"}
