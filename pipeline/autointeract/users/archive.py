"""The archive of profiles (MAP-Elites, J.-B. Mouret and J. Clune 2015, arXiv:1504.04909): several elites a niche.

`ask` names the niches furthest below their target share and a parent in each; `tell` says what became of a proposal.
Only niches seen among real users exist. The caller owns evaluation; the archive owns who is kept and why. Every
proposal is remembered with its outcome.
"""

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

from autointeract.records import Profile, Record, rng

Outcome = Literal["kept", "fault", "private", "duplicate", "far", "unfaithful", "outside", "crowded"]


class Ask(Record):
    """One proposal wanted: vary `parent_id` within its niche."""

    number: int
    niche: str
    parent_id: str


class Proposal(Record):
    """What became of one proposal.

    Attributes:
        similarity: to the nearest kept text; null when it was never compared.
        fidelity: null when it was never audited.
        replaced: id of the elite it took the place of.
    """

    number: int
    niche: str
    parent_id: str
    outcome: Outcome
    similarity: float | None = None
    fidelity: float | None = None
    replaced: str | None = None
    detail: str = ""


class Archive:
    """Elites by niche.

    Args:
        real: the real users' profiles; they are members of their niches and are never replaced.
        targets: wanted share of each observed niche; they sum to 1.
        population: profiles wanted in all, the real ones included.
        elites: most members of a niche, unless its target share asks for more.
    """

    def __init__(self, real: Iterable[Profile], targets: Mapping[str, float], population: int, elites: int, seed: int):
        self.targets = dict(targets)
        self.population, self.elites, self.seed = population, elites, seed
        self.members: dict[str, list[Profile]] = {niche: [] for niche in sorted(self.targets)}
        self.log: list[Proposal] = []
        self._pending: Counter[str] = Counter()
        self._asked = 0
        for row in real:
            self.members[row.niche].append(row)

    @property
    def size(self) -> int:
        """Profiles kept."""
        return sum(len(rows) for rows in self.members.values())

    def capacity(self, niche: str) -> int:
        """Most members of a niche."""
        real = sum(row.generation == 0 for row in self.members[niche])
        return max(self.elites, math.ceil(self.targets[niche] * self.population), real)

    def ask(self, count: int) -> list[Ask]:
        """At most `count` proposals, fewer when the population is nearly full."""
        asks = []
        for _ in range(min(count, max(self.population - self.size - sum(self._pending.values()), 0))):
            niche = max(self.members, key=lambda name: (self._lack(name), name))
            draw = rng("parent", self.seed, self._asked)
            parent = draw.choice(self.members[niche])
            asks.append(Ask(number=self._asked, niche=niche, parent_id=parent.profile_id))
            self._pending[niche] += 1
            self._asked += 1
        return asks

    def tell(
        self,
        ask: Ask,
        outcome: Outcome,
        child: Profile | None = None,
        similarity: float | None = None,
        detail: str = "",
    ) -> Proposal:
        """Records the outcome; a child whose evaluation said "kept" still needs room in its niche.

        Raises:
            ValueError: a kept child that is not of the asked niche, or changes its parent's settings.
        """
        self._pending[ask.niche] -= 1
        replaced = None
        if outcome == "kept" and child is not None:
            parent = self.find(ask.parent_id)
            if (
                child.niche != ask.niche
                or child.settings_json != parent.settings_json
                or child.user_id != parent.user_id
            ):
                raise ValueError("a child keeps its parent's niche, settings and user")
            outcome, replaced = self._place(child)
        found = Proposal(
            number=ask.number, niche=ask.niche, parent_id=ask.parent_id, outcome=outcome, similarity=similarity,
            fidelity=child.fidelity if child else None, replaced=replaced, detail=detail,
        )  # fmt: skip
        self.log.append(found)
        return found

    def find(self, profile_id: str) -> Profile:
        """A member by id (KeyError if it is not, or no longer, kept)."""
        for rows in self.members.values():
            for row in rows:
                if row.profile_id == profile_id:
                    return row
        raise KeyError(profile_id)

    def profiles(self) -> list[Profile]:
        """Every member, by niche, real users first."""
        return [row for niche in sorted(self.members) for row in self.members[niche]]

    def stats(self) -> dict[str, float | int]:
        """Coverage of the observed niches, QD score (sum of each niche's best fidelity) and its mean over niches."""
        best = [max((row.fidelity or 0.0 for row in rows), default=0.0) for rows in self.members.values()]
        filled = sum(bool(rows) for rows in self.members.values())
        return {
            "profiles": self.size, "niches": len(self.members), "coverage": filled / max(len(self.members), 1),
            "qd_score": round(sum(best), 6), "norm_qd_score": round(sum(best) / max(len(best), 1), 6),
            "proposals": len(self.log),
        }  # fmt: skip

    def _lack(self, niche: str) -> float:
        return self.targets[niche] * self.population - len(self.members[niche]) - self._pending[niche]

    def _place(self, child: Profile) -> tuple[Outcome, str | None]:
        if child.niche not in self.members:
            return "outside", None
        rows = self.members[child.niche]
        if len(rows) < self.capacity(child.niche):
            rows.append(child)
            return "kept", None
        worst = min((row for row in rows if row.generation > 0), key=lambda row: row.fidelity or 0.0, default=None)
        if worst is None or (child.fidelity or 0.0) <= (worst.fidelity or 0.0):
            return "crowded", None
        rows[rows.index(worst)] = child
        return "kept", worst.profile_id
