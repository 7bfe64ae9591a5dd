"""Chooses the backend: what the settings name, or the best one that works here."""

from autointeract.errors import SandboxUnavailableError
from autointeract.execution.bubblewrap import Bubblewrap, works
from autointeract.execution.lane import Sandbox
from autointeract.execution.settings import ExecutionSettings


async def sandbox(settings: ExecutionSettings, run_id: str) -> Sandbox:
    """The backend to use; raises SandboxUnavailableError, with the remedies, where none works."""
    if settings.backend in ("auto", "bubblewrap"):
        reason = works()
        if reason is None:
            return Bubblewrap()
        raise SandboxUnavailableError(reason)
    raise SandboxUnavailableError(f"backend {settings.backend!r} is not available in this version")
