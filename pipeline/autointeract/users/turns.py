"""The typed turns of a session, each with what came before it.

In: a `Session`. Out: `TypedTurn`s in order. A typed turn carries words a person typed (kinds `human` and `rejection`);
button clicks, injected context and plan hand-offs are never taken for words.
"""

from collections.abc import Iterator

from autointeract.records import Record, Session, Turn
from autointeract.records.vocabulary import TYPED_KINDS


class TypedTurn(Record):
    """One turn that a person typed.

    Attributes:
        index: `Turn.index` in the session.
        number: 0-based position among the session's typed turns.
        text: what was typed.
        kind: `human` or `rejection`.
        before: the assistant's visible text since the previous typed turn, joined by newlines ("" if none).
        acted: whether the assistant called a tool since the previous typed turn.
        reactive: whether it follows any act of the assistant in this session.
        earlier: texts of the typed turns before it.
    """

    index: int
    number: int
    text: str
    kind: str
    before: str
    acted: bool
    reactive: bool
    earlier: list[str] = []


def is_typed(turn: Turn) -> bool:
    """Whether a person typed the words of this turn."""
    return turn.kind in TYPED_KINDS and bool(turn.text.strip())


def typed_turns(session: Session) -> Iterator[TypedTurn]:
    """Every typed turn of the session, in order."""
    said: list[str] = []
    earlier: list[str] = []
    acted = reactive = False
    for turn in session.turns:
        if is_typed(turn):
            yield TypedTurn(
                index=turn.index, number=len(earlier), text=turn.text, kind=turn.kind, before="\n".join(said),
                acted=acted, reactive=reactive, earlier=list(earlier),
            )  # fmt: skip
            earlier.append(turn.text)
            said, acted = [], False
        elif turn.kind == "text":
            said.append(turn.text)
            reactive = True
        elif turn.kind == "tool_call":
            acted = reactive = True
