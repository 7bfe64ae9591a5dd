"""The shared words: what a turn is, what a user did, what became of an attempt. One table, used by every room.

Sources: reactions and strategies follow FACA (strategies) and SWE-chat (intents, pushback labels); `report_failure`,
and the polarity defaults where the FACA paper gives none, are ours.
"""

from typing import Literal, get_args

Role = Literal["user", "assistant", "tool"]
TurnKind = Literal[
    "human", "rejection", "interrupt", "approval", "command", "button", "injected", "compaction", "handoff",
    "tool_call", "tool_result", "text", "thinking",
]  # fmt: skip
HUMAN_ACTS: frozenset[str] = frozenset({"human", "rejection", "interrupt", "approval", "command", "button"})
"""Kinds that a person caused; only `human` and `rejection` carry words a person typed."""
TYPED_KINDS: frozenset[str] = frozenset({"human", "rejection"})

Intent = Literal["create", "refactor", "debug", "understand", "connect", "git", "test", "other"]
Reaction = Literal[
    "accept", "end", "new_request", "answer", "clarify", "correct", "reject", "report_failure", "change_requirement",
    "vague",
]  # fmt: skip
Specificity = Literal[0, 1, 2, 3]
"""0 no object, 1 names a goal, 2 names a place or behaviour, 3 gives values or steps."""

Strategy = Literal[
    "reveal_piece", "clarification", "challenge_solution", "confirmation", "close", "change_mind", "be_vague",
    "report_failure",
]  # fmt: skip
Origin = Literal["scripted", "reactive"]
"""Whether the scenario chose the strategy or the simulator reacted; only reactive turns are evidence for credit."""

STRATEGY_OF_REACTION: dict[str, str] = {
    "accept": "confirmation", "end": "close", "new_request": "reveal_piece", "answer": "reveal_piece",
    "clarify": "clarification", "correct": "challenge_solution", "reject": "challenge_solution",
    "report_failure": "report_failure", "change_requirement": "change_mind", "vague": "be_vague",
}  # fmt: skip
PUSHBACK_OF_REACTION: dict[str, tuple[str, ...]] = {
    "accept": ("non_pushback",), "end": ("non_pushback",), "new_request": ("non_pushback",),
    "answer": ("non_pushback",), "clarify": ("non_pushback",), "correct": ("correction",),
    "reject": ("rejection", "takeover"), "report_failure": ("failure_report",),
    "change_requirement": ("requirement_change",), "vague": ("pacing_complaint", "other"),
}  # fmt: skip
PUSHBACK_REACTIONS: frozenset[str] = frozenset({"correct", "reject", "report_failure"})
POLARITY: dict[str, int] = {
    "reveal_piece": 1, "confirmation": 1, "close": 1, "challenge_solution": -1, "report_failure": -1,
    "clarification": -1, "change_mind": 0, "be_vague": 0,
}  # fmt: skip

Scenario = Literal[
    "clarify_in_design", "change_in_design", "clarify_after_solution", "change_after_solution", "bug_iteration", "open",
]  # fmt: skip
ALGORITHMIC_SCENARIOS: tuple[str, ...] = tuple(name for name in get_args(Scenario) if name != "open")
Domain = Literal["algorithmic", "swe"]
Outcome = Literal[
    "accepted", "too_easy", "too_hard", "leak", "invalid", "unrealistic", "incoherent", "inconsistent", "fault",
]  # fmt: skip
Boundary = Literal[
    "simulator", "assistant", "evaluator", "controller", "weak", "strong", "sandbox", "provider", "budget", "verifier",
]  # fmt: skip
"""Who failed. A fault at `sandbox` or `provider` makes a score unknown; it is never a wrong answer."""
INFRASTRUCTURE: frozenset[str] = frozenset({"sandbox", "provider"})
"""Boundaries whose faults say nothing about the work: a later run takes it up again."""
FAULTS: dict[str, str] = {
    "simulator": "no usable turn of the simulated user",
    "assistant": "no usable answer of the assistant",
    "evaluator": "no usable verdict of the judge on a conversation",
    "judge": "no usable answer of the judge",
    "writer": "no usable text of the writer",
    "controller": "no usable guidance of the controller",
    "weak": "no usable answer of the weak solver",
    "strong": "no usable answer of the strong solver",
    "sandbox": "the sandbox broke: no score, never a wrong answer",
    "provider": "a model endpoint failed for good: no score, never a wrong answer",
    "budget": "money or tokens were spent",
    "verifier": "the task's verifier could not judge: no score, never a wrong answer",
}
"""What the names in every report's `faults` mean: the boundaries, and the two roles that make no attempts."""
Arm = Literal["guided", "null"]
Axis = Literal["expertise", "vagueness", "pushback", "requirement_change", "verbosity"]
AXES: tuple[str, ...] = get_args(Axis)
ModelRole = Literal["simulator", "judge", "controller", "writer", "assistant", "weak", "strong"]
MODEL_ROLES: tuple[str, ...] = get_args(ModelRole)
