"""A conversation seen twice is stored once: prefix copies, forks, disjoint versions, renamed duplicates."""

import json

from logs_support import Claude, ingest, write_lines


def humans(session) -> list[str]:
    return [turn.text for turn in session.turns if turn.kind == "human"]


def talk(claude: Claude, *texts: str) -> Claude:
    for text in texts:
        claude.says(text)
        claude.answers("done " + text)
    return claude


def test_a_prefix_copy_and_a_renamed_duplicate_are_one_session(tmp_path, claude):
    talk(claude, "one", "two")
    write_lines(tmp_path / "logs" / "prefix.jsonl", claude.rows[:2])
    write_lines(tmp_path / "logs" / "whole.jsonl", claude.rows)
    write_lines(
        tmp_path / "logs" / "renamed.jsonl", [*claude.rows, {"type": "ai-title", "aiTitle": "x", "sessionId": "x"}]
    )
    report, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert [humans(session) for session in sessions] == [["one", "two"]]
    assert report.counts["versions_merged"] == 2


def test_disjoint_versions_are_joined_in_the_order_of_time(tmp_path, claude):
    talk(claude, "one", "two", "three")
    write_lines(tmp_path / "logs" / "b.jsonl", claude.rows[:2])
    write_lines(tmp_path / "logs" / "a.jsonl", claude.rows[2:])
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert [humans(session) for session in sessions] == [["one", "two", "three"]]
    assert [turn.index for turn in sessions[0].turns] == list(range(6))


def test_a_fork_under_a_new_session_id_shares_its_beginning(tmp_path, claude):
    talk(claude, "one", "two")
    fork = Claude("88888888-2222-4333-8444-555555555555")
    fork.rows = [{**row, "sessionId": fork.session} for row in claude.rows[:2]]
    fork.count = 50
    talk(fork, "other two")
    write_lines(tmp_path / "logs" / "a.jsonl", claude.rows)
    write_lines(tmp_path / "logs" / "b.jsonl", fork.rows)
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert len(sessions) == 1
    assert humans(sessions[0]) == ["one", "two", "other two"]
    forked = [turn.text for turn in sessions[0].turns if "fork" in turn.flags]
    assert forked == ["two", "done two"]


def test_going_back_within_a_session_flags_what_was_left(tmp_path, claude):
    talk(claude, "one", "two")
    claude.says("two, better", parentUuid=claude.rows[1]["uuid"])
    _, sessions = ingest(tmp_path / "w", write_lines(tmp_path / "a.jsonl", claude.rows))
    flags = {turn.text: "fork" in turn.flags for turn in sessions[0].turns}
    assert flags == {"one": False, "done one": False, "two": True, "done two": True, "two, better": False}


def test_two_people_are_never_merged(tmp_path, claude):
    talk(claude, "one", "two")
    stranger = [{**row, "cwd": "/home/bertram/garden"} for row in claude.rows]
    write_lines(tmp_path / "logs" / "a.jsonl", claude.rows)
    write_lines(tmp_path / "logs" / "b.jsonl", stranger)
    report, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert len(sessions) == 2 and report.counts["users"] == 2


def test_formats_without_record_ids_merge_whole_beginnings_and_not_greetings(tmp_path):
    def chat(name, *texts):
        turns = [{"from": "human" if n % 2 == 0 else "gpt", "value": text} for n, text in enumerate(texts)]
        (tmp_path / "logs").mkdir(exist_ok=True)
        (tmp_path / "logs" / name).write_text(json.dumps({"id": name, "conversations": turns}))

    chat("a.json", "how do I dye wool?", "with onions")
    chat("b.json", "how do I dye wool?", "with onions", "which onions?", "red ones")
    chat("c.json", "how do I dye wool?", "with walnuts")
    chat("d.json", "hi")
    chat("e.json", "hi", "hello", "bye")
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert sorted(humans(session) for session in sessions) == [
        ["hi"], ["hi", "bye"], ["how do I dye wool?"], ["how do I dye wool?", "which onions?"],
    ]  # fmt: skip


def test_the_version_that_saw_the_rewrite_says_what_was_taken_back(tmp_path, claude):
    talk(claude, "one", "two")
    early = list(claude.rows)
    claude.says("two, better", parentUuid=claude.rows[1]["uuid"])
    claude.answers("done better")
    write_lines(tmp_path / "logs" / "early.jsonl", early)
    write_lines(tmp_path / "logs" / "late.jsonl", claude.rows)
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    flags = {turn.text: "fork" in turn.flags for turn in sessions[0].turns}
    assert flags == {
        "one": False, "done one": False, "two": True, "done two": True, "two, better": False, "done better": False,
    }  # fmt: skip


def test_what_a_version_lost_on_the_way_is_no_fork(tmp_path, claude):
    talk(claude, "one", "two", "three")
    write_lines(tmp_path / "logs" / "whole.jsonl", claude.rows)
    talk(claude, "four")
    write_lines(tmp_path / "logs" / "torn.jsonl", [*claude.rows[:2], *claude.rows[4:]])
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert humans(sessions[0]) == ["one", "two", "three", "four"]
    assert not any("fork" in turn.flags for turn in sessions[0].turns)
