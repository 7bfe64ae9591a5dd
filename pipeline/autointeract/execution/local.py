"""Judges on this machine: one pool of lanes for functions, one for programs, fresh containers for repositories."""

import asyncio
from pathlib import Path
from typing import Protocol

from autointeract.errors import InputError
from autointeract.execution import archive, choose, functions, programs
from autointeract.execution.cache import VerdictCache
from autointeract.execution.compiled import Compiler
from autointeract.execution.pool import Pool
from autointeract.execution.repositories import Repositories
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import (
    AssertionsSpec,
    PytestSpec,
    State,
    StdioFilesSpec,
    StdioSpec,
    Submission,
    Verdict,
    VerifierSpec,
)


class Judge(Protocol):
    """Whatever gives verdicts: this machine, or others over HTTP."""

    async def judge(self, spec: VerifierSpec, submission: Submission, state: State | None) -> Verdict:
        """The verdict; raises SandboxError where the machinery failed, InputError where the spec cannot be judged."""
        ...

    async def close(self) -> None:
        """Ends everything that judging started."""
        ...


class LocalJudge:
    """Judges in sandboxes of one backend; pools are made when first needed and share the lanes."""

    def __init__(
        self, settings: ExecutionSettings, backend: str, run_id: str, cache: VerdictCache | None,
        blob_path: Path | None,
    ):  # fmt: skip
        self._settings = settings
        self._backend = backend
        self._run_id = run_id
        self._cache = cache
        self._blob_path = blob_path
        self._slots = asyncio.Semaphore(settings.lanes)
        self._pools: dict[str, Pool] = {}
        self._making = asyncio.Lock()
        self._compiler: Compiler | None = None
        self._suites = asyncio.Semaphore(settings.swe_lanes)
        self._repositories = Repositories(settings, backend, run_id)

    async def judge(self, spec: VerifierSpec, submission: Submission, state: State | None) -> Verdict:
        """The verdict, as `Judge` says."""
        if isinstance(spec, AssertionsSpec):
            pool = await self._pool(self._settings.python_image)
            return await functions.judge(spec, submission, pool, self._settings)
        if isinstance(spec, StdioSpec):
            return await programs.judge_stdio(spec, submission, await self._tools())
        if isinstance(spec, StdioFilesSpec):
            return await self._from_archive(spec, submission)
        return await self._repository(spec, submission, state)

    async def _from_archive(self, spec: StdioFilesSpec, submission: Submission) -> Verdict:
        path = await asyncio.to_thread(archive.find, spec.archive_sha256, self._blob_path)
        problem = await asyncio.to_thread(archive.load, path, spec.checker, spec.interactor)
        return await programs.judge_files(spec, submission, problem, await self._tools())

    async def _repository(self, spec: PytestSpec, submission: Submission, state: State | None) -> Verdict:
        if state is None:
            raise InputError("a pytest spec needs a state: which image the patch applies to")
        async with self._suites:
            return await self._repositories.judge(spec, submission, state)

    async def _tools(self) -> programs.Tools:
        pool = await self._pool(self._settings.cpp_image)
        if self._compiler is None:
            where = f"{self._backend}:{self._settings.cpp_image if self._backend == 'docker' else ''}"
            self._compiler = Compiler(pool, self._settings, self._cache, where)
        headers: dict[str, bytes] = {}
        if self._settings.testlib is not None:
            try:
                headers["testlib.h"] = await asyncio.to_thread(Path(self._settings.testlib).read_bytes)
            except OSError as error:
                raise InputError(f"execution.testlib: {self._settings.testlib}: {error.strerror}") from error
        return programs.Tools(pool, self._compiler, self._settings, headers)

    async def _pool(self, image: str) -> Pool:
        key = image if self._backend == "docker" else ""
        async with self._making:
            if key not in self._pools:
                sandbox = await choose.sandbox(self._settings, self._backend, self._run_id, image)
                self._pools[key] = Pool(sandbox, self._slots, self._settings.retries)
            return self._pools[key]

    async def close(self) -> None:
        """Ends all lanes."""
        pools = list(self._pools.values())
        self._pools.clear()
        await asyncio.gather(*(pool.close() for pool in pools), self._repositories.close())
