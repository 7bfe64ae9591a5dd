"""Builds stored sessions from raw ones: pseudonym, redaction, length bounds, ids. After this nothing private is left.

A stored session is plain data: the columns of `records.Session`, and beside it one key a turn by which the same record
is known in another file (`merge`). Turns are tuples in the order of the turn's columns.
"""

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any
from uuid import UUID

import orjson

from autointeract.logs.event import Event, RawSession
from autointeract.logs.identity import pseudonym
from autointeract.logs.redaction import Level, Redactor
from autointeract.records.digest import digest
from autointeract.records.text import clean_text

TurnTuple = tuple[int, str, str, str, str | None, Any, list[str], str]
_BULKY = frozenset({"tool_result", "thinking"})


@dataclass(frozen=True)
class BuildRules:
    """What of a session is stored.

    Attributes:
        level: of redaction.
        key: the workspace's pseudonym key.
        max_tool_chars: bound on each tool argument and result and each thought, in characters.
        max_text_chars: bound on any other text.
    """

    level: Level
    key: bytes
    max_tool_chars: int = 2000
    max_text_chars: int = 200_000


@dataclass(slots=True)
class Stored:
    """A session as it may be written.

    Attributes:
        session: columns of `records.Session`; times are datetimes, turns are tuples.
        keys: one number a turn; equal numbers are the same record.
        native: whether the keys come from the source's own record ids.
        related: ids of sessions that this one continues or was forked from.
        redacted: replaced pieces by class.
    """

    session: dict[str, Any]
    keys: list[int]
    native: bool
    related: list[str] = field(default_factory=list)
    redacted: Counter[str] = field(default_factory=Counter)


def build(raw: RawSession, file_digest: str, rules: BuildRules) -> Stored:
    """The stored form of a session."""
    user = pseudonym(raw.evidence, rules.key)
    names = {*raw.names, *(value for kind, value in raw.evidence if kind in ("home", "author", "account"))}
    redactor = Redactor(rules.level, rules.key, user or f"session {raw.native_id or file_digest}", names)
    turns: list[TurnTuple] = []
    keys: list[int] = []
    chain = f"{raw.format}\x1f{user}"
    native = False
    last, place = "", 0
    for event in raw.events:
        if event.kind is None:
            continue
        turn = _turn(len(turns), event, redactor, rules, file_digest)
        turns.append(turn)
        if event.record:
            native = True
            place = place + 1 if event.record == last else 0
            last = event.record
            keys.append(_number(event.record) ^ place)
        else:
            chain = blake2b(f"{chain}{turn[1]}{turn[2]}{turn[3]}".encode(), digest_size=8).hexdigest()
            keys.append(int(chain, 16))
    started = raw.started_at or next((turn[5] for turn in turns if turn[5]), None)
    session = {
        "session_id": session_id(raw.format, raw.native_id) if raw.native_id else digest([raw.format, keys], 32),
        "user_id": user, "source_format": raw.format, "repo": _place(raw.repo, redactor, rules),
        "agent": redactor.text(clean_text(raw.agent)) if raw.agent else None, "started_at": started,
        "license": raw.license, "turns": turns,
    }  # fmt: skip
    related = [session_id(raw.format, other) for other in raw.related]
    return Stored(session, keys, native, related, redactor.counts)


def session_id(source_format: str, native_id: str) -> str:
    """The id of a session: the source's own where it is a UUID, else a digest of it."""
    try:
        return str(UUID(native_id))
    except ValueError:
        return digest([source_format, clean_text(native_id)], 32)


def _turn(index: int, event: Event, redactor: Redactor, rules: BuildRules, file_digest: str) -> TurnTuple:
    flags = list(event.flags)
    bulky = event.kind in _BULKY
    text = event.text
    if bulky and rules.level == "strict" and text:
        text = ""
        flags.append("withheld")
    limit = rules.max_tool_chars if bulky else rules.max_text_chars
    if len(text) > limit:
        text = cut(text, limit)
        flags.append("truncated")
    before = redactor.total
    if text:
        text = redactor.text(text if text.isascii() and "\x00" not in text else clean_text(text))
    tool_json = _tool_json(event.tool, redactor, rules) if event.tool is not None else None
    if redactor.total != before:
        flags.append("redacted")
    ref = f"{file_digest}:{event.line}:{event.record}" if event.record else f"{file_digest}:{event.line}"
    return (index, event.role, event.kind or "", text, tool_json, event.at, flags, ref)


def _tool_json(tool: dict[str, Any], redactor: Redactor, rules: BuildRules) -> str:
    if "arguments" in tool:
        withheld = rules.level == "strict"
        arguments = {} if withheld else redactor.data(_bounded(tool["arguments"], rules.max_tool_chars))
        tool = {**tool, "arguments": arguments}
    try:
        text = orjson.dumps(tool, option=orjson.OPT_NON_STR_KEYS).decode()
    except TypeError:
        text = orjson.dumps({**tool, "arguments": str(tool.get("arguments"))[: rules.max_tool_chars]}).decode()
    return text.replace("\\u0000", "") if "\\u0000" in text else text


def _bounded(value: Any, limit: int) -> Any:
    if isinstance(value, str):
        text = value if len(value) <= limit else cut(value, limit)
        return text if text.isascii() else clean_text(text)
    if isinstance(value, dict):
        return {key: _bounded(item, limit) for key, item in value.items()}
    if isinstance(value, list):
        return [_bounded(item, limit) for item in value[:limit]]
    return value if not isinstance(value, int) or abs(value) < 2**63 else str(value)


def cut(text: str, limit: int) -> str:
    """The first two thirds and the last third of `limit`, cut at line or word ends so that no secret is torn in two."""
    head, tail = text[: limit * 2 // 3], text[-(limit // 3) :]
    end = max(head.rfind("\n"), head.rfind(" "), 0)
    starts = [place for place in (tail.find("\n"), tail.find(" ")) if place >= 0]
    start = min(starts, default=len(tail))
    return f"{head[:end]}\n[{len(text) - end - (len(tail) - start)} characters left out]\n{tail[start:].lstrip()}"


def _number(record: str) -> int:
    # A UUID's own digits serve, folded to 64 bits; anything else is hashed.
    if len(record) == 36 and record[8] == "-":
        try:
            digits = int(record.replace("-", ""), 16)
            return (digits >> 64) ^ (digits & 0xFFFFFFFFFFFFFFFF)
        except ValueError:
            pass
    return int.from_bytes(blake2b(record.encode("utf-8", "replace"), digest_size=8).digest())


def _place(repo: str | None, redactor: Redactor, rules: BuildRules) -> str | None:
    if not repo:
        return None
    if rules.level == "strict":
        return f"<REPO_{redactor.digest(repo)}>"
    return redactor.text(clean_text(repo))
