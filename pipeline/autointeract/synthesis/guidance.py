"""Guidance: what the controller tells the simulated user after a failed round, and the rules that make it.

A diagnosis is typed (`Diagnosis`); guidance is text plus three levers: facts to withhold from plain wording, facts to
state plainly, and the share of the others to state plainly. The levers move directness, never what is true: by the last
turn every fact is stated in some form.
"""

import math
from collections.abc import Sequence

from autointeract import prompts
from autointeract.records import Record, rng
from autointeract.records.vocabulary import Outcome

TEXT = prompts.load("guidance_fallback", (), None)


class Guidance(Record):
    """What the next round is told.

    Attributes:
        text: for the simulator; private.
        withhold: ids of facts to state indirectly only.
        reveal: ids of facts to state plainly.
        directness: share in [0, 1] of the other facts to state plainly; null leaves it to the user.
    """

    text: str = ""
    withhold: list[str] = []
    reveal: list[str] = []
    directness: float | None = None

    def settled(self, known: Sequence[str]) -> "Guidance":
        """The same with unknown facts dropped, each once, `reveal` before `withhold`, directness within bounds."""
        reveal = [name for name in known if name in self.reveal]
        withhold = [name for name in known if name in self.withhold and name not in self.reveal]
        share = self.directness
        if share is not None:
            share = min(max(share, 0.0), 1.0) if math.isfinite(share) else None
        return Guidance(text=self.text, withhold=withhold, reveal=reveal, directness=share)


class Diagnosis(Record):
    """Why a round failed.

    Attributes:
        kind: the outcome.
        reason: one line for people and for the controller.
        missing: facts that could not be recovered (invalid only).
        weak, strong: mean scores so far, where solvers were asked.
    """

    kind: Outcome
    reason: str = ""
    missing: list[str] = []
    weak: float | None = None
    strong: float | None = None


class Round(Record):
    """What an earlier round was told and what came of it."""

    guidance: Guidance
    diagnosis: Diagnosis


def fallback(facts: Sequence[str], rounds: Sequence[Round], key: str) -> Guidance:
    """Guidance for the next round by rules: deterministic, and what is used when no model can give any.

    Too easy: withhold more facts, more of them the easier it was. Too hard: give the last withheld ones back. Anything
    else: keep the levers and remind the user of what went wrong.

    Args:
        facts: ids of all facts, in the order of the statement.
        rounds: all rounds so far, oldest first; at least one.
        key: decides which facts are withheld first.
    """
    last = rounds[-1]
    kind = last.diagnosis.kind
    withhold = [name for name in last.guidance.withhold if name in facts]
    reveal = [name for name in last.guidance.reveal if name in facts]
    directness = last.guidance.directness
    order = list(facts)
    rng("withhold", key).shuffle(order)
    if kind == "too_easy":
        weak = last.diagnosis.weak if last.diagnosis.weak is not None else 1.0
        more = max(1, math.ceil(len(facts) * (0.4 if weak > 0.7 else 0.2)))
        fresh = [name for name in order if name not in withhold and name not in reveal] or [
            name for name in order if name not in withhold
        ]
        withhold += fresh[:more]
        reveal = [name for name in reveal if name not in withhold]
        directness = 1.0 if len(withhold) < len(facts) else 0.0
    elif kind == "too_hard":
        back = max(1, len(withhold) // 3)
        reveal += withhold[-back:] if withhold else [name for name in order if name not in reveal][:2]
        withhold = withhold[:-back]
        directness = 1.0
    elif kind == "invalid":
        reveal += [name for name in last.diagnosis.missing if name in facts and name not in reveal]
        withhold = [name for name in withhold if name not in reveal]
    kinds = list(dict.fromkeys(earlier.diagnosis.kind for earlier in rounds))
    text = " ".join(_sentence(name) for name in kinds if _sentence(name))
    return Guidance(text=text, withhold=withhold, reveal=reveal, directness=directness).settled(facts)


def _sentence(kind: str) -> str:
    for line in TEXT.text.splitlines():
        name, _, sentence = line.partition(": ")
        if name.strip("- ") == kind:
            return sentence.strip()
    return ""
