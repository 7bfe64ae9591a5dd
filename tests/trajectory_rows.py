"""Trajectories and attempts for tests: small, valid, and different from each other by number."""

import json
from typing import Any

from autointeract.records import AssertionsSpec, Attempt, Message, Trajectory, UserTurn, dump_spec

REAL = {role: {"model": f"real/{role}", "simulated": False} for role in ("simulator", "assistant", "weak", "strong")}
SIMULATED = {role: {"model": f"simulated/{role}", "simulated": True} for role in ("simulator", "weak", "strong")}


def spec(number: int = 0) -> str:
    """A verifier that wants `f(x) == x + number`."""
    return dump_spec(AssertionsSpec(entry_point="f", assertions=[f"assert f({x}) == {x + number}" for x in range(5)]))


def trajectory(number: int = 0, **changes: Any) -> Trajectory:
    """Trajectory `number` on task `task-<number>`; `changes` replace fields."""
    prompt = changes.pop("prompt", None) or [
        Message(role="user", content=f"I need a function f, number {number}."),
        Message(role="assistant", content="What should it return?"),
        Message(role="user", content=f"Its argument plus {number}, in Python: f(x)."),
    ]
    verifier = changes.pop("verifier_json", spec(number))
    fields: dict[str, Any] = {
        "trajectory_id": _id(prompt, verifier, changes.get("repo_state"), number),
        "domain": "algorithmic", "scenario": "clarify_in_design", "round": number % 3, "prompt": prompt,
        "turns": [
            UserTurn(index=2, strategy="reveal_piece", polarity=1, origin="scripted", facts=["a"], visible_chars=40)
        ],
        "verifier_json": verifier, "source_task_id": f"task-{number}", "source": "sample", "license": "MIT",
        "profile_id": "p1", "niche": "mid/low/low/low/mid", "prompt_id": "q1", "weak_scores": [0.0, 0.4, 0.2],
        "strong_scores": [1.0, 1.0, 0.8], "weak_score": 0.2, "strong_score": 14 / 15, "checks_json": "{}",
        "guidance": "", "models_json": json.dumps(REAL), "usage_json": "{}", "seed": number, "config_sha": "c",
        "software": "autointeract test",
    }  # fmt: skip
    return Trajectory(**(fields | changes))


def _id(prompt: list[Message], verifier: str, state: str | None, number: int) -> str:
    try:
        return Trajectory.make_id(prompt, verifier, state)
    except ValueError:  # no number, or no Unicode: such a row cannot come from synthesis, only from a damaged file
        return f"{number:064x}"


def tool_prompt(arguments: Any = None, text: bool = False) -> list[Message]:
    """A conversation with one tool call; `text` gives its arguments as JSON text."""
    value = {} if arguments is None else arguments
    call = {
        "id": "c1", "type": "function",
        "function": {"name": "run", "arguments": json.dumps(value) if text else value},
    }  # fmt: skip
    return [
        Message(role="user", content="fix it"),
        Message(role="assistant", content="", tool_calls_json=json.dumps([call])),
        Message(role="tool", content="done", tool_call_id="c1", name="run"),
        Message(role="user", content="and the other one"),
    ]


def attempt(item: str, round: int, outcome: str, arm: str = "guided", **changes: Any) -> Attempt:
    """One attempt of an item."""
    fields: dict[str, Any] = {
        "item_id": item, "arm": arm, "round": round, "task_id": f"task-{item}", "profile_id": "p1", "prompt_id": "q1",
        "domain": "algorithmic", "scenario": "clarify_in_design", "outcome": outcome,
    }  # fmt: skip
    return Attempt(**(fields | changes))
