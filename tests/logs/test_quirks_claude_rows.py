"""Claude Code: what its interface stores in the person's place, and transcripts in unusual files."""

import json

import pytest
from logs_support import write_lines
from quirks_support import sessions, typed

from autointeract.logs.opening import open_log

TASK = '{"task_id":"b81c","tool_use_id":"toolu_1","description":"Feed the goats","task_type":"local_bash"}'


def queued(claude, text):
    return {"type": "queue-operation", "operation": "enqueue", "content": text, "sessionId": claude.session}


@pytest.mark.parametrize("text", [TASK, '{"task_id": "a7", "description": "Look about"}', "/rate-limit-options"])
def test_what_the_interface_queues_by_itself_is_nobodys(text, claude, tmp_path):
    claude.says("feed the goats")
    claude.rows.append(queued(claude, text))
    claude.rows.append(queued(claude, "and the hens"))
    claude.answers("Fed.")
    found = sessions(tmp_path, claude.rows)
    assert typed(found) == ["feed the goats", "and the hens"]
    assert not any(event.kind == "command" for event in found[0].events)


def test_json_about_a_task_that_a_person_typed_is_theirs(claude, tmp_path):
    claude.says(f"why does it say {TASK}?")
    claude.says(TASK)
    assert typed(sessions(tmp_path, claude.rows)) == [f"why does it say {TASK}?", TASK]


def test_the_answer_to_an_unknown_command_is_nobodys(claude, tmp_path):
    claude.says("hello")
    claude.unmarked("Unknown skill: garden:prune")
    claude.unmarked("Unknown slash command: prune")
    claude.says("it said Unknown skill: prune, why?")
    assert typed(sessions(tmp_path, claude.rows)) == ["hello", "it said Unknown skill: prune, why?"]


def test_the_last_prompt_of_a_command_is_known(claude, tmp_path):
    name = "<command-message>plan</command-message>\n<command-name>/plan</command-name>"
    claude.says(f"{name}\n<command-args>a pond\nwith   newts</command-args>")
    for told in ("/plan a pond with newts", "/plan a pond wi…"):
        claude.rows.append({"type": "last-prompt", "lastPrompt": told, "sessionId": claude.session})
    assert typed(sessions(tmp_path, claude.rows)) == ["a pond\nwith   newts"]


def test_a_command_queued_with_words_is_told_once(claude, tmp_path):
    claude.says("start")
    claude.rows.append(queued(claude, "/plan a pond with newts"))
    claude.says("<command-name>/plan</command-name><command-args>a pond with newts</command-args>")
    assert typed(sessions(tmp_path, claude.rows)) == ["start", "a pond with newts"]


@pytest.mark.parametrize(("words", "said"), [("", []), ("is it late?", ["is it late?"])])
def test_a_command_of_the_interface_without_words_reaches_nobody(words, said, claude, tmp_path):
    claude.says("hello")
    claude.answers("Hello.")
    text = "<command-name>/btw</command-name>\n<command-message>btw</command-message>\n"
    text += f"<command-args>{words}</command-args>"
    claude.row("system", subtype="local_command", content=text)
    claude.answers("Still here.")
    found = sessions(tmp_path, claude.rows)
    assert typed(found) == ["hello", *said] and found[0].assistant_turns() == 1 + len(said)


@pytest.mark.parametrize("space", ["", " "])
@pytest.mark.parametrize("trace", [False, True])
def test_what_is_glued_to_a_skipped_row_is_read(space, trace, claude, tmp_path):
    claude.says("first")
    snapshot = '{"type":"file-history-snapshot","messageId":"m","snapshot":{"a":"}{\\"b"}}'
    glued = json.dumps(claude.says("second"))
    path = write_lines(tmp_path / "log.jsonl", [claude.rows[0], snapshot + space + glued, snapshot])
    log = open_log(path, "log", 1 << 24, trace=trace)
    assert typed(list(log.sessions)) == ["first", "second"] and not log.source.problems


@pytest.mark.parametrize("indent", [None, 2])
def test_a_transcript_gathered_into_an_array_is_read(indent, claude, tmp_path):
    claude.says("first")
    claude.answers("Yes?")
    claude.says([{"type": "text", "text": "second"}])
    found = sessions(tmp_path, json.dumps(claude.rows, indent=indent))
    assert typed(found) == ["first", "second"] and found[0].native_id == claude.session
    assert [event.line for event in found[0].human_turns()] == [1, 3]


def test_a_single_record_is_no_transcript(claude, tmp_path):
    claude.says("first")
    path = tmp_path / "1.json"
    path.write_text(json.dumps(claude.rows[0], indent=2))
    assert "a single record of a Claude Code transcript" in open_log(path, "1.json", 1 << 24).reason
    path.write_text(json.dumps(claude.rows[0]))
    assert typed(list(open_log(path, "1.json", 1 << 24).sessions)) == ["first"]
