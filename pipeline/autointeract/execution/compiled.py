"""Compiles C++ in a sandbox, once for each source: binaries are remembered by digest of all that went in."""

from base64 import b64decode, b64encode
from dataclasses import dataclass
from typing import Any

from autointeract.execution.cache import VerdictCache
from autointeract.execution.pool import Pool
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import digest

FLAGS = ["-O2", "-pipe", "-std=gnu++17", "-w", "-fmax-errors=3"]
"""LiveCodeBench-Pro's command, and quieter."""
MEMORY_SLACK_MB = 256
"""Address space that g++ maps and never touches."""
KEPT = 64


@dataclass(frozen=True)
class Compiled:
    """A program ready to run: Python source, or a binary (base64); `message` = why there is none."""

    source: str | None = None
    binary: str | None = None
    message: str | None = None

    def runnable(self) -> dict[str, Any]:
        """The part of a job that runs it."""
        if self.source is not None:
            code = b64encode(self.source.encode("utf-8", "replace")).decode()
            return {"files": {"main.py": code}, "python": "main.py", "argv": []}
        return {"files": {"main": self.binary}, "python": None, "argv": ["./main"]}


class Compiler:
    """`compile` with a cache: in the verdicts' file where there is one, else the last few in memory."""

    def __init__(self, pool: Pool, settings: ExecutionSettings, cache: VerdictCache | None, where: str):
        self._pool = pool
        self._settings = settings
        self._cache = cache
        self._where = where
        self._recent: dict[str, Compiled] = {}

    async def compile(self, source: str, side: str, headers: dict[str, bytes]) -> Compiled:
        """The binary, or the compiler's message.

        Args:
            source: one C++ file.
            side: `candidate` for a submission, `examiner` for a checker or interactor.
            headers: further files beside it.
        """
        files = {name: b64encode(data).decode() for name, data in sorted(headers.items())}
        files["main.cpp"] = b64encode(source.encode("utf-8", "replace")).decode()
        key = digest(["cpp", FLAGS, side, self._where, files])
        known = self._recent.get(key)
        if known is None and self._cache and (binary := self._cache.get_binary(key)):
            known = Compiled(binary=b64encode(binary).decode())
        if known is None:
            known = await self._run(files, side)
            if self._cache and known.binary:
                self._cache.put_binary(key, b64decode(known.binary))
        self._recent[key] = known
        while len(self._recent) > KEPT:
            del self._recent[next(iter(self._recent))]
        return known

    async def _run(self, files: dict[str, str], side: str) -> Compiled:
        limits = self._settings.limits
        bounds = {
            "disk_mb": limits.disk_mb, "files": limits.files, "processes": limits.processes, "stack_mb": 64,
            "cpu_s": int(limits.compile_limit_s), "memory_mb": limits.compile_memory_mb + MEMORY_SLACK_MB,
        }  # fmt: skip
        job = {
            "op": "compile", "side": side, "files": files, "argv": ["g++", *FLAGS, "main.cpp", "-o", "main"],
            "collect": "main", "limits": bounds, "wall_s": 3 * limits.compile_limit_s,
        }  # fmt: skip
        reply = await self._pool.run(job, 3 * limits.compile_limit_s + 60)
        if reply["binary"] is None:
            return Compiled(message=reply["message"] or "g++ failed: it ran out of time or memory, or is not installed")
        return Compiled(binary=reply["binary"])
