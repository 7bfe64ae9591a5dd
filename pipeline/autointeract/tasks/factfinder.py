"""FactFinder: the facts of an admitted task - its own, else a model's, else those of the rules."""

from typing import Any

from autointeract.records import Fact
from autointeract.services import Services
from autointeract.tasks.candidate import Candidate
from autointeract.tasks.decompose import decompose
from autointeract.tasks.settings import TasksSettings


class FactFinder:
    """Decomposes statements as the settings say."""

    def __init__(self, settings: TasksSettings, services: Services):
        self.settings, self.services = settings, services

    def identity(self) -> dict[str, Any]:
        """What decides the facts besides the settings; part of the stage digest."""
        return {}

    async def facts(self, candidate: Candidate) -> tuple[list[Fact], str]:
        """The facts and where they come from (`given`, `model`, `rules`)."""
        if candidate.facts:
            return candidate.facts, "given"
        return decompose(candidate.statement), "rules"
