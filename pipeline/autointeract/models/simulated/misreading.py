"""How often a simulated solver misunderstands a requirement, by the form in which the user stated it."""

from collections.abc import Sequence

from autointeract.models.simulated import book as answer_book
from autointeract.records import SourceTask, rng

MISREAD: dict[str, dict[str | None, float]] = {
    "weak": {"direct": 0.03, "paraphrase": 0.65, "superseded": 0.55, "example": 0.75, "spread": 0.8, None: 0.95},
    "strong": {"direct": 0.0, "paraphrase": 0.03, "superseded": 0.04, "example": 0.05, "spread": 0.06, None: 0.8},
}
"""Chance that a requirement in this form is misunderstood (ours; chosen so that directness orders difficulty)."""
CARELESS: dict[str, float] = {"weak": 0.08, "strong": 0.02}
"""Chance of one fault although everything was understood (ours)."""


def misread(task: SourceTask, turns: Sequence[str], level: str, seed: int) -> int:
    """How many faults a solver of this level makes after reading the user turns."""
    faults = 0
    for fact_id, form in answer_book.forms_of(task, turns).items():
        faults += rng("misread", seed, fact_id).random() < MISREAD[level][form]
    return faults or int(rng("careless", seed).random() < CARELESS[level])
