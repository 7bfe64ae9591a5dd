"""Next-turn instances: (conversation prefix, the user's profile from their other sessions, the real next message).

In: sessions, labels, splits. Out: `Instance`s in a seeded order, spread evenly over users and sessions. A prefix is
compacted by a stated rule: a run of tool calls and results becomes one line that names the tools and how many results
were errors; a long message keeps its head and tail; a whole that is still too long loses its middle, and says so. What
the person took back is neither an instance nor in a prefix.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from autointeract.records import Message, Record, Session, Turn, digest, rng
from autointeract.users.surface import tokens
from autointeract.users.turns import final_branch, is_typed

HEAD = 0.6
"""Share of a cut message that comes from its beginning; the rest is its end, where questions stand."""


class Instance(Record):
    """One point at which a real user typed a message after the agent had acted.

    Attributes:
        instance_id: digest of session and turn.
        user_id: null where the source has no identity; then there is no profile.
        split: of the user; "test" for sessions without identity, so that nothing is learned from unknown people.
        number: 0-based position among the conversation's typed turns (never 0: the first turn reacts to nothing).
        profile, settings: from the user's other sessions; null where there are none.
        prefix: the compacted conversation, ending on the assistant's side.
        real: what was typed.
        last: whether it is the session's last typed turn.
    """

    instance_id: str
    session_id: str
    user_id: str | None
    split: str
    number: int
    profile: str | None
    settings: dict[str, Any] | None
    prefix: list[Message]
    real: str
    last: bool


class Point(Record):
    """A typed turn that reacts to the agent: where an instance can be made."""

    session_id: str
    user_id: str | None
    turn_index: int
    number: int
    last: bool
    length: int


def points(session: Session) -> Iterator[Point]:
    """Every typed turn of a session that follows an act of the agent, the first typed turn excepted."""
    turns = final_branch(session)
    typed = [turn.index for turn in turns if is_typed(turn)]
    acted = False
    for turn in turns:
        if is_typed(turn):
            number = typed.index(turn.index)
            if acted and number > 0:
                yield Point(
                    session_id=session.session_id, user_id=session.user_id, turn_index=turn.index, number=number,
                    last=turn.index == typed[-1], length=len(turn.text),
                )  # fmt: skip
            acted = False
        elif turn.kind in ("text", "tool_call"):
            acted = True


def choose(all_points: Iterable[Point], count: int, per_session: int, seed: int, *name: object) -> list[Point]:
    """At most `count` points, at most `per_session` of one session, dealt out evenly over users, then sessions."""
    queues: dict[str, dict[str, list[Point]]] = {}
    for point in all_points:
        queues.setdefault(point.user_id or point.session_id, {}).setdefault(point.session_id, []).append(point)
    lanes: list[list[Point]] = []
    for user in sorted(queues):
        sessions = []
        for session_id in sorted(queues[user]):
            rows = queues[user][session_id]
            picked = rng("points", seed, *name, session_id).sample(rows, min(per_session, len(rows)))
            sessions.append(picked)
        rng("sessions", seed, *name, user).shuffle(sessions)
        depth = max(len(rows) for rows in sessions)
        lanes.append([rows[k] for k in range(depth) for rows in sessions if k < len(rows)])
    rng("users", seed, *name).shuffle(lanes)
    chosen: list[Point] = []
    for k in range(max((len(lane) for lane in lanes), default=0)):
        chosen += [lane[k] for lane in lanes if k < len(lane)]
        if len(chosen) >= count:
            break
    return chosen[:count]


def build(
    session: Session,
    point: Point,
    split: str,
    profile: tuple[str, dict[str, Any]] | None,
    prefix_words: int,
    message_words: int,
) -> Instance:
    """The instance at one point."""
    before = [turn for turn in final_branch(session) if turn.index < point.turn_index]
    real = next(turn.text for turn in session.turns if turn.index == point.turn_index)
    return Instance(
        instance_id=digest([session.session_id, point.turn_index], 24), session_id=session.session_id,
        user_id=session.user_id, split=split, number=point.number, profile=profile[0] if profile else None,
        settings=profile[1] if profile else None, prefix=compact(before, prefix_words, message_words), real=real,
        last=point.last,
    )  # fmt: skip


def compact(turns: Iterable[Turn], prefix_words: int, message_words: int) -> list[Message]:
    """The visible conversation, shortened; consecutive turns of one side become one message."""
    sides: list[tuple[str, list[str]]] = []
    tools: list[Turn] = []

    def add(role: str, text: str) -> None:
        if sides and sides[-1][0] == role:
            sides[-1][1].append(text)
        else:
            sides.append((role, [text]))

    for turn in turns:
        if turn.kind in ("tool_call", "tool_result"):
            tools.append(turn)
            continue
        if tools and (turn.kind == "text" or is_typed(turn)):
            add("assistant", _shape(tools))
            tools = []
        if turn.kind == "text" and turn.text.strip():
            add("assistant", shorten(turn.text, message_words))
        elif is_typed(turn):
            add("user", shorten(turn.text, message_words))
    if tools:
        add("assistant", _shape(tools))
    messages = [Message(role=role, content="\n".join(parts)) for role, parts in sides]  # type: ignore[arg-type]
    return _elide(messages, prefix_words)


def shorten(text: str, words: int) -> str:
    """The text with its middle left out when it has more than `words` words; code fences count as words too."""
    pieces = text.split(" ")
    if len(pieces) <= words:
        return text
    head = int(words * HEAD)
    return " ".join([*pieces[:head], f"[... {len(pieces) - words} words ...]", *pieces[len(pieces) - (words - head) :]])


def near_duplicates(instances: Iterable[Instance], threshold: float = 0.9) -> dict[str, str]:
    """Real turns of at least six words that recur almost word for word in another split: id -> the earlier one's id.

    Similarity is the Jaccard index of word 3-grams; the later split (train before val before test) is named.
    """
    order = {"train": 0, "val": 1, "test": 2}
    seen: list[tuple[Instance, frozenset[tuple[str, ...]]]] = []
    found: dict[str, str] = {}
    for item in sorted(instances, key=lambda row: (order[row.split], row.instance_id)):
        words = tokens(item.real)
        grams = frozenset(zip(words, words[1:], words[2:], strict=False))
        if len(words) < 6:
            continue
        for other, theirs in seen:
            if other.split != item.split and len(grams & theirs) / len(grams | theirs) >= threshold:
                found[item.instance_id] = other.instance_id
                break
        seen.append((item, grams))
    return found


def group_of(split: Mapping[str, str], user: str | None) -> str:
    """The split of a user; unknown people are test."""
    return split.get(user, "test") if user else "test"


def _shape(tools: list[Turn]) -> str:
    names: dict[str, int] = {}
    errors = 0
    for turn in tools:
        data = json.loads(turn.tool_json) if turn.tool_json else {}
        if turn.kind == "tool_call":
            name = str(data.get("name") or "tool")
            names[name] = names.get(name, 0) + 1
        elif data.get("is_error"):
            errors += 1
    calls = ", ".join(f"{name} x{n}" if n > 1 else name for name, n in names.items()) or "tools"
    return f"[used {calls}{f'; {errors} failed' if errors else ''}]"


def _elide(messages: list[Message], words: int) -> list[Message]:
    sizes = [len(message.content.split()) for message in messages]
    if sum(sizes) <= words or len(messages) < 4:
        return messages
    keep, room, back = [0], words - sizes[0], []
    for place in range(len(messages) - 1, 0, -1):
        if back and room < sizes[place]:
            break
        back.append(place)
        room -= sizes[place]
    start = back[-1]
    if start == 1:
        return messages
    gap = Message(role=messages[0].role, content=f"{messages[0].content}\n[... {start - 1} messages left out ...]")
    return [gap, *(messages[place] for place in range(start, len(messages)))] if keep else messages
