"""Claude Code session transcripts: one JSON object a line (also inside Entire checkpoints and SWE-chat).

Facts it rests on: a person's plain message carries `permissionMode` or `thinkingMetadata` in the versions that have
them; the blocks of one assistant message are rows of their own; a resumed session replays rows under the same `uuid`;
words typed while a tool ran lie beside a tool result, in a `queue-operation` or in an `attachment`; the reason of a
refusal lies inside the tool result. Sub-agents' rows (`isSidechain`) are no part of the conversation.
"""

from collections.abc import Iterator
from typing import Any

import msgspec
import orjson

from autointeract.logs.event import Event, Found, RawSession
from autointeract.logs.identity import home_user
from autointeract.logs.jsontext import glued, text_of
from autointeract.logs.readers.claude_queue import QueueLedger
from autointeract.logs.readers.claude_row import PLAIN, Block, Row, row_of
from autointeract.logs.readers.gathered import gathered
from autointeract.logs.readers.head import Head
from autointeract.logs.rules import judge_tool_result, judge_user_text
from autointeract.logs.source import Source

NAME = "claude_code"
_SKIP = (b'"progress"', b'"file-history-snapshot"', b'"summary"', b'"pr-link"', b'"ai-title"', b'"file-history-delta"')
_TYPES = {
    "user",
    "assistant",
    "system",
    "summary",
    "file-history-snapshot",
    "queue-operation",
    "progress",
    "attachment",
}
_NOT_HUMAN_ORIGIN = frozenset(
    {"peer", "task-notification", "auto-continuation", "scheduled", "system", "channel", "coordinator"}
)
_MARKER_WINS = frozenset(
    {"injected_lead", "hook_message", "auto_continue", "warmup", "compaction", "task_record", "unknown_command"}
)
_PLAN = "Implement the following plan:"


def sniff(head: Head) -> bool:
    """Rows with `type`, and a `message` with `uuid` or `sessionId`, or rows that only Claude Code writes."""
    if head.shape == "object" and head.beginning.lstrip()[:2] in (b"{\n", b"{\r"):
        return False
    return _knows(head.rows)


def _knows(rows: list[dict[str, Any]]) -> bool:
    return any(
        (
            row.get("type") in ("user", "assistant")
            and isinstance(row.get("message"), dict)
            and ("uuid" in row or "parentUuid" in row or "sessionId" in row)
        )
        or (row.get("type") in _TYPES and "sessionId" in row and "message" not in row and "payload" not in row)
        or (row.get("type") == "summary" and "leafUuid" in row)
        or (row.get("type") == "file-history-snapshot" and "snapshot" in row)
        for row in rows
    )


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The sessions of one transcript (several where unrelated sessions were concatenated)."""
    builders: dict[str, _Builder] = {}
    owner_of_record: dict[str, _Builder] = {}
    current: _Builder | None = None
    for number, row in _rows(source, trace):
        if row is None:
            source.problems["invalid_lines"] += 1
            if trace and current:
                current.drop(number, "invalid_line")
            continue
        if not isinstance(row.type, str):
            source.problems["foreign_records"] += 1
        sid = row.sessionId
        sid = sid if isinstance(sid, str) else ""
        builder = builders.get(sid) if sid else current
        if builder is None:
            # A resumed session may go on under a new id: a row whose parent is known belongs to its parent's session.
            parent = row.parentUuid
            builder = owner_of_record.get(parent) if isinstance(parent, str) else None
            if builder is None and current is not None and not current.session.native_id:
                builder = current
            builder = builder or _Builder(source, trace)
            builders[sid] = builder
        if sid:
            builder.session.native_id = sid
        if isinstance(row.uuid, str):
            owner_of_record[row.uuid] = builder
        current = builder
        try:
            builder.add(number, row)
        except (TypeError, KeyError, AttributeError, ValueError, IndexError, RecursionError):
            source.problems["damaged_records"] += 1
    for builder in dict.fromkeys(builders.values()):
        yield builder.finish()


def _rows(source: Source, trace: bool) -> Iterator[tuple[int, Row | None]]:
    """(number of the line, row) of what may hold a turn; null for what is no JSON object."""
    items = gathered(source)
    if items is not None:
        for number, item in enumerate(items, 1):
            yield number, row_of(orjson.dumps(item)) if isinstance(item, dict) else None
        return
    for number, line in source.lines():
        if not trace and _skippable(line):
            continue
        try:
            yield number, row_of(line)
        except ValueError:
            for piece in glued(line) or (b"",):
                yield number, row_of(piece) if piece else None


def _skippable(line: bytes) -> bool:
    """Whether the row is of a type that never holds a turn, told without parsing (its top-level `type` comes first)."""
    place = line.find(b'"type":')
    if place < 1 or line.find(b"{", 1, place) >= 0 or not line.rstrip().endswith(b"}"):
        return False
    if not line[place + 7 : place + 40].lstrip().startswith(_SKIP):
        return False
    # Another object glued to it may hold a turn. (Inside a string these bytes only cost a parse.)
    return b'}{"' not in line and b'} {"' not in line


class _Builder:
    """Turns rows into events, one session at a time."""

    def __init__(self, source: Source, trace: bool):
        self.source = source
        self.trace = trace
        self.session = RawSession(NAME, agent="claude-code")
        self.queue = QueueLedger(self.session.events)
        self.seen: set[str] = set()
        self.tool_ids: set[str] = set()
        self.options: dict[str, frozenset[str]] = {}
        self.marked_rows = 0
        self.cwd: str | None = None
        self.after_command = False
        self.siblings: dict[str, int] = {}

    def add(self, number: int, row: Row) -> None:
        """Judges one row."""
        kind, record = row.type, row.uuid
        if isinstance(record, str):
            if record in self.seen:
                self.drop(number, "replayed_record")
                return
            self.seen.add(record)
        else:
            record = ""
        if row.cwd != self.cwd and isinstance(row.cwd, str):
            self._place(row.cwd)
        if row.isSidechain:
            self.drop(number, "sidechain")
        elif kind == "user":
            self._user(number, row, record)
        elif kind == "assistant":
            self._assistant(number, row, record)
        elif kind == "queue-operation":
            self.queue.operation(number, row)
        elif kind == "attachment":
            self._attachment(number, row, record)
        elif kind == "last-prompt":
            self.queue.last_prompt(number, row)
        elif kind == "system" and isinstance(row.content, str) and "<command-name>" in row.content:
            self._local_command(number, row, record)
        else:
            self.drop(number, f"{kind}_row")

    def drop(self, number: int, rule: str, text: str = "") -> None:
        """Notes a record that makes no turn (for `explain` alone)."""
        if self.trace:
            self.session.events.append(Event(number, "", None, text, rule))

    def finish(self) -> RawSession:
        """The session, with queue records matched and abandoned branches flagged."""
        self.queue.settle()
        for event in self.session.events:
            if event.at is not None:
                self.session.started_at = event.at
                break
        return self.session

    def _place(self, cwd: str) -> None:
        self.cwd = cwd
        user = home_user(cwd)
        if user and ("home", user) not in self.session.evidence:
            self.session.evidence.append(("home", user))
            self.session.names.add(user)
        if self.session.repo is None:
            self.session.repo = cwd.replace("\\", "/").rstrip("/").rsplit("/", 1)[-1] or None

    def _local_command(self, number: int, row: Row, record: str) -> None:
        # Run by the interface: without words it never reached the model.
        findings = judge_user_text(row.content)
        self._say(number, [findings[0]._replace(flags=())] if len(findings) == 1 else findings, row, record)

    def _user(self, number: int, row: Row, record: str) -> None:
        message = row.message
        content = message.content if message else ""
        if row.isMeta or row.isCompactSummary:
            body = message.words() if message else ""
            if not row.isMeta:
                found = Found("compaction", body, "compact_summary")
            else:
                called = self.after_command and not row.sourceToolUseID
                found = Found("injected", body, "command_body" if called else "meta")
            self._say(number, [found], row, record)
            return
        if isinstance(content, str):
            self._say(number, self._judge(content, row), row, record)
            return
        if len(content) == 1 and content[0].type == "tool_result":
            self._tool_result(number, content[0], row, record)
            self.drop(number, "empty")
            return
        beside = any(block.type == "tool_result" for block in content)
        words: list[Found] = []
        for block in content:
            if block.type == "tool_result":
                self._tool_result(number, block, row, record)
            elif block.type in ("text", PLAIN):
                words += self._judge(block.words(), row, beside)
        if not beside and any("image" in str(block.type) for block in content):
            words = [found._replace(flags=(*found.flags, "has_image")) for found in words] or [
                Found("button", "", "image_only", ("has_image",))
            ]
        self._say(number, _joined(words), row, record)

    def _judge(self, text: str, row: Row, beside: bool = False) -> list[Found]:
        origin = row.origin.get("kind") if isinstance(row.origin, dict) else row.turnOrigin
        if (isinstance(origin, str) and origin in _NOT_HUMAN_ORIGIN) or row.promptSource == "system":
            return [Found("injected", text, "machine_origin")]
        unset = msgspec.UNSET
        marked = row.permissionMode is not unset or row.thinkingMetadata is not unset or origin == "human"
        self.marked_rows += marked
        if text.lstrip().startswith(_PLAN):
            if row.planContent or not marked:
                return [Found("handoff", text, "plan_handoff")]
            return [Found("human", text.strip(), "typed_marked", ("plan_mode",))]
        findings = judge_user_text(text)
        if len(findings) != 1:
            return findings
        found = findings[0]
        if beside:
            return [found._replace(rule="beside_tool_result")] if found.kind == "human" else findings
        if marked and found.rule in _MARKER_WINS:
            self.source.problems["marker_disagreements"] += 1
            return [Found("human", text.strip(), "typed_marked", ("disputed",))]
        if found.kind == "human":
            if marked:
                return [found._replace(rule="typed_marked")]
            if self.marked_rows:
                self.source.problems["marker_disagreements"] += 1
                return [found._replace(rule="typed_unmarked", flags=(*found.flags, "disputed"))]
        return findings

    def _say(self, number: int, findings: list[Found], row: Row, record: str) -> None:
        at = row.timestamp
        if not findings:
            self.drop(number, "empty")
        for found in findings:
            self.session.events.append(
                Event(number, "user", found.kind, found.text, found.rule, at, record, flags=found.flags)
            )
            if found.kind == "human":
                self.queue.submitted(found.text, number)
                if found.rule == "command_args":
                    # Queue and `last-prompt` rows hold a command together with its words.
                    self.queue.submitted(f"{findings[0].text} {found.text}", number)
                self._branch(row.parentUuid)
            self.after_command = found.kind == "command" or found.rule in ("command_args", "command_body")

    def _branch(self, parent: Any) -> None:
        # Two messages under one parent: the person went back and rewrote; what lies between is off the final branch.
        if not isinstance(parent, str):
            return
        events = self.session.events
        first = self.siblings.setdefault(parent, len(events) - 1)
        for event in events[first : len(events) - 1]:
            if "fork" not in event.flags:
                event.flags = (*event.flags, "fork")

    def _tool_result(self, number: int, block: Block, row: Row, record: str) -> None:
        content, tool_id = block.content, str(block.tool_use_id or "")
        content = content if isinstance(content, str) else text_of(content)
        is_error = bool(block.is_error)
        tool = {"id": tool_id, "is_error": is_error}
        add = self.session.events.append
        add(Event(number, "tool", "tool_result", content, "tool_result", row.timestamp, record, tool))
        if is_error or tool_id in self.options or content.startswith("User has"):
            options = self.options.get(tool_id, frozenset())
            self._say(number, judge_tool_result(content, is_error, options, row.result()), row, record)

    def _assistant(self, number: int, row: Row, record: str) -> None:
        message = row.message
        if message is None or message.model == "<synthetic>" or row.isApiErrorMessage:
            self.drop(number, "synthetic")
            return
        self.after_command = False
        at, content = row.timestamp, message.content
        add = self.session.events.append
        for block in (Block("text", content),) if isinstance(content, str) else content:
            kind = block.type
            if kind == "text":
                text = block.words()
                if text.strip():
                    add(Event(number, "assistant", "text", text, "assistant_text", at, record))
            elif kind in ("tool_use", "server_tool_use"):
                self._tool_call(number, block, at, record)
            elif kind == "thinking" and isinstance(block.thinking, str) and block.thinking.strip():
                add(Event(number, "assistant", "thinking", block.thinking, "thinking", at, record))

    def _tool_call(self, number: int, block: Block, at: Any, record: str) -> None:
        tool_id, name, arguments = str(block.id or ""), str(block.name or ""), block.input
        if tool_id and tool_id in self.tool_ids:
            self.drop(number, "replayed_tool_call")
            return
        self.tool_ids.add(tool_id)
        if name == "AskUserQuestion":
            self.options[tool_id] = _labels(arguments)
        tool = {"name": name, "arguments": arguments, "id": tool_id}
        self.session.events.append(Event(number, "assistant", "tool_call", "", "tool_call", at, record, tool))

    def _attachment(self, number: int, row: Row, record: str) -> None:
        attachment = row.attachment
        if not isinstance(attachment, dict) or attachment.get("type") != "queued_command":
            self.drop(number, "attachment_row")
            return
        text, mode = text_of(attachment.get("prompt")), attachment.get("commandMode", "prompt")
        if mode not in ("prompt", "bash"):
            findings = [Found("injected", text, "queued_notification")]
        else:
            findings = judge_user_text(text)
        self._say(number, [f._replace(flags=(*f.flags, "queued")) for f in findings], row, record)


def _joined(words: list[Found]) -> list[Found]:
    """The findings of one row, with the typed pieces joined to one turn."""
    typed = [found for found in words if found.kind == "human" and found.rule != "command_args"]
    if len(typed) < 2:
        return words
    flags = tuple(dict.fromkeys(flag for found in typed for flag in found.flags))
    one = typed[0]._replace(text="\n".join(found.text for found in typed), flags=flags)
    return [found for found in words if found not in typed] + [one]


def _labels(arguments: Any) -> frozenset[str]:
    """The options that a question offered."""
    questions = arguments.get("questions") if isinstance(arguments, dict) else None
    labels = set()
    for question in questions if isinstance(questions, list) else []:
        options = question.get("options") if isinstance(question, dict) else None
        for option in options if isinstance(options, list) else []:
            label = option.get("label") if isinstance(option, dict) else option
            if isinstance(label, str):
                labels.add(label)
    return frozenset(labels)
