"""Scenarios as data: which moves a conversation consists of, and which facts are due in which turn.

    clarify_in_design        open_design, add ...            facts that were true all along come later, before any code
    change_in_design         open_design, add ..., change    a need is new or changed, before any code
    clarify_after_solution   open_build, add ...             as above, after a first solution
    change_after_solution    open_build, add ..., change
    bug_iteration            open_build, report ...          the specification is fixed; failing cases are reported
    open                     open, open, ...                 no plan; the user decides (repositories)

What each move asks of the user is said in prompts/user_turn.md. By the last turn every fact was due once.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal

from autointeract.records import AssertionsSpec, Record, SourceTask
from autointeract.records.vocabulary import ALGORITHMIC_SCENARIOS, Origin
from autointeract.synthesis.guidance import Guidance

Move = Literal["open_design", "open_build", "add", "change", "report", "react", "open"]
MIN_CASES_FOR_BUGS = 5
"""Tasks with fewer cases are not eligible for bug iteration: a quoted case would be too much of the verifier."""


class Shape(Record):
    """How a scenario begins and how it ends."""

    opening: Move
    ending: Move


SHAPES: Mapping[str, Shape] = {
    "clarify_in_design": Shape(opening="open_design", ending="add"),
    "change_in_design": Shape(opening="open_design", ending="change"),
    "clarify_after_solution": Shape(opening="open_build", ending="add"),
    "change_after_solution": Shape(opening="open_build", ending="change"),
    "bug_iteration": Shape(opening="open_build", ending="report"),
}
STRATEGY_OF_MOVE: Mapping[str, str] = {
    "open_design": "reveal_piece", "open_build": "reveal_piece", "add": "reveal_piece", "change": "change_mind",
    "report": "report_failure",
}  # fmt: skip
"""The strategy of a scripted turn; a turn that reacts keeps the simulator's own."""


class TurnPlan(Record):
    """What one user turn is for.

    Attributes:
        due: ids of facts to state now. later: ids that come later. vary: ids stated now as another requirement.
        last: the conversation ends with this turn.
    """

    move: Move
    due: list[str] = []
    later: list[str] = []
    vary: list[str] = []
    last: bool = False

    @property
    def origin(self) -> Origin:
        """Whether the scenario or the simulator chose the strategy."""
        return "reactive" if self.move in ("react", "open") else "scripted"


def eligible(task: SourceTask, allowed: Sequence[str]) -> list[str]:
    """The scenarios that fit a task, in the vocabulary's order; empty when none does."""
    if task.domain == "swe":
        return ["open"] if "open" in allowed else []
    names = [name for name in ALGORITHMIC_SCENARIOS if name in allowed]
    if len(task.facts) < 2:  # nothing could change without changing the whole task
        names = [name for name in names if SHAPES[name].ending != "change"]
    spec = task.verifier
    enough = isinstance(spec, AssertionsSpec) and len(spec.assertions) >= MIN_CASES_FOR_BUGS
    return names if enough else [name for name in names if name != "bug_iteration"]


def turn_plans(
    scenario: str, facts: Sequence[str], guidance: Guidance, settings: Mapping[str, Any], reactive_share: float,
    random: Random,
) -> list[TurnPlan]:  # fmt: skip
    """The user turns of one conversation.

    Args:
        facts: ids, in the order of the statement.
        settings: of the profile; `reveal.first_turn` is the share of facts in the opening, `requirement_change` how
            many needs change.
    """
    shape = SHAPES[scenario]
    if shape.ending == "report":
        plans = [TurnPlan(move=shape.opening, due=list(facts)), TurnPlan(move="report", last=True)]
    else:
        plans = _revealing(shape, facts, guidance, settings, random)
    if random.random() < reactive_share:
        plans.insert(1, TurnPlan(move="react", later=plans[0].later))
    return plans


def single_turn(facts: Sequence[str]) -> list[TurnPlan]:
    """The ablation without multi-turn: the whole task in one user turn."""
    return [TurnPlan(move="open_build", due=list(facts), last=True)]


def _revealing(
    shape: Shape, facts: Sequence[str], guidance: Guidance, settings: Mapping[str, Any], random: Random
) -> list[TurnPlan]:
    pace = first_share(settings)
    opening = [
        name
        for number, name in enumerate(facts)
        if number == 0 or name in guidance.reveal or (name not in guidance.withhold and random.random() < pace)
    ]
    if len(opening) == len(facts) and opening:
        opening.pop()  # something is left to be told
    later = [name for name in facts if name not in opening]
    changed: list[str] = []
    if shape.ending == "change":
        count = 2 if len(later) > 2 and random.random() < _number(settings.get("requirement_change"), 0.1) else 1
        held = [name for name in later if name in guidance.withhold] or later
        changed = sorted(random.sample(held, min(count, len(held))), key=list(facts).index)
    vary = [name for name in changed if random.random() < 0.5]
    added = [name for name in later if name not in changed]
    groups = _groups(added, random, always=shape.ending == "add")
    plans = [TurnPlan(move=shape.opening, due=opening, later=later, vary=vary)]
    left = list(later)
    for group in groups:
        left = [name for name in left if name not in group]
        plans.append(TurnPlan(move="add", due=group, later=left))
    if shape.ending == "change":
        plans.append(TurnPlan(move="change", due=changed))
    plans[-1] = plans[-1].model_copy(update={"last": True})
    return plans


def _groups(names: list[str], random: Random, always: bool) -> list[list[str]]:
    """`names` in one turn, or in two when there are many; with `always` at least one turn."""
    if not names:
        return [[]] if always else []
    if len(names) < 3 or random.random() < 0.5:
        return [names]
    middle = random.randrange(1, len(names))
    return [names[:middle], names[middle:]]


def first_share(settings: Mapping[str, Any]) -> float:
    """Share of the facts that this user states in its first turn."""
    reveal = settings.get("reveal")
    value = reveal.get("first_turn") if isinstance(reveal, Mapping) else None
    return min(max(_number(value, 0.6), 0.2), 0.9)


def _number(value: Any, default: float) -> float:
    usable = isinstance(value, int | float) and not isinstance(value, bool) and value == value
    return float(value) if usable else default
