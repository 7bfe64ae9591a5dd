"""Figures: what a run shows, added up item by item so that memory does not grow with conversations.

`details()` holds what the report page draws. The comparison of the arms is made on the items that ran both, after each
round; its interval is a bootstrap over tasks (items of one task are not independent).
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

from autointeract.records import Attempt, derive_seed, load_json
from autointeract.records.vocabulary import INFRASTRUCTURE
from autointeract.synthesis.sampling import Item
from autointeract.synthesis.settings import SynthesisSettings

RESAMPLES = 2000
LEVEL = 0.95
PAPER = {
    "algorithmic": {"first": 0.094, "last": 0.281, "first_too_easy": 0.832},
    "swe": {"first": 0.266, "last": 0.509},
}
"""Accepted shares after the first and the last round (AutoInteract paper); drawn only beside runs with real models."""


class Figures:
    """Adds up finished items."""

    def __init__(self, settings: SynthesisSettings):
        self.settings = settings
        self.outcomes: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.by_round: dict[tuple[str, int], Counter[str]] = defaultdict(Counter)
        self.scenarios: dict[str, Counter[str]] = defaultdict(Counter)
        self.scenario_outcomes: dict[str, Counter[str]] = defaultdict(Counter)
        self.round_cost: dict[int, Counter[str]] = defaultdict(Counter)
        self.tokens: Counter[str] = Counter()
        self.null_tokens: Counter[str] = Counter()
        self.solver_calls = 0
        self.fixed_calls = 0
        self.confirmed: list[dict[str, Any]] = []
        self.full: Counter[str] = Counter()
        self.full_items = 0
        self.unfinished = self.given_up = 0
        self._items: list[tuple[str, int | None, int | None, bool]] = []

    def add(self, item: Item, attempts: Sequence[Attempt]) -> None:
        """Counts one finished item."""
        rounds: dict[str, int] = {}
        for attempt in attempts:
            if attempt.outcome == "accepted":
                rounds[attempt.arm] = attempt.round
            if attempt.outcome == "fault":
                self.faults[attempt.fault or "unknown"] += 1
            self.by_round[attempt.arm, attempt.round][attempt.outcome] += 1
            if attempt.outcome != "fault" or attempt.fault not in INFRASTRUCTURE:
                self._usage(attempt, item.scenario)  # else the next try asks for the very same replies
                self._solvers(attempt)
        guided = rounds.get("guided")
        shared = guided if guided == 0 else None
        self._items.append((item.task_id, guided, rounds.get("null", shared), item.null_arm))
        self.scenarios[item.scenario]["items"] += 1
        self.scenarios[item.scenario]["accepted"] += guided is not None
        last = [attempt for attempt in attempts if attempt.arm == "guided"][-1]
        self.outcomes[last.outcome] += 1
        first = next((attempt for attempt in attempts if attempt.outcome != "fault"), attempts[0])
        self.scenario_outcomes[item.scenario][first.outcome] += 1
        if item.full:
            self._diagnosis(first)
        checks = load_json(last.checks_json, {})
        if guided is not None and "confirmation" in checks:
            self.confirmed.append({"weak": last.weak_scores, "strong": last.strong_scores, **checks["confirmation"]})

    @property
    def accepted(self) -> int:
        """Items accepted in the guided arm."""
        return sum(guided is not None for _, guided, _, _ in self._items)

    def details(self, usage: dict[str, Any], models: dict[str, Any]) -> dict[str, Any]:
        """Everything the report page draws; see the module's docstring."""
        simulated = any(entry.get("simulated") for entry in models.values())
        accepted = max(self.accepted, 1)
        money = usage.get("total", usage).get("money")
        each = {name: value / accepted for name, value in sorted(self.tokens.items())} if self.accepted else None
        cost = {
            "guided": dict(self.tokens), "null": dict(self.null_tokens),
            "per_accepted": each,
            "money": money, "money_per_accepted": money / accepted if money is not None and self.accepted else None,
        }  # fmt: skip
        return {
            "acceptance": self._acceptance(), "comparison": self._comparison(),
            "failures": [
                {"arm": arm, "round": round, "outcomes": dict(sorted(counts.items()))}
                for (arm, round), counts in sorted(self.by_round.items())
            ],
            "scenarios": {
                name: {**_each(counts), "first": dict(sorted(self.scenario_outcomes[name].items()))}
                for name, counts in sorted(self.scenarios.items())
            },
            "cost": cost,
            "cost_by_round": [{"round": round, **_each(counts)} for round, counts in sorted(self.round_cost.items())],
            "solver_calls": {
                "made": self.solver_calls, "fixed_schedule": self.fixed_calls,
                "ratio": self.solver_calls / self.fixed_calls if self.fixed_calls else None,
            },
            "confirmation": self._confirmation(),
            "full_diagnosis": {"items": self.full_items, "failed_checks": dict(sorted(self.full.items()))},
            "simulated": simulated, "paper": None if simulated else PAPER,
        }  # fmt: skip

    def _acceptance(self) -> dict[str, Any]:
        rounds = list(range(self.settings.rounds + 1))
        total = max(len(self._items), 1)
        share = [sum(g is not None and g <= r for _, g, _, _ in self._items) / total for r in rounds]
        return {"items": len(self._items), "rounds": rounds, "guided": share}

    def _comparison(self) -> dict[str, Any] | None:
        """Both arms on the items that ran both."""
        import numpy as np

        both = [(task, g, n) for task, g, n, in_sample in self._items if in_sample]
        if not both:
            return None
        tasks = sorted({task for task, _, _ in both})
        place = {task: number for number, task in enumerate(tasks)}
        rounds = list(range(self.settings.rounds + 1))
        sums = np.zeros((len(tasks), len(rounds), 3))  # task, round, (guided, null, items)
        for task, guided, null in both:
            for r in rounds:
                sums[place[task], r] += (guided is not None and guided <= r, null is not None and null <= r, 1)
        generator = np.random.default_rng(derive_seed("bootstrap", len(both)))
        low_q, high_q = (1 - LEVEL) / 2, (1 + LEVEL) / 2
        differences = np.empty((RESAMPLES, len(rounds)))
        for number in range(RESAMPLES):
            drawn = sums[generator.integers(0, len(tasks), len(tasks))].sum(axis=0)
            differences[number] = (drawn[:, 0] - drawn[:, 1]) / drawn[:, 2]
        total = sums.sum(axis=0)
        guided, null = total[:, 0] / total[:, 2], total[:, 1] / total[:, 2]
        low, high = np.quantile(differences, low_q, axis=0), np.quantile(differences, high_q, axis=0)
        return {
            "items": len(both), "tasks": len(tasks), "rounds": rounds, "guided": _list(guided), "null": _list(null),
            "difference": _list(guided - null), "low": _list(low), "high": _list(high), "level": LEVEL,
            "resamples": RESAMPLES,
        }  # fmt: skip

    def _confirmation(self) -> dict[str, Any] | None:
        if not self.confirmed:
            return None

        def mean(name: str) -> float:
            values = [score for entry in self.confirmed for score in entry[name]]
            return sum(values) / len(values)

        return {
            "rows": len(self.confirmed), "held": sum(entry["passed"] for entry in self.confirmed),
            "weak": mean("weak"), "weak_fresh": mean("weak_scores"), "strong": mean("strong"),
            "strong_fresh": mean("strong_scores"),
        }  # fmt: skip

    def _diagnosis(self, first: Attempt) -> None:
        self.full_items += 1
        for name, check in load_json(first.checks_json, {}).items():
            if isinstance(check, dict) and check.get("passed") is False:
                self.full[name] += 1

    def _usage(self, attempt: Attempt, scenario: str) -> None:
        """Adds up what the arm used; of the guided arm by round and by scenario too."""
        counters = [self.null_tokens]
        if attempt.arm == "guided":
            counters = [self.tokens, self.round_cost[attempt.round], self.scenarios[scenario]]
            self.round_cost[attempt.round]["attempts"] += 1
            self.round_cost[attempt.round]["accepted"] += attempt.outcome == "accepted"
        for usage in load_json(attempt.usage_json, {}).values():
            for counter in counters:
                counter["calls"] += usage["calls"]
                counter["tokens"] += usage["prompt_tokens"] + usage["completion_tokens"]

    def _solvers(self, attempt: Attempt) -> None:
        if attempt.weak_scores:
            self.solver_calls += len(attempt.weak_scores) + len(attempt.strong_scores)
            self.fixed_calls += 2 * self.settings.band.samples


def _each(counts: Counter[str]) -> dict[str, Any]:
    """The counts, and what one accepted trajectory cost of them (null where there is none)."""
    accepted = counts["accepted"]
    each = {f"{name}_per_accepted": counts[name] / accepted if accepted else None for name in ("calls", "tokens")}
    return {**{name: int(value) for name, value in counts.items()}, **each}


def _list(values: Any) -> list[float]:
    return [round(float(value), 6) for value in values]
