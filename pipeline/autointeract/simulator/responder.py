"""How the simulated provider plays the user: the rules of `symbolic`, fed from the prompt's variables alone."""

import json
import re
from typing import Any

from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import rng
from autointeract.symbolic.user import Habits, Line, Situation, free_turn, speak

_REMINDERS = ("private", "every", "natural", "follow", "habits")
_ASSERTION = re.compile(r"^\s*assert\s+(.+?)\s*==\s*(.+)$", re.DOTALL)


@for_prompt("user_turn")
def simulated_user(request: SimulatedRequest) -> SimulatedReply:
    """One user turn by rules."""
    data = request.variables or {}
    random = rng("user", request.seed)
    habits = Habits.of(data.get("settings"))
    said = tuple(turn["content"] for turn in data["conversation"] if turn["role"] == "user")
    task, plan = data.get("task"), data.get("plan")
    if not task or not plan:
        line = free_turn(said, habits, random)
    else:
        line = speak(_situation(data, task, plan, said, habits), random)
    return SimulatedReply(text=json.dumps(_reply(line), ensure_ascii=False))


def _reply(line: Line) -> dict[str, Any]:
    return {"strategy": line.strategy, "utterance": line.utterance, "facts": list(line.facts)}


def _situation(
    data: dict[str, Any], task: dict[str, Any], plan: dict[str, Any], said: tuple[str, ...], habits: Habits
) -> Situation:
    facts = {fact["id"]: fact["text"] for fact in task["facts"]}
    guidance = data.get("guidance") or {}
    text = str(guidance.get("text") or "").lower()
    return Situation(
        move=plan["move"] if plan["move"] != "open" else ("open_build" if not said else "add"),
        last=bool(plan["last"]),
        interface=task["interface"],
        name=task.get("entry_point") or "a program",
        due=tuple((name, facts[name]) for name in plan["due"] if name in facts),
        later=tuple((name, facts[name]) for name in plan["later"] if name in facts),
        vary=frozenset(plan.get("vary", ())),
        said=said,
        worked=any("```" in turn["content"] for turn in data["conversation"] if turn["role"] == "assistant"),
        cases=tuple(plan.get("cases", ())),
        examples=tuple(filter(None, (worked_case(case) for case in task.get("public_cases", ())))),
        private=tuple(task.get("checks", ())),
        withhold=frozenset(guidance.get("withhold") or ()),
        reveal=frozenset(guidance.get("reveal") or ()),
        directness=guidance.get("directness"),
        careful=frozenset(word for word in _REMINDERS if word in text),
        habits=habits,
        repository=plan["move"] == "open",
    )


def worked_case(assertion: str) -> str | None:
    """`assert f(2) == 4` as a person writes it: "`f(2)` comes out as `4`"; null for other shapes."""
    match = _ASSERTION.match(assertion)
    return f"`{match.group(1)}` comes out as `{match.group(2).strip()}`" if match else None
