"""User turns to be compared, real or simulated, with everything the measures count, computed once.

Sources: sessions of a workspace, simulated turns, and files of dialogues (`dialogues.py`).
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from autointeract.records import Session, clean_text
from autointeract.users import rules
from autointeract.users.surface import STYLE_MARKS, content_words, count_words, style, tokens
from autointeract.users.turns import TypedTurn, typed_turns


@dataclass(frozen=True)
class Item:
    """One user turn.

    Attributes:
        group: user, or dialogue where there is none.
        number: 0-based position among the dialogue's user turns.
        last: whether the dialogue ends with it.
        of_opening: share of its content words that the dialogue's opening had.
        echoes: whether it repeats eight words of what the agent said just before.
        repeats: likeness to its nearest earlier turn (5-gram Jaccard).
        marks: style marks in the order of `STYLE_MARKS`.
    """

    group: str
    dialogue: str
    number: int
    text: str
    last: bool
    of_opening: float
    echoes: bool
    repeats: float
    words: int
    marks: tuple[float, ...]
    reaction: str
    intent: str
    specificity: int
    tokens: tuple[str, ...] = field(repr=False)


def item(
    group: str, dialogue: str, number: int, text: str, *, last: bool, before: str = "", opening: str = "",
    earlier: Sequence[str] = (),
) -> Item:  # fmt: skip
    """A turn with its counts and rule labels; real and simulated turns are labelled by the same rules."""
    label = rules.label(
        TypedTurn(
            index=number, number=number, text=text, kind="human", before=before, acted=True, reactive=number > 0,
            earlier=list(earlier),
        )
    )  # fmt: skip
    marks = style(text)
    return Item(
        group=group, dialogue=dialogue, number=number, text=text, last=last,
        of_opening=_of_opening(text, opening), echoes=_echoes(text, before), repeats=_repeats(text, earlier),
        words=count_words(text), marks=tuple(marks[name] for name in STYLE_MARKS),
        reaction=label.reaction, intent=label.intent, specificity=label.specificity, tokens=tuple(tokens(text)),
    )  # fmt: skip


def of_session(session: Session) -> list[Item]:
    """Every typed turn of the conversation as it went on."""
    turns = [turn for turn in typed_turns(session) if not turn.taken_back]
    return [
        item(
            session.user_id or session.session_id, session.session_id, turn.number, turn.text,
            last=turn is turns[-1], before=turn.before, opening=turns[0].text, earlier=turn.earlier,
        )
        for turn in turns
    ]  # fmt: skip


def of_messages(group: str, dialogue: str, messages: Sequence[dict[str, Any]], first: int = 0) -> list[Item]:
    """The user turns of a conversation from number `first` on."""
    found: list[Item] = []
    said: list[str] = []
    before: list[str] = []
    users = [m for m in messages if m.get("role") == "user"]
    for message in messages:
        content = message.get("content")
        text = clean_text(content) if isinstance(content, str) else ""
        if message.get("role") == "user" and text.strip():
            found.append(
                item(
                    group, dialogue, len(said), text, last=message is users[-1], before="\n".join(before),
                    opening=said[0] if said else text, earlier=tuple(said),
                )
            )  # fmt: skip
            said.append(text)
            before = []
        elif message.get("role") == "assistant" and text:
            before.append(text)
    return [row for row in found if row.number >= first]


def by_group(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Items by group, groups in the order of their names."""
    table: dict[str, list[Item]] = {}
    for row in items:
        table.setdefault(row.group, []).append(row)
    return {name: table[name] for name in sorted(table)}


def _of_opening(text: str, opening: str) -> float:
    words = content_words(text)
    return len(words & content_words(opening)) / len(words) if words else 0.0


def _echoes(text: str, before: str) -> bool:
    said, mine = before.lower().split(), text.lower().split()
    runs = set(zip(*(said[k:] for k in range(8)), strict=False))
    return any(run in runs for run in zip(*(mine[k:] for k in range(8)), strict=False))


def _repeats(text: str, earlier: Sequence[str]) -> float:
    mine = _grams(text)
    return max((len(mine & old) / max(len(mine | old), 1) for old in map(_grams, earlier)), default=0.0)


def _grams(text: str) -> set[tuple[str, ...]]:
    words = text.lower().split()
    return set(zip(*(words[k:] for k in range(5)), strict=False)) or {tuple(words)}
