"""Builds stored sessions from raw ones: pseudonym, redaction, length bounds, ids. After this nothing private is left.

A stored session is plain data: the columns of `records.Session`, and beside it one key a turn by which the same record
is known in another file (`merge`). Turns are tuples in the order of the turn's columns.
"""

from collections import Counter
from collections.abc import Sequence
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
    max_tool_chars: int = 1000
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


@dataclass(slots=True)
class Draft:
    """A session between reading and storage: its texts, bounded and clean, not yet redacted; in memory only.

    Attributes:
        texts: all its strings, by place.
        events: (event, where its strings are) of what becomes a turn.
        agent, repo: places of these texts, or -1.
    """

    raw: RawSession
    file: str
    user: str | None
    redactor: Redactor
    rules: BuildRules
    texts: list[str]
    events: list[tuple[Event, "Places"]]
    agent: int
    repo: int


def draft(raw: RawSession, file_digest: str, rules: BuildRules) -> Draft:
    """Takes what is kept of a session; `finish` stores it."""
    user = pseudonym(raw.evidence, rules.key)
    names = {*raw.names, *(value for kind, value in raw.evidence if kind in ("home", "author", "account"))}
    redactor = Redactor(rules.level, rules.key, user or f"session {raw.native_id or file_digest}", names)
    texts = _Texts(rules)
    events = [(event, texts.places(event)) for event in raw.events if event.kind is not None]
    raw.events = []
    # With all other texts, because looking at one alone costs as much as looking at fifty.
    agent = texts.add(raw.agent) if raw.agent else -1
    repo = texts.add(raw.repo) if raw.repo and rules.level != "strict" else -1
    return Draft(raw, file_digest, user, redactor, rules, texts.raw, events, agent, repo)


def finish(draft: Draft, suspects: Sequence[bool] | None = None) -> Stored:
    """The stored form of a session; `suspects`: what `redaction.suspects` said of its texts."""
    raw, user, redactor = draft.raw, draft.user, draft.redactor
    shown = redactor.texts(draft.texts, suspects)
    turns: list[TurnTuple] = []
    keys: list[int] = []
    chain = f"{raw.format}\x1f{user}"
    native = False
    last, place = "", 0
    for index, (event, places) in enumerate(draft.events):
        turn = _turn(index, event, places, draft.texts, shown, draft.file)
        turns.append(turn)
        if event.record:
            native = True
            place = place + 1 if event.record == last else 0
            last = event.record
            keys.append(_number(last) ^ place)
        else:
            chain = blake2b(f"{chain}{turn[1]}{turn[2]}{turn[3]}".encode(), digest_size=8).hexdigest()
            keys.append(int(chain, 16))
    started = raw.started_at or next((turn[5] for turn in turns if turn[5]), None)
    hidden_repo = f"<REPO_{redactor.digest(raw.repo)}>" if raw.repo else None
    session = {
        "session_id": session_id(raw.format, raw.native_id) if raw.native_id else digest([raw.format, keys], 32),
        "user_id": user, "source_format": raw.format, "repo": shown[draft.repo] if draft.repo >= 0 else hidden_repo,
        "agent": shown[draft.agent] if draft.agent >= 0 else None, "started_at": started,
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


Places = tuple[int, tuple[str, ...], int, int, Any]
"""(place of the text, or -1; flags; first and last place of the tool's strings; the tool with places for strings)."""


class _Texts:
    """Collects every string of a session, bounded and clean, so that all are redacted together.

    Attributes:
        raw: the strings, by place.
    """

    def __init__(self, rules: BuildRules):
        self.rules = rules
        self.raw: list[str] = []

    def places(self, event: Event) -> Places:
        """Takes the strings of one event, and its own text from it: a whole one may be large."""
        text, flags, rules = event.text, event.flags, self.rules
        event.text = ""
        place = -1
        if text:
            bulky = event.kind in _BULKY
            limit = rules.max_tool_chars if bulky else rules.max_text_chars
            if bulky and rules.level == "strict":
                flags = (*flags, "withheld")
            else:
                if len(text) > limit:
                    text, flags = cut(text, limit), (*flags, "truncated")
                place = self.add(text)
        first = len(self.raw)
        tool: Any = event.tool
        if tool is not None and "arguments" in tool:
            arguments = {} if rules.level == "strict" else self._places(tool["arguments"])
            tool = {**tool, "arguments": arguments}
        event.tool = None
        return place, flags, first, len(self.raw), tool

    def add(self, text: str) -> int:
        """Takes one string; gives its place."""
        self.raw.append(text if text.isascii() and "\x00" not in text else clean_text(text))
        return len(self.raw) - 1

    def _places(self, value: Any) -> Any:
        if isinstance(value, str):
            limit = self.rules.max_tool_chars
            return _Place(self.add(value if len(value) <= limit else cut(value, limit)))
        if isinstance(value, dict):
            return {self._key(key): self._places(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self._places(item) for item in value[: self.rules.max_tool_chars]]
        return value if not isinstance(value, int) or abs(value) < 2**63 else str(value)

    def _key(self, key: Any) -> Any:
        # The names of a tool's parameters are plain words; anything else may be data.
        name = str(key)
        return name if len(name) <= 24 and name.isidentifier() else _Place(self.add(name))


class _Place(int):
    """Stands for a string in a tool's arguments."""


def _filled(value: Any, shown: list[str]) -> Any:
    if isinstance(value, _Place):
        return shown[value]
    if isinstance(value, dict):
        return {_filled(key, shown): _filled(item, shown) for key, item in value.items()}
    if isinstance(value, list):
        return [_filled(item, shown) for item in value]
    return value


def _turn(index: int, event: Event, places: Places, raw: list[str], shown: list[str], file_digest: str) -> TurnTuple:
    place, flags, first, last, tool = places
    text = shown[place] if place >= 0 else ""
    changed = place >= 0 and text is not raw[place]
    tool_json = None
    if tool is not None:
        if "arguments" in tool:
            tool = {**tool, "arguments": _filled(tool["arguments"], shown)}
            changed = changed or any(shown[number] is not raw[number] for number in range(first, last))
        tool_json = _dumped(tool)
    ref = f"{file_digest}:{event.line}:{event.record}" if event.record else f"{file_digest}:{event.line}"
    stored_flags = [*flags, "redacted"] if changed else list(flags)
    return (index, event.role, event.kind or "", text, tool_json, event.at, stored_flags, ref)


def _dumped(tool: dict[str, Any]) -> str:
    try:
        return orjson.dumps(tool).decode()
    except TypeError:
        return orjson.dumps({**tool, "arguments": {}}).decode()


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
