"""What lies beside the logs and is none: each is refused with what it is and where the conversation is."""

import json

import pytest

from autointeract.logs.opening import open_log


def reason(folder, content):
    path = folder / "file"
    path.write_text(content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content))
    return open_log(path, "file", 1 << 24).reason


@pytest.mark.parametrize(
    "rows",
    [
        [{"display": "prune it", "pastedContents": {}, "timestamp": 1760000000000, "project": "/home/quillon/garden"}],
        [{"session_id": "0199", "ts": 1760000000, "text": "prune it"}],
    ],
)
@pytest.mark.parametrize("times", [1, 3])
def test_lists_of_typed_prompts_are_no_conversations(rows, times, tmp_path):
    assert "without any answer" in reason(tmp_path, rows * times)


def test_geminis_list_of_prompts_is_no_conversation(tmp_path):
    row = {"sessionId": "a", "messageId": 0, "type": "user", "message": "prune it", "timestamp": "2026-01-01T00:00:00Z"}
    assert "without any answer" in reason(tmp_path, json.dumps([row, row], indent=2))


@pytest.mark.parametrize(
    "record",
    [
        {"id": "prt_1", "messageID": "msg_1", "sessionID": "ses_1", "type": "text", "text": "prune it"},
        {"id": "msg_1", "sessionID": "ses_1", "role": "user", "time": {"created": 1760000000000}},
        {"id": "ses_1", "projectID": "p", "directory": "/home/quillon/garden", "title": "Pruning"},
    ],
)
def test_records_of_opencodes_storage_say_how_to_export(record, tmp_path):
    assert "opencode export" in reason(tmp_path, json.dumps(record, indent=2))


def test_the_printed_stream_of_codex_names_the_rollout(tmp_path):
    item = {"type": "item.completed", "item": {"id": "item_0", "type": "agent_message", "text": "Pruned."}}
    assert "rollout" in reason(tmp_path, [{"type": "thread.started", "thread_id": "0199"}, item])
