"""What looks like a log and is none: agent-only runs, retold or invented transcripts, metadata; with the reason."""

import re
from collections.abc import Callable
from typing import Any

from autointeract.logs.readers.head import Head

_SPEAKER = re.compile(
    r"^(?:#{1,4} |\*\*)?(?:User|Human|You|Assistant|Copilot|Grok|AI|Me)(?:\*\*)?\s*:?(?:\*\*)?\s*(?:$|:|\S)", re.M
)


def swe_agent(row: dict[str, Any]) -> str | None:
    """SWE-agent trajectories: the user is the harness."""
    trajectory = row.get("trajectory")
    if isinstance(trajectory, list) and any(
        isinstance(s, dict) and {"action", "observation"} <= s.keys() and "source" not in s for s in trajectory[:3]
    ):
        return "an agent-only trajectory (SWE-agent): its user messages are the harness's, there is no person in it"
    return None


def mini_swe_agent(row: dict[str, Any]) -> str | None:
    """mini-swe-agent trajectories."""
    info = row.get("info")
    if str(row.get("trajectory_format", "")).startswith("mini-swe-agent") or (
        isinstance(info, dict) and "exit_status" in info and isinstance(row.get("messages"), list)
    ):
        return (
            "an agent-only trajectory (mini-swe-agent): its user messages are the harness's, there is no person in it"
        )
    return None


def invented_copilot(row: dict[str, Any]) -> str | None:
    """The outer keys of a Copilot export around fields that Copilot never writes."""
    requests = row.get("requests")
    if not isinstance(requests, list) or not all(isinstance(r, dict) and "message" not in r for r in requests[:5]):
        return None
    if any("prompt" in r or "completion" in r for r in requests[:5]):
        return "not a Copilot export although it looks like one (prompt/completion fields): written by something else"
    return None


def entire_metadata(row: dict[str, Any]) -> str | None:
    """Metadata beside an Entire checkpoint's transcript."""
    if "checkpoint_id" in row and ("session_id" in row or "sessions" in row) and "turn_type" not in row:
        return "metadata of an Entire checkpoint: the transcript is full.jsonl beside it"
    return None


def entire_condensed(row: dict[str, Any]) -> str | None:
    """The condensed copy that newer Entire versions keep beside a transcript."""
    if {"v", "agent", "cli_version", "type", "content"} <= row.keys() and "message" not in row:
        return "Entire's condensed copy of a transcript: the transcript is full.jsonl beside it"
    return None


def single_claude_record(row: dict[str, Any]) -> str | None:
    """One record of a transcript as a file of its own, as SpecStory keeps them for debugging."""
    record = row["message"] if isinstance(row.get("message"), dict) else row.get("snapshot")
    if "type" in row and (
        "parentUuid" in row or "leafUuid" in row or ("sessionId" in row and isinstance(record, dict))
    ):
        return "a single record of a Claude Code transcript: the conversation is the whole transcript"
    return None


def prompt_history(row: dict[str, Any]) -> str | None:
    """The list of typed prompts that Claude Code, Codex and Gemini CLI keep for the arrow keys."""
    claude = (
        isinstance(row.get("display"), str) and "timestamp" in row and ("project" in row or "pastedContents" in row)
    )
    codex = isinstance(row.get("text"), str) and "session_id" in row and "ts" in row
    gemini = isinstance(row.get("message"), str) and {"sessionId", "messageId", "type"} <= row.keys()
    if claude or codex or gemini:
        return "a list of typed prompts without any answer: the conversations are in the session files beside it"
    return None


def opencode_storage(row: dict[str, Any]) -> str | None:
    """One record of OpenCode's own storage."""
    name = str(row.get("id", ""))
    part = "messageID" in row and "sessionID" in row and name.startswith("prt_")
    message = "sessionID" in row and "role" in row and name.startswith("msg_")
    session = name.startswith("ses_") and "projectID" in row and "messages" not in row
    if part or message or session:
        return "one record of OpenCode's storage: `opencode export SESSION` writes the conversation as one file"
    return None


def codex_stream(row: dict[str, Any]) -> str | None:
    """What `codex exec --json` prints."""
    if row.get("type") == "thread.started" and "thread_id" in row:
        return "the output of `codex exec --json`: it holds no prompt; the session is the rollout file under sessions/"
    return None


def prompt_completion(row: dict[str, Any]) -> str | None:
    """Rows of training data."""
    if ("prompt" in row and ("completion" in row or "response" in row)) or ("instruction" in row and "output" in row):
        return "prompt/completion rows: single exchanges of training data, no conversation of a person"
    return None


_CONTAINERS = (
    (b"PK\x03\x04", 0, "a zip archive: unpack it and ingest the files in it"),
    (b"ustar", 257, "a tar archive: unpack it and ingest the files in it"),
    (b"\x1f\x8b", 0, "an archive inside an archive: unpack it once"),
    (b"\x28\xb5\x2f\xfd", 0, "an archive inside an archive: unpack it once"),
    (b"SQLite format 3\0", 0, "an SQLite database: export the chats in it (SpecStory does that for Cursor)"),
)
_ENTIRE = re.compile(r"# Session Context\s+## User Prompts\b|sha256:[0-9a-f]{64}\s*\Z")
_JSON = re.compile(r'[\ufeff\s]*(?:\{\s*"|\[\s*[\[{"])')


def refuse_bytes(head: Head) -> str | None:
    """What is told by its first bytes: containers that are not opened, and JSON that is no JSON to its end."""
    for magic, place, reason in _CONTAINERS:
        if head.beginning.startswith(magic, place):
            return reason
    if head.shape == "text" and _ENTIRE.match(head.text):
        return "beside an Entire checkpoint's transcript: the transcript is full.jsonl"
    if head.shape == "text" and _JSON.match(head.text):
        return "damaged JSON: the file is cut off, or JSON only at its beginning"
    return None


ROW_REFUSALS: tuple[Callable[[dict[str, Any]], str | None], ...] = (
    swe_agent, mini_swe_agent, invented_copilot, entire_metadata, entire_condensed, single_claude_record,
    prompt_history, opencode_storage, codex_stream, prompt_completion,
)  # fmt: skip


def refuse_rows(head: Head) -> str | None:
    """The reason of the first rule that knows a row of the file."""
    for row in head.rows[:5]:
        for rule in ROW_REFUSALS:
            try:
                reason = rule(row)
            except (TypeError, AttributeError):
                reason = None
            if reason:
                return reason
    return None


def refuse_retold(head: Head) -> str | None:
    """A transcript that no tool writes in this form."""
    if head.shape == "text" and len(_SPEAKER.findall(head.text)) >= 2:
        return "a transcript in a form that no tool writes: it may be retold, summarised or invented"
    return None
