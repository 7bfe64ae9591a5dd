"""How the simulated provider plays the judges: by the rules of `symbolic`, from what each judge is shown."""

import json
from typing import Any

from autointeract.models.simulated.mutants import likeness
from autointeract.models.simulated.registry import SimulatedReply, SimulatedRequest, for_prompt
from autointeract.symbolic import phrases, read
from autointeract.symbolic.forms import tokens

_COST_OF_A_LINE = 0.3
"""What a reader takes off for a line that differs from the reference (ours)."""


@for_prompt("judge_validity")
def validity(request: SimulatedRequest) -> SimulatedReply:
    """Every fact must be readable in some form."""
    data = request.variables or {}
    turns = _user_turns(data)
    missing = [fact["id"] for fact in data["task"]["facts"] if read(fact["text"], turns) is None]
    return _json(
        determined=not missing, missing=missing, contradicted=[], leaks=False,
        reason=f"{len(missing)} facts cannot be recovered" if missing else "every fact can be recovered",
    )  # fmt: skip


@for_prompt("judge_realism")
def realism(request: SimulatedRequest) -> SimulatedReply:
    """Ceremony gives a simulation away."""
    canned = sum(phrases.CANNED[:40] in turn for turn in _user_turns(request.variables or {}))
    return _json(
        score=0.2 if canned else 0.9, reason="reads like a form letter" if canned else "plain and to the point"
    )


@for_prompt("judge_coherence")
def coherence(request: SimulatedRequest) -> SimulatedReply:
    """A turn that repeats an earlier one does not follow from it."""
    turns = [tokens(turn) for turn in _user_turns(request.variables or {})]
    repeated = any(
        len(before) > 3 and " ".join(before) in " ".join(turn)
        for number, turn in enumerate(turns)
        for before in turns[:number]
    )
    return _json(score=0.3 if repeated else 0.9, reason="repeats an earlier message" if repeated else "follows on")


@for_prompt("judge_consistency")
def consistency(request: SimulatedRequest) -> SimulatedReply:
    """A user whose turns are short does not tell stories."""
    data = request.variables or {}
    terse = _verbosity(data.get("settings")) < 0.6
    rambles = any(phrases.RAMBLE[:40] in turn for turn in _user_turns(data))
    off = terse and rambles
    return _json(score=0.3 if off else 0.9, reason="far longer than this user writes" if off else "fits the profile")


@for_prompt("judge_answer")
def answer(request: SimulatedRequest) -> SimulatedReply:
    """Reads code without running it: the more lines differ from the reference, the worse, whether it matters or not."""
    data = request.variables or {}
    reference, checks = data["task"]["reference"], data["task"]["checks"]
    if "patch" in reference:
        wanted, given = _added(reference["patch"]), _added(data["answer"])
        score = max(0.0, 1 - _COST_OF_A_LINE * len(wanted ^ given))
    else:
        block = data["answer"].split("```python\n")[-1].split("```")[0] if "```" in data["answer"] else ""
        score = max(0.0, 1 - _COST_OF_A_LINE * likeness(str(reference.get("code", "")), block)) if block else 0.0
    total = len(checks) if isinstance(checks, list) else sum(len(v) for v in checks.values() if isinstance(v, list))
    return _json(score=score, failing=list(range(round(total * score), total)), reason="compared with the reference")


def _added(patch: str) -> set[str]:
    return {line for line in patch.splitlines() if line.startswith("+") and not line.startswith("+++")}


@for_prompt("judge_cause")
def cause(request: SimulatedRequest) -> SimulatedReply:
    """The simulator is to blame where a fact cannot be read at all."""
    data = request.variables or {}
    turns = _user_turns(data)
    lost = [fact["id"] for fact in data["task"]["facts"] if read(fact["text"], turns) is None]
    reason = "a requirement cannot be recovered" if lost else "the messages were sufficient"
    return _json(cause="simulator" if lost else "solver", facts=lost, reason=reason)


def _verbosity(settings: Any) -> float:
    value = settings.get("verbosity") if isinstance(settings, dict) else None
    return float(value) if isinstance(value, int | float) else 0.4


def _user_turns(data: dict[str, Any]) -> list[str]:
    return [turn["content"] for turn in data["conversation"] if turn["role"] == "user"]


def _json(**fields: Any) -> SimulatedReply:
    return SimulatedReply(text=json.dumps(fields, ensure_ascii=False))
