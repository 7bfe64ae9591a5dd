"""`Execution`: the one object through which the house, and a trainer, has submissions judged."""

import asyncio
import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from autointeract.errors import SandboxError, SandboxUnavailableError
from autointeract.execution import cache as verdict_cache
from autointeract.execution import choose
from autointeract.execution.local import Judge, LocalJudge
from autointeract.execution.remote import RemoteJudge
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import State, Submission, Verdict, VerifierSpec

Request = tuple[VerifierSpec, Submission, State | None] | tuple[VerifierSpec, Submission]
"""What `verify` takes, as a tuple."""


class Execution:
    """Judges submissions in sandboxes; lanes start when first needed.

    Args:
        settings: where and within which bounds.
        cache_path: SQLite file of verdicts; None = none is remembered.
        blob_path: folder of large test archives, by digest; None = specs that need one are refused.
        run_id: names what the sandboxes leave behind if this process is killed; default: a fresh one.
    """

    def __init__(
        self, settings: ExecutionSettings | None = None, *, cache_path: Path | None = None,
        blob_path: Path | None = None, run_id: str = "",
    ):  # fmt: skip
        self.settings = settings or ExecutionSettings()
        self.run_id = run_id or uuid.uuid4().hex[:12]
        self._blob_path = blob_path
        use_cache = cache_path is not None and self.settings.cache
        self._cache = verdict_cache.VerdictCache(cache_path) if use_cache and cache_path else None
        self._view = self.settings.result_view()
        self._judge: Judge | None = None
        self._opening = asyncio.Lock()
        self._flying: dict[str, asyncio.Task[Verdict]] = {}

    async def verify(self, spec: VerifierSpec, submission: Submission, state: State | None = None) -> Verdict:
        """The verdict. A fault of the sandbox gives `score=None, fault="sandbox"`, never a 0.

        Raises:
            SandboxUnavailableError: no backend can work here; the message says how to get one.
            InputError: the spec cannot be judged by anybody (for example its archive is missing).
        """
        name = verdict_cache.key(spec, submission, state, self._view)
        if self._cache and (known := self._cache.get(name)):
            return known
        # Equal requests at the same time are judged once: solvers often give equal answers.
        task = self._flying.get(name)
        if task is None:
            task = asyncio.ensure_future(self._fresh(name, spec, submission, state))
            self._flying[name] = task
            task.add_done_callback(lambda done: self._landed(name, done))
        return await asyncio.shield(task)

    def _landed(self, name: str, task: asyncio.Task[Verdict]) -> None:
        self._flying.pop(name, None)
        if not task.cancelled():
            task.exception()  # seen, even if whoever asked has left

    async def verify_many(self, requests: Iterable[Request]) -> list[Verdict]:
        """Verdicts in the order of `requests`; all lanes are kept busy."""
        filled = ((*request, None) if len(request) == 2 else request for request in requests)
        return list(await asyncio.gather(*(self.verify(*request) for request in filled)))

    async def close(self) -> None:
        """Ends every sandbox; nothing survives. Idempotent."""
        for task in list(self._flying.values()):
            task.cancel()
        await asyncio.gather(*self._flying.values(), return_exceptions=True)
        judge, self._judge = self._judge, None
        if judge:
            await judge.close()
        if self._cache:
            self._cache.close()
            self._cache = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def _fresh(self, name: str, spec: VerifierSpec, submission: Submission, state: State | None) -> Verdict:
        began = time.monotonic()
        try:
            verdict = await (await self._opened()).judge(spec, submission, state)
        except SandboxUnavailableError:
            raise
        except SandboxError as error:
            details = [{"status": "fault", "message": str(error)[:500]}]
            verdict = Verdict(score=None, status="fault", fault="sandbox", details=details)
        verdict = verdict.model_copy(update={"seconds": time.monotonic() - began})
        if self._cache:
            self._cache.put(name, verdict)
        return verdict

    async def _opened(self) -> Judge:
        async with self._opening:
            if self._judge is None:
                name = await choose.backend(self.settings)
                if name == "remote":
                    self._judge = RemoteJudge(self.settings, self._blob_path)
                else:
                    self._judge = LocalJudge(self.settings, name, self.run_id, self._cache, self._blob_path)
            return self._judge
