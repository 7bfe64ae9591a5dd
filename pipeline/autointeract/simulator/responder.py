"""How the simulated provider plays the user: the rules of `symbolic`, fed from the prompt's variables and the text of
the behavior prompt alone. That text has one effect: the assistant-like manners it speaks against are dropped
(`symbolic.manners`); an empty one leaves all of them.
"""

import json
import re
from typing import Any

from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.records import rng
from autointeract.simulator.turn import PROMPT
from autointeract.symbolic.free import free_turn
from autointeract.symbolic.manners import NAMES, dropped
from autointeract.symbolic.user import Habits, Line, Situation, speak

_REMINDERS = ("private", "every", "natural", "follow", "habits")
_ASSERTION = re.compile(r"^\s*assert\s+(.+?)\s*==\s*(.+)$", re.DOTALL)


@for_prompt("user_turn")
def simulated_user(request: SimulatedRequest) -> SimulatedReply:
    """One user turn by rules."""
    data = request.variables or {}
    habits, manners = Habits.of(data.get("settings")), manners_under(request.system.removesuffix(PROMPT.text))
    said = tuple(turn["content"] for turn in data["conversation"] if turn["role"] == "user")
    task, plan = data.get("task"), data.get("plan")
    if task and plan:
        line = speak(_situation(data, task, plan, said, habits, manners), rng("user", request.seed))
    else:
        line = free_turn(said, _before(data), habits, manners, request.seed, _mix(data.get("settings")))
    return SimulatedReply(text=json.dumps(_reply(line), ensure_ascii=False))


def manners_under(behavior: str) -> frozenset[str]:
    """The manners that show under this behavior prompt."""
    return NAMES - dropped(behavior)


def _before(data: dict[str, Any]) -> str:
    last = data["conversation"][-1] if data["conversation"] else None
    return last["content"] if last and last["role"] == "assistant" else ""


def _mix(settings: Any) -> dict[str, float]:
    mix = settings.get("request_mix") if isinstance(settings, dict) else None
    return {k: float(v) for k, v in mix.items() if isinstance(v, int | float)} if isinstance(mix, dict) else {}


def _reply(line: Line) -> dict[str, Any]:
    return {"strategy": line.strategy, "utterance": line.utterance, "facts": list(line.facts)}


def _situation(
    data: dict[str, Any], task: dict[str, Any], plan: dict[str, Any], said: tuple[str, ...], habits: Habits,
    manners: frozenset[str],
) -> Situation:  # fmt: skip
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
        manners=manners,
        repository=plan["move"] == "open",
    )


def worked_case(assertion: str) -> str | None:
    """`assert f(2) == 4` as a person writes it: "`f(2)` comes out as `4`"; null for other shapes."""
    match = _ASSERTION.match(assertion)
    return f"`{match.group(1)}` comes out as `{match.group(2).strip()}`" if match else None
