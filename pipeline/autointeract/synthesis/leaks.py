"""Leak checks without a model: nothing private may be visible in a user's turn.

Private are the reference, the verifier's cases, the guidance, and any other private note of the task. Not private are
the statement, the interface, the cases that the statement shows, the cases a user was allowed to report, and whatever
the assistant wrote itself. Only user turns can leak: the assistant sees nothing else.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from autointeract.records import AssertionsSpec, Message, PytestSpec, Record, SourceTask
from autointeract.synthesis.cases import CaseText, case_texts, parse_assertion, shows

_TOKEN = re.compile(r"\w+|[^\w\s]")
_CODE_NAME = re.compile(r"\b(?:[A-Za-z]\w*_\w+|[a-z]+[A-Z]\w*|[A-Za-z]+\d\w+)\b")
_LITERAL = re.compile(r"'([^'\\\n]{6,})'|\"([^\"\\\n]{6,})\"")
_JOINED_NAME = re.compile(r"\b(?=\w*[^\W\d_]_|\w*_[^\W\d_])\w{8,}\b")
GUIDANCE_WORDS = 8
"""A run of this many words of the guidance in a user turn is a leak (ours)."""


class Leak(Record):
    """One finding: what kind of private text, in which message. The text itself is not repeated."""

    kind: str
    message: int


@dataclass(frozen=True)
class _TaskSecrets:
    """What is private of a task, whatever the round: runs of tokens, hidden cases, telling words."""

    reference: frozenset[tuple[str, ...]]
    tests: frozenset[tuple[str, ...]]
    cases: tuple[CaseText, ...]
    words: frozenset[str]
    visible: str


@lru_cache(maxsize=512)
def _of_task(task: SourceTask, ngram: int) -> _TaskSecrets:
    def grams(texts: Sequence[str]) -> frozenset[tuple[str, ...]]:
        return frozenset(gram for text in texts for gram in _runs(_TOKEN.findall(text), ngram))

    public = [task.statement, task.interface, *task.public_cases, *(fact.text for fact in task.facts)]
    shown = "\n".join(public)
    known = [parse_assertion(text) for text in task.public_cases]
    cases = tuple(
        case
        for case in case_texts(task.verifier)
        if not any(shows(_joined(other), case) for other in known) and not shows(shown, case)
    )
    seen = grams(public)
    words = _private_words("\n".join([*_reference_texts(task), *_verifier_texts(task)]))
    visible = shown + _unchanged_lines(task)
    return _TaskSecrets(
        reference=grams(_reference_texts(task)) - seen, tests=grams(_verifier_texts(task)) - seen, cases=cases,
        words=frozenset(word for word in words if word not in visible), visible=visible,
    )  # fmt: skip


class Secrets:
    """What is private of one task and one round, prepared for searching.

    Args:
        allowed: assertions (as in the verifier) that the user may show.
        ngram: length in tokens of a run that counts as copied.
    """

    def __init__(self, task: SourceTask, guidance: str, allowed: Sequence[str], ngram: int):
        self._own = _of_task(task, ngram)  # type: ignore[arg-type] - frozen, so hashable
        self.ngram = ngram
        self._allowed = {gram for text in allowed for gram in self._grams(text)}
        known = [parse_assertion(text) for text in allowed]
        self._cases = [
            case for case in self._own.cases if not any(shows(_joined(other), case) for other in known)
        ]  # fmt: skip
        self._words = {word for word in self._own.words if not any(word in text for text in allowed)}
        self._guidance = set(_runs(guidance.lower().split(), GUIDANCE_WORDS))
        # Plain words and examples that guidance proposes may be said; a name that only guidance has may not.
        self._told = {name for name in _JOINED_NAME.findall(guidance) if name not in self._own.visible}

    def find(self, conversation: Sequence[Message]) -> list[Leak]:
        """Every kind of leak in the user turns, in order."""
        found: list[Leak] = []
        theirs: set[tuple[str, ...]] = set()
        spoken = ""
        for number, message in enumerate(conversation):
            if message.role != "user":
                theirs |= set(self._grams(message.content))
                spoken += message.content
                continue
            grams = set(self._grams(message.content)) - theirs - self._allowed
            checks = {
                "reference": bool(grams & self._own.reference),
                "test": bool(grams & self._own.tests) or any(shows(message.content, case) for case in self._cases),
                "name": any(word in message.content and word not in spoken for word in self._words),
                "guidance": bool(self._guidance & set(_runs(message.content.lower().split(), GUIDANCE_WORDS)))
                or any(name in message.content and name not in spoken for name in self._told),
            }
            found += [Leak(kind=kind, message=number) for kind, leaked in checks.items() if leaked]
        return found

    def _grams(self, text: str) -> Iterator[tuple[str, ...]]:
        return _runs(_TOKEN.findall(text), self.ngram)


def _joined(case: CaseText) -> str:
    return f"{case.call} == {case.expected}"


def _runs(words: Sequence[str], length: int) -> Iterator[tuple[str, ...]]:
    return (tuple(words[i : i + length]) for i in range(len(words) - length + 1))


def _strings(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for item in value.values() for text in _strings(item)]
    return [text for item in value for text in _strings(item)] if isinstance(value, list) else []


def _reference_texts(task: SourceTask) -> list[str]:
    """The reference: a program whole, of a patch the lines that it adds."""
    if task.domain != "swe":
        return _strings(task.reference)
    lines = str(task.reference.get("patch") or "").splitlines()
    return ["\n".join(line[1:] for line in lines if line.startswith("+") and not line.startswith("+++"))]


def _unchanged_lines(task: SourceTask) -> str:
    """What a patch shows of the repository as it is: not private, the assistant can read it there."""
    if task.domain != "swe":
        return ""
    lines = str(task.reference.get("patch") or "").splitlines()
    return "\n".join(line for line in lines if not line.startswith("+") or line.startswith("+++"))


def _verifier_texts(task: SourceTask) -> list[str]:
    spec = task.verifier
    if isinstance(spec, PytestSpec):
        return [name.split("::", 1)[-1] for name in spec.fail_to_pass] + [spec.test_patch]
    if isinstance(spec, AssertionsSpec):
        return [spec.setup, *spec.assertions]
    return [text for case in case_texts(spec) for text in (case.call, case.expected)]


def _private_words(text: str) -> set[str]:
    """Names that look like code, and quoted texts of some length: a person does not write them by chance."""
    literals = {one or two for one, two in _LITERAL.findall(text)}
    return {name for name in _CODE_NAME.findall(text) if len(name) >= 5} | literals
