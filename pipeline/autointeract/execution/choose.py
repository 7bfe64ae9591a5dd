"""Chooses the backend: what the settings name, or the best one that works here."""

import asyncio

from autointeract.errors import SandboxUnavailableError
from autointeract.execution import containers
from autointeract.execution.bubblewrap import Bubblewrap, works
from autointeract.execution.lane import Sandbox
from autointeract.execution.settings import ExecutionSettings


async def backend(settings: ExecutionSettings) -> str:
    """`docker`, `bubblewrap` or `remote`; raises SandboxUnavailableError, with the remedies, where none works."""
    if settings.backend != "auto":
        return settings.backend
    if settings.remote_urls:
        return "remote"
    try:
        await asyncio.to_thread(containers.ready, settings)
        return "docker"
    except SandboxUnavailableError as error:
        reason = await asyncio.to_thread(works)
        if reason is None:
            return "bubblewrap"
        raise SandboxUnavailableError(f"no sandbox can be had here. {error}. {reason}") from error


async def sandbox(settings: ExecutionSettings, name: str, run_id: str, image: str) -> Sandbox:
    """The sandbox of a local backend; a Docker engine is swept first of what killed runs left."""
    if name == "docker":
        made = await asyncio.to_thread(containers.Docker, settings, run_id, image)
        await asyncio.to_thread(containers.sweep, settings)
        return made
    reason = await asyncio.to_thread(works)
    if reason is not None:
        raise SandboxUnavailableError(reason)
    return Bubblewrap()
