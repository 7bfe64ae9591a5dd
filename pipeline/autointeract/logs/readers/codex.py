"""Codex rollouts: the current form (`{"timestamp", "type", "payload"}` a line), that of September 2025 (no payload)
and the one document of the first CLI (`codex_document`).

What a person said is in `response_item` messages of role user; `event_msg/user_message` alone misses messages steered
into a running turn, and both together double every turn. `compacted.replacement_history` repeats old messages and is
never read. Custom prompts are stored expanded: only what stands in their "User Input" block was typed.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from autointeract.logs.event import Event, Found, RawSession, parse_time
from autointeract.logs.identity import home_user
from autointeract.logs.jsontext import has_image, loads, text_of
from autointeract.logs.readers.codex_document import document_rows, is_document
from autointeract.logs.readers.gathered import gathered
from autointeract.logs.readers.head import Head
from autointeract.logs.repo import repo_of
from autointeract.logs.rules import judge_user_text
from autointeract.logs.rules.codex_text import codex_text
from autointeract.logs.source import Source

NAME = "codex"
_TYPES = {"session_meta", "response_item", "event_msg", "turn_context", "compacted"}
_ITEMS = {
    "message", "reasoning", "function_call", "function_call_output", "custom_tool_call", "custom_tool_call_output",
    "local_shell_call", "web_search_call",
}  # fmt: skip
_CWD = re.compile(r"<cwd>\s*([^<]+?)\s*</cwd>|Current working directory:\s*(\S+)")
_NOTE = "user_note: "
"""Begins words typed beside the options of a question."""
_REFUSED = ("rejected by user", "exec command rejected", "patch rejected by user", "user rejected")


def sniff(head: Head) -> bool:
    """Rows with `type` and `payload` as Codex writes them; or, without payload, its first line and item rows."""
    if any(row.get("type") in _TYPES and isinstance(row.get("payload"), dict) for row in head.rows):
        return True
    if is_document(head.document):
        return True
    states = any(row.get("record_type") == "state" for row in head.rows)
    opening = any("id" in row and "timestamp" in row and "instructions" in row for row in head.rows[:3])
    items = any(row.get("type") in _ITEMS and "message" not in row for row in head.rows)
    return head.shape == "jsonl" and (states or opening) and (items or opening)


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The session of one rollout file."""
    reader = _Reader(trace)
    for number, row in _rows(source):
        try:
            reader.add(number, row)
        except (TypeError, KeyError, AttributeError, ValueError, IndexError, RecursionError):
            source.problems["damaged_records"] += 1
    yield reader.finish()


def _rows(source: Source) -> Iterator[tuple[int, dict[str, Any]]]:
    """(number, row): lines of the file, or items where it is one JSON document."""
    items = gathered(source) or document_rows(source)
    if items is None:
        yield from source.rows()
        return
    for number, item in enumerate(items, 1):
        if isinstance(item, dict):
            yield number, item
        else:
            source.problems["invalid_lines"] += 1


class _Reader:
    def __init__(self, trace: bool):
        self.trace = trace
        self.session = RawSession(NAME, agent="codex")
        self.events = self.session.events
        self.spoken: list[tuple[int, str, Any]] = []
        self.replies: list[Event] = []
        self.asked: set[str] = set()
        self.subagent = False
        self.messages = 0

    def add(self, number: int, row: dict[str, Any]) -> None:
        """Judges one line."""
        at = parse_time(row.get("timestamp"))
        kind, payload = row.get("type"), row.get("payload")
        if isinstance(payload, dict):
            if kind == "session_meta":
                self._meta(payload)
            elif kind == "response_item":
                self._item(number, payload, at)
            elif kind == "event_msg":
                self._event(number, payload, at)
            elif kind == "compacted":
                self._add(number, "user", "compaction", text_of(payload.get("message")), "compacted", at)
            elif kind == "turn_context":
                self._cwd(payload.get("cwd"))
        elif kind in _ITEMS:
            self._item(number, row, at)
        elif "id" in row and "timestamp" in row and kind is None:
            self._meta(row)
        else:
            self._drop(number, f"{kind or row.get('record_type') or 'unknown'}_row")

    def finish(self) -> RawSession:
        """The session; messages that only an event holds are put in where they were said."""
        if not any(event.rule == "assistant_text" for event in self.events):
            self.events += self.replies
            self.events.sort(key=lambda event: event.line)
        stored = Counter(_normal(event.text) for event in self.events if event.kind == "human")
        for number, text, at in self.spoken:
            for found in _judge(text):
                known = _normal(found.text)
                if found.kind != "human" or stored[known] > 0:
                    stored[known] -= 1
                elif self.messages == 0 or not any(known in said for said in stored):
                    place = next((i for i, event in enumerate(self.events) if event.line > number), len(self.events))
                    event = Event(number, "user", found.kind, found.text, "event_only", at, flags=found.flags)
                    self.events.insert(place, event)
        if self.subagent:
            for event in self.events:
                if event.role == "user" and event.kind == "human":
                    event.kind, event.rule = "injected", "subagent"
        return self.session

    def _meta(self, meta: dict[str, Any]) -> None:
        session = self.session
        if session.native_id:
            return
        session.native_id = str(meta.get("id") or "")
        session.started_at = parse_time(meta.get("timestamp"))
        if isinstance(meta.get("forked_from_id"), str):
            session.related.append(meta["forked_from_id"])
        self._cwd(meta.get("cwd"))
        git = meta.get("git")
        url = git.get("repository_url") if isinstance(git, dict) else None
        if isinstance(url, str) and url:
            session.repo = repo_of(url)
        source = meta.get("source")
        self.subagent = meta.get("thread_source") == "subagent" or (
            isinstance(source, dict) and any("subagent" in str(key).lower() for key in source)
        )

    def _cwd(self, cwd: Any) -> None:
        if not isinstance(cwd, str):
            return
        user = home_user(cwd)
        if user and ("home", user) not in self.session.evidence:
            self.session.evidence.append(("home", user))
        if self.session.repo is None:
            self.session.repo = cwd.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or None

    def _item(self, number: int, item: dict[str, Any], at: Any) -> None:
        kind = item.get("type")
        if kind == "message":
            self._message(number, item, at)
        elif kind == "reasoning":
            text = text_of(item.get("summary")) or text_of(item.get("content"))
            if text.strip():
                self._add(number, "assistant", "thinking", text, "thinking", at)
        elif kind in ("function_call", "custom_tool_call", "local_shell_call", "web_search_call"):
            self._call(number, item, at)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self._output(number, item, at)
        else:
            self._drop(number, f"{kind}_item")

    def _message(self, number: int, item: dict[str, Any], at: Any) -> None:
        role, content = item.get("role"), item.get("content")
        if role == "assistant":
            self.messages += 1
            if text_of(content).strip():
                self._add(number, "assistant", "text", text_of(content), "assistant_text", at)
        elif role == "user":
            self.messages += 1
            findings: list[Found] = []
            for block in content if isinstance(content, list) else [content]:
                findings += _judge(text_of(block))
            place = _CWD.search(text_of(content))
            if place:
                self._cwd(place.group(1) or place.group(2))
            typed = [found for found in findings if found.kind == "human"]
            if len(typed) > 1:
                one = typed[0]._replace(text="\n".join(found.text for found in typed))
                findings = [found for found in findings if found.kind != "human"] + [one]
            if not findings and has_image(content):
                findings = [Found("button", "", "image_only", ("has_image",))]
            for found in findings:
                self._add(number, "user", found.kind, found.text, found.rule, at, flags=found.flags)
        else:
            self._drop(number, f"{role}_message")

    def _call(self, number: int, item: dict[str, Any], at: Any) -> None:
        arguments = item.get("arguments", item.get("input", item.get("action")))
        if isinstance(arguments, str):
            try:
                arguments = loads(arguments.encode("utf-8", "replace"))
            except ValueError:
                pass
        tool = {
            "name": str(item.get("name") or item.get("type")), "arguments": arguments,
            "id": str(item.get("call_id") or item.get("id") or ""),
        }  # fmt: skip
        if tool["name"] == "request_user_input":
            self.asked.add(tool["id"])
        self.events.append(Event(number, "assistant", "tool_call", "", "tool_call", at, tool=tool))

    def _output(self, number: int, item: dict[str, Any], at: Any) -> None:
        output = item.get("output")
        failed, answers = False, {}
        if isinstance(output, str) and output.startswith("{"):
            try:
                output = loads(output.encode("utf-8", "replace"))
            except ValueError:
                pass
        if isinstance(output, dict):
            metadata = output.get("metadata")
            failed = isinstance(metadata, dict) and metadata.get("exit_code") not in (0, None)
            failed = failed or output.get("success") is False
            if str(item.get("call_id") or "") in self.asked and isinstance(output.get("answers"), dict):
                answers = output["answers"]
            output = output.get("output", output.get("content"))
        text = text_of(output)
        tool = {"id": str(item.get("call_id") or ""), "is_error": failed}
        self.events.append(Event(number, "tool", "tool_result", text, "tool_result", at, tool=tool))
        self._answers(number, answers, at)
        if len(text) < 200 and any(mark in text for mark in _REFUSED):
            self._add(number, "user", "rejection", "", "command_refused", at)

    def _answers(self, number: int, answers: dict[str, Any], at: Any) -> None:
        # Options picked in a question of the assistant, and notes typed beside them.
        for answer in answers.values():
            for line in answer.get("answers") or []:
                note = str(line).removeprefix(_NOTE)
                typed = note != str(line) and note.strip()
                kind, rule = ("human", "question_note") if typed else ("button", "question_option")
                self._add(number, "user", kind, note, rule, at, ("reaches_model",))

    def _event(self, number: int, payload: dict[str, Any], at: Any) -> None:
        kind = payload.get("type")
        if kind == "user_message" and payload.get("kind", "plain") in ("plain", None):
            self.spoken.append((number, text_of(payload.get("message")), at))
            self._drop(number, "user_message_event")
        elif kind == "agent_message":
            self._drop(number, "agent_message_event")
            text = text_of(payload.get("message"))
            if text.strip():
                self.replies.append(Event(number, "assistant", "text", text, "event_only", at))
        elif kind == "turn_aborted" and payload.get("reason", "interrupted") == "interrupted":
            self._add(number, "user", "interrupt", "", "turn_aborted", at)
        elif kind == "thread_rolled_back":
            self._roll_back(payload.get("num_turns"))
        else:
            self._drop(number, f"{kind}_event")

    def _roll_back(self, turns: Any) -> None:
        left = turns if isinstance(turns, int) else 1
        for event in reversed(self.events):
            if left <= 0:
                break
            if "fork" not in event.flags:
                event.flags = (*event.flags, "fork")
                left -= event.kind == "human"

    def _add(
        self, number: int, role: str, kind: str | None, text: str, rule: str, at: Any, flags: tuple[str, ...] = ()
    ) -> None:
        self.events.append(Event(number, role, kind, text, rule, at, flags=flags))

    def _drop(self, number: int, rule: str) -> None:
        if self.trace:
            self.events.append(Event(number, "", None, "", rule))


def _judge(text: str) -> list[Found]:
    findings = codex_text(text)
    return findings if findings is not None else judge_user_text(text)


def _normal(text: str) -> str:
    return " ".join(text.split())
