"""Gemini CLI, VS Code and ChatGPT: what their documents and recordings hold besides what a person typed."""

from typing import Any

import pytest
from quirks_support import acts, sessions, typed

GEMINI = {"sessionId": "f1b7a1c0-3a51-4bb4-9d33-0f6ad6f4d2aa", "projectHash": "e" * 64,
          "startTime": "2026-01-05T10:00:00.000Z"}  # fmt: skip


def user(content: Any, number: int = 0, **fields: Any) -> dict[str, Any]:
    return {"id": f"u{number}", "type": "user", "content": content, **fields}


def reply(content: str = "ok", number: int = 0, **fields: Any) -> dict[str, Any]:
    return {"id": f"g{number}", "type": "gemini", "content": content, **fields}


@pytest.mark.parametrize(
    "content",
    [
        "System: Please continue.", "<session_context>\nThis is the Gemini CLI.\n</session_context>",
        "This is the Gemini CLI. We are setting up the context for our chat.\nToday's date is Monday.",
        "Here is the user's editor context. This is for your information only.\n{}",
        "<state_snapshot>x</state_snapshot>",
        [{"functionResponse": {"id": "t", "name": "ls", "response": {"output": "a"}}}],
    ],
)  # fmt: skip
def test_what_gemini_records_as_user_and_nobody_typed(content, tmp_path):
    messages = [user(content), reply(), user("real words", 1), reply("x", 1)]
    assert typed(sessions(tmp_path, {**GEMINI, "messages": messages})) == ["real words"]


@pytest.mark.parametrize("parts", [True, False])
def test_files_named_with_at_are_not_words(parts, tmp_path):
    pieces = ["tell me about @a.py", "\n--- Content from referenced files ---", "\nContent from @a.py:\n", "x=1",
              "\n--- End of content ---"]  # fmt: skip
    content = [{"text": piece} for piece in pieces] if parts else "".join(pieces)
    assert typed(sessions(tmp_path, {**GEMINI, "messages": [user(content), reply()]})) == ["tell me about @a.py"]


def test_commands_shell_and_cancelling_are_acts(tmp_path):
    shell = "I ran the following shell command:\n```sh\nls\n```\n\nThis produced the following result:\n```\na\n```"
    messages = [
        user("/chat save one"),
        user(shell, 1),
        user([{"text": "You are a planner. Do it."}], 2, displayContent=[{"text": "/plan seeds"}]),
        {"id": "i", "type": "info", "content": "Request cancelled."},
    ]
    found = sessions(tmp_path, {**GEMINI, "messages": messages})
    assert typed(found) == ["/plan seeds"] and acts(found) == ["command", "command", "interrupt"]


def test_the_home_of_a_gemini_session_and_its_subagents(tmp_path):
    call = {"id": "t", "name": "read_file", "args": {"absolute_path": "/home/quillon/a.py"}, "status": "success"}
    (found,) = sessions(tmp_path, {**GEMINI, "messages": [user("x y"), reply(toolCalls=[call])]})
    assert found.evidence == [("home", "quillon")]
    assert typed(sessions(tmp_path, {**GEMINI, "kind": "subagent", "messages": [user("Investigate")]})) == []


def test_a_gemini_recording_is_replayed(tmp_path):
    rows = [
        GEMINI, user("one", 1), {"$set": {"lastUpdated": "2026-01-05T10:00:01.000Z"}}, reply("", 1),
        reply("done", 1), user("two", 2), reply("b", 2), {"$rewindTo": "u2"}, user("two, better", 3),
        {"$set": {"messages": [user("<state_snapshot>s</state_snapshot>", 9), user("two, better", 3)]}}, reply("c", 3),
    ]  # fmt: skip
    (found,) = sessions(tmp_path, rows)
    assert typed([found]) == ["one", "two", "two, better"] and found.assistant_turns() == 3
    assert ["fork" in turn.flags for turn in found.human_turns()] == [False, True, False]


def test_a_recording_that_only_sets_its_messages(tmp_path):
    rows = [GEMINI, {"$set": {"messages": [user("one", 1), reply("a", 1)]}}]
    assert typed(sessions(tmp_path, rows)) == ["one"]


def request(text: str, *response: Any, **fields: Any) -> dict[str, Any]:
    return {"message": {"text": text, "parts": []}, "response": list(response) or [{"value": "ok"}], **fields}


COPILOT = {"version": 3, "sessionId": "5b1f6f53", "creationDate": 1767607200000, "responderUsername": "GitHub Copilot"}


def test_requests_that_vs_code_made_itself_and_an_empty_session(tmp_path):
    rows = [request("draw"), request("[Terminal 5 finished]", isSystemInitiated=True), request("more")]
    assert typed(sessions(tmp_path, {**COPILOT, "requests": rows})) == ["draw", "more"]
    assert typed(sessions(tmp_path, {**COPILOT, "requests": []})) == []


def test_a_copilot_session_without_an_account_is_known_by_its_files(tmp_path):
    reference = {"kind": "inlineReference", "inlineReference": {"uri": {"path": "/home/quillon/map.py"}}}
    (found,) = sessions(tmp_path, {**COPILOT, "requests": [request("draw", reference)]})
    assert found.evidence == [("home", "quillon")]


def test_a_copilot_session_log_is_replayed(tmp_path):
    rows = [
        {"kind": 0, "v": {**COPILOT, "requests": []}}, {"kind": 1, "k": ["customTitle"], "v": "Map"},
        {"kind": 2, "k": ["requests"], "v": [request("one"), request("two, edited away")]},
        {"kind": 2, "k": ["requests"], "i": 1, "v": [request("two")]},
        {"kind": 2, "k": ["requests", 0, "response"], "i": 0, "v": [{"value": "first"}]},
        {"kind": 1, "k": ["requests", 1, "isCanceled"], "v": True}, {"kind": 3, "k": ["customTitle"]},
        {"kind": 1, "k": ["requests", 7, "isCanceled"], "v": True}, {"kind": 2, "k": [], "v": []},
    ]  # fmt: skip
    (found,) = sessions(tmp_path, rows)
    assert typed([found]) == ["one", "two"] and acts([found]) == ["interrupt"]
    assert [event.text for event in found.events if event.kind == "text"] == ["first", "ok"]


def node(name: str, parent: str | None, role: str, *parts: str, at: float = 1.0) -> tuple[str, dict[str, Any]]:
    message = {
        "id": name,
        "author": {"role": role},
        "create_time": at,
        "content": {"content_type": "text", "parts": list(parts)},
        "metadata": {},
    }
    return name, {"id": name, "parent": parent, "children": [], "message": message}


TREE = dict([node("a", "root", "user", "rye?"), node("b", "a", "assistant", "six"),
             node("c", "b", "user", "first wording"), node("d", "b", "user", "second wording"),
             node("e", "d", "assistant", "two")])  # fmt: skip


@pytest.mark.parametrize("current", ["e", None])
def test_a_chatgpt_tree_gives_its_path_and_names_what_lies_off_it(current, tmp_path):
    mapping = {"root": {"id": "root", "parent": None, "message": None}, **TREE}
    (found,) = sessions(tmp_path, {"mapping": mapping, "current_node": current, "conversation_id": "c"})
    assert [(event.line, event.text) for event in found.human_turns()] == [(1, "rye?"), (3, "second wording")]
    off = [(event.line, event.text, event.kind) for event in found.events if event.rule == "off_the_path"]
    assert off == [(5, "first wording", None)]


def test_a_path_in_a_chat_is_no_command(tmp_path):
    tree = dict([node("a", None, "user", "/etc/fstab is broken"), node("b", "a", "user", "/clear")])
    assert typed(sessions(tmp_path, {"mapping": tree, "current_node": "b"})) == ["/etc/fstab is broken", "/clear"]
