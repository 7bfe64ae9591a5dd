"""Runs many items with bounded memory: asyncio on one machine, Ray on many; the same worker in both."""

from autointeract.engine.local import Engine, EngineSettings, Stop

__all__ = ["Engine", "EngineSettings", "Stop"]
