"""A conversation that OpenHands keeps as one file an event is one session, also while it grows."""

import json
from pathlib import Path
from typing import Any

from logs_support import ingest


def event(number: int, source: str, **fields: Any) -> dict[str, Any]:
    return {"id": number, "timestamp": f"2025-03-01T10:00:{number:02d}.000001", "source": source, **fields}


def said(number: int, text: str) -> dict[str, Any]:
    return event(number, "user", action="message", message=text, args={"content": text})


def answered(number: int, text: str) -> dict[str, Any]:
    return event(number, "agent", action="message", message=text, args={"content": text})


def write(folder: Path, name: str, value: Any) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(json.dumps(value, indent=2))


def words(sessions) -> list[list[str]]:
    return [[turn.text for turn in session.turns if turn.kind == "human"] for session in sessions]


def test_events_are_read_in_the_order_of_their_numbers(tmp_path):
    events = tmp_path / "logs" / "conversation" / "events"
    for row in (answered(2, "fine"), said(10, "and then?"), said(1, "build the weir"), answered(11, "done")):
        write(events, f"{row['id']}.json", row)
    write(events.parent / "event_cache", "0-25.json", [said(1, "build the weir"), answered(2, "fine")])
    (events / "3.json").write_text("{torn")
    report, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert words(sessions) == [["build the weir", "and then?"]]
    assert report.counts["files"] == 1 and report.details["problems"] == {"invalid_lines": 1}


def test_a_grown_folder_is_read_again_and_stays_one_session(tmp_path):
    events = tmp_path / "logs" / "conversation" / "events"
    for number, text in ((1, "build the weir"), (2, "higher")):
        write(events, f"{number}.json", said(number, text))
    _, first = ingest(tmp_path / "w", tmp_path / "logs")
    report, again = ingest(tmp_path / "w", tmp_path / "logs")
    assert report.counts["files_read_now"] == 0 and words(again) == [["build the weir", "higher"]]
    write(events, "3.json", said(3, "now paint it"))
    report, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert report.counts["files_read_now"] == 1
    assert words(sessions) == [["build the weir", "higher", "now paint it"]]
    assert sessions[0].session_id == first[0].session_id


def test_newer_events_are_named_by_number_and_id(tmp_path):
    events = tmp_path / "logs" / "conversation" / "events"
    for number, text in ((0, "one"), (1, "two")):
        message = {"content": [{"type": "text", "text": text}]}
        row = {"id": f"{number:08d}-1111-4222-8333-944455556666", "timestamp": "2026-01-01T10:00:00", "source": "user",
               "llm_message": message, "kind": "MessageEvent"}  # fmt: skip
        write(events, f"event-{number:05d}-{row['id']}.json", row)
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert words(sessions) == [["one", "two"]]


def test_other_documents_in_a_folder_of_that_name_are_read_too(tmp_path):
    for number in (1, 2):
        chat = {"user": "m", "messages": [{"role": "user", "content": f"chat {number}"}]}
        write(tmp_path / "logs" / "events", f"{number}.json", chat)
    _, sessions = ingest(tmp_path / "w", tmp_path / "logs")
    assert sorted(words(sessions)) == [["chat 1"], ["chat 2"]]
