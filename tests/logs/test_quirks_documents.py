"""Documents in the place of lines, and agents' logs: old Codex, Gemini's checkpoints, harnesses, stops and homes."""

import json

import pytest
from quirks_support import acts, sessions, typed

from autointeract.logs.opening import open_log

GEMINI = {"sessionId": "f1b7a1c0-3a51-4bb4-9d33-0f6ad6f4d2aa", "projectHash": "e" * 64}
ITEMS = [
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "build a <div>\nshed"}]},
    {"type": "function_call", "id": "f", "call_id": "c", "name": "shell", "arguments": '{"command": ["ls"]}'},
    {"type": "function_call_output", "call_id": "c", "output": '{"output": "a", "metadata": {"exit_code": 1}}'},
    {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Built."}]},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "paint it"}]},
]


@pytest.mark.parametrize("indent", [None, 2])
def test_the_one_document_of_the_first_codex_is_read(indent, tmp_path):
    session = {
        "timestamp": "2025-04-20T10:00:00.000Z",
        "id": "5b1c3a52-0000-4000-8000-000000000001",
        "instructions": "",
    }
    (found,) = sessions(tmp_path, json.dumps({"session": session, "items": ITEMS}, indent=indent))
    assert found.format == "codex" and found.native_id == session["id"] and found.started_at is not None
    assert typed([found]) == ["build a <div>\nshed", "paint it"]
    assert [event.tool["is_error"] for event in found.events if event.kind == "tool_result" and event.tool] == [True]


def test_a_rollout_gathered_into_an_array_is_read(tmp_path):
    meta = {"type": "session_meta", "payload": {"id": "5b1c", "cwd": "/home/quillon/shed"}}
    rows = [meta, *({"type": "response_item", "payload": item} for item in ITEMS)]
    (found,) = sessions(tmp_path, json.dumps(rows, indent=1))
    assert typed([found]) == ["build a <div>\nshed", "paint it"] and found.evidence == [("home", "quillon")]


def test_a_rollout_whose_tools_speak_of_items_is_still_lines(tmp_path):
    meta = {"type": "session_meta", "payload": {"id": "5b1c", "tools": [{"items": {"type": "string"}}]}}
    rows = [meta, *({"type": "response_item", "payload": item} for item in ITEMS)]
    assert typed(sessions(tmp_path, rows)) == ["build a <div>\nshed", "paint it"]


SETUP = {"role": "user", "parts": [{"text": "This is the Gemini CLI. We are setting up the context for our chat."}]}
HISTORY = [
    SETUP, {"role": "model", "parts": [{"text": "Got it."}]},
    {"role": "user", "parts": [{"text": "sow the seeds"}]},
    {"role": "model", "parts": [{"text": "hm", "thought": True}, {"text": "Sowing."},
                                {"functionCall": {"id": "1", "name": "sow", "args": {"at": "/home/quillon/bed"}}}]},
    {"role": "user", "parts": [{"functionResponse": {"id": "1", "name": "sow", "response": {"output": "sown"}}}]},
    {"role": "model", "parts": [{"text": "Done."}]}, {"role": "user", "parts": [{"text": "thanks"}]},
]  # fmt: skip


@pytest.mark.parametrize(
    "document",
    [HISTORY, {"history": HISTORY, "authType": "x"}, {"history": [], "clientHistory": HISTORY, "toolCall": {}}],
)
def test_a_checkpoint_of_gemini_is_a_conversation(document, tmp_path):
    (found,) = sessions(tmp_path, json.dumps(document))
    assert found.format == "gemini_cli" and typed([found]) == ["sow the seeds", "thanks"]
    assert found.evidence == [("home", "quillon")]
    assert [event.text for event in found.events if event.kind == "tool_result"] == ["sown"]
    assert [event.text for event in found.events if event.kind == "thinking"] == ["hm"]


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ("[Operation Cancelled] Reason: User denied execution.", ["rejection", "interrupt"]),
        ("Command was cancelled by user before it could complete. Below is the output", ["interrupt"]),
        ("[Operation Cancelled] Reason: User cancelled tool execution.", ["interrupt"]),
    ],
)
def test_stopping_a_running_tool_of_gemini_is_no_refusal(told, expected, tmp_path):
    result = [{"functionResponse": {"id": "t", "name": "sow", "response": {"error": told}}}]
    call = {"id": "t", "name": "sow", "args": {}, "status": "cancelled", "result": result}
    messages = [
        {"id": "1", "type": "user", "content": "sow"},
        {"id": "2", "type": "gemini", "content": "", "toolCalls": [call]},
        {"id": "3", "type": "info", "content": "Request cancelled."},
    ]
    (found,) = sessions(tmp_path, {**GEMINI, "messages": messages})
    assert [event.kind for event in found.events if event.kind in ("rejection", "interrupt")] == expected


def test_the_workspace_that_gemini_shows_names_the_home(tmp_path):
    info = {"id": "0", "type": "info", "content": "Current workspace directories:\n- C:\\Users\\quillon\\shed"}
    (found,) = sessions(tmp_path, {**GEMINI, "messages": [info, {"id": "1", "type": "user", "content": "sow"}]})
    assert found.evidence == [("home", "quillon")]


def test_an_export_of_an_empty_chat_is_a_chat_without_turns(tmp_path):
    (found,) = sessions(tmp_path, {"responderUsername": "GitHub Copilot", "initialLocation": "panel", "requests": []})
    assert found.format == "copilot_chat" and not found.events


def test_a_stop_told_in_a_chat_made_from_a_rollout_is_an_act(tmp_path):
    stop = "<turn_aborted>\nThe user interrupted the previous turn on purpose.\n</turn_aborted>"
    messages = [{"role": "user", "content": text} for text in ("build", stop, "go on")]
    found = sessions(tmp_path, [{"messages": [*messages, {"role": "assistant", "content": "ok"}]}] * 2)
    assert typed(found) == ["build", "go on"] * 2 and acts(found) == ["interrupt"] * 2


def atif(name, *said):
    steps = [{"step_id": n, "source": "user", "message": text} for n, text in enumerate(said, 1)]
    return {"schema_version": "ATIF-v1.5", "session_id": "s", "agent": {"name": name}, "steps": steps}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("terminus-2", "Make a shed."), ("terminus-2-summarization-answers", "Answer them."),
        ("mini-swe-agent", "Fix."),
        ("other", "You are an AI assistant tasked with solving command-line tasks in a Linux environment. x"),
        ("other", "You are about to hand off your work to another AI agent.\nx"),
    ],
)  # fmt: skip
def test_what_a_harness_says_in_a_trajectory_is_nobodys(name, text, tmp_path):
    assert typed(sessions(tmp_path, atif(name, text))) == []


def test_the_task_inside_a_worked_example_is_the_persons(tmp_path):
    rule = "-" * 20
    text = (
        "Here's a running example of how to perform a task with the provided tools.\n\n"
        f"{rule} START OF EXAMPLE {rule}\n"
        f"USER: Make a list.\n{rule} END OF EXAMPLE {rule}\n\n{rule} NEW TASK DESCRIPTION {rule}\nMake a shed.\n"
        f"{rule} END OF NEW TASK DESCRIPTION {rule}\n\nPLEASE follow the format strictly! x"
    )
    assert typed(sessions(tmp_path, atif("openhands", text, "Paint it."))) == ["Make a shed.", "Paint it."]
    event = {
        "id": 1,
        "source": "user",
        "action": "message",
        "args": {"content": text},
        "timestamp": "2026-01-01T00:00:00",
    }
    path = tmp_path / "events.json"
    path.write_text(json.dumps([event, event | {"id": 2, "args": {"content": "Paint it."}}]))
    assert typed(list(open_log(path, "e", 1 << 24).sessions)) == ["Make a shed.", "Paint it."]
