"""The typed turns of a session, each with what came before it.

In: a `Session`. Out: `TypedTurn`s in order. A typed turn carries words a person typed (kinds `human` and `rejection`);
button clicks, injected context and plan hand-offs are never taken for words. A turn that the person took back (the
reader's flag "fork") is a typed turn too, but nothing that comes later has it before it.
"""

from collections.abc import Iterator

from autointeract.records import Record, Session, Turn
from autointeract.records.vocabulary import TYPED_KINDS

TAKEN_BACK = "fork"
"""Flag of what lies off the branch on which the conversation went on."""


class TypedTurn(Record):
    """One turn that a person typed.

    Attributes:
        index: `Turn.index` in the session.
        number: 0-based position among the typed turns of its branch.
        text: what was typed.
        kind: `human` or `rejection`.
        before: the assistant's visible text since the previous typed turn, joined by newlines ("" if none).
        acted: whether the assistant called a tool since the previous typed turn.
        reactive: whether it follows any act of the assistant in this session.
        earlier: texts of the typed turns before it.
        taken_back: whether the person went back behind it: what was typed counts, what was asked for does not.
    """

    index: int
    number: int
    text: str
    kind: str
    before: str
    acted: bool
    reactive: bool
    earlier: list[str] = []
    taken_back: bool = False


def is_typed(turn: Turn) -> bool:
    """Whether a person typed the words of this turn."""
    return turn.kind in TYPED_KINDS and bool(turn.text.strip())


def final_branch(session: Session) -> list[Turn]:
    """The turns of the conversation as it went on, without what was taken back."""
    return [turn for turn in session.turns if TAKEN_BACK not in turn.flags]


def typed_turns(session: Session) -> Iterator[TypedTurn]:
    """Every typed turn of the session, in order; one that was taken back has its own branch before it."""
    final, aside = _Talk(), None
    for turn in session.turns:
        if TAKEN_BACK in turn.flags:
            aside = talk = aside or final.copy()
        else:
            aside, talk = None, final
        if is_typed(turn):
            yield talk.typed(turn, taken_back=talk is not final)
        else:
            talk.heard(turn)


class _Talk:
    """What was said and done on one branch so far."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.earlier: list[str] = []
        self.acted = self.reactive = False

    def copy(self) -> "_Talk":
        other = _Talk()
        other.said, other.earlier = [*self.said], [*self.earlier]
        other.acted, other.reactive = self.acted, self.reactive
        return other

    def typed(self, turn: Turn, taken_back: bool) -> TypedTurn:
        found = TypedTurn(
            index=turn.index, number=len(self.earlier), text=turn.text, kind=turn.kind, before="\n".join(self.said),
            acted=self.acted, reactive=self.reactive, earlier=[*self.earlier], taken_back=taken_back,
        )  # fmt: skip
        self.earlier.append(turn.text)
        self.said, self.acted = [], False
        return found

    def heard(self, turn: Turn) -> None:
        if turn.kind == "text":
            self.said.append(turn.text)
            self.reactive = True
        elif turn.kind == "tool_call":
            self.acted = self.reactive = True
