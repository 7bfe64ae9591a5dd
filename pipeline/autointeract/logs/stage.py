"""Stage `ingest`: raw logs become the dataset `sessions`, redacted, pseudonymous, each conversation once.

In: files, folders, globs, `hf://` datasets (`settings.paths`). Out: `sessions`, and a report that names what was
skipped and why. Files are known by their content: a second run reads only new or grown ones, and what a workspace has
read stays in it although the file is gone. A log file is the unit of resume (one journal line); a batch of them gives
one spool file. Told to stop, it keeps the files that were read to their end. A damaged file is counted and named; it
never costs a good session.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from typing import Any

from autointeract.logs.build import BuildRules
from autointeract.logs.compact import Compactor
from autointeract.logs.forgotten import Forgotten
from autointeract.logs.identity import keyed
from autointeract.logs.ledger import FileLedger
from autointeract.logs.outcome import report_of
from autointeract.logs.settings import LogsSettings
from autointeract.logs.worker import Job, LogFile, heed, run_job, run_pooled_job
from autointeract.records import Session, StageReport, digest
from autointeract.services import Services
from autointeract.workspace import StageRun, Workspace

STAGE = "ingest"
BATCH_BYTES = 32 << 20
"""Bytes of a batch: what a kill may cost (a second of reading), and enough beside its own fixed cost (10 ms)."""
BATCH_FILES = 1000
BATCHES_A_WORKER = 4
"""Smaller batches where there are workers to share them, so that none waits long for the last."""
POOL_BYTES = 80 << 20
"""With less to read, other processes would hardly be there (a second) before all is done."""
POLL_S = 0.1
"""How often it is seen to that workers hear of a stop."""
SPOOL = "spool"


async def run(settings: LogsSettings, workspace: Workspace, services: Services) -> StageReport:
    """Reads the logs and writes `sessions`.

    Raises:
        InputError: a path is missing or empty, or nothing that was named is a log of a person.
        ResumeError: the workspace was filled under other settings or another pseudonym key.
    """
    key = workspace.pseudonym_key()
    identity = {**settings.result_view(), "key": keyed(key, "check")[:8], "schema": Session.SCHEMA_VERSION}
    with StageRun.open(workspace, STAGE, identity, services.resume) as stage_run:
        folder = workspace.folder(f"journal/{SPOOL}")
        ledger = FileLedger(workspace.folder("cache") / "ingest_files.json", key)
        named = await asyncio.to_thread(ledger.survey, settings.paths, settings.max_rows, _stopping(services))
        owed = [file for file in named if not stage_run.journal.has(file.digest, file.digest)]
        forgotten = Forgotten(workspace)
        marks = frozenset(forgotten.marks)
        rules = BuildRules(settings.redact, key, settings.max_tool_chars, settings.max_text_chars)
        pooled = settings.workers > 1 and sum(file.size for file in owed) >= POOL_BYTES
        batches = _batches(owed, settings.workers if pooled else 1)
        jobs = [Job(tuple(batch), folder, rules, settings.max_line_mb << 20, marks) for batch in batches]
        read_now: dict[str, dict[str, Any]] = {}

        def done(job: Job, found: list[tuple[str, dict[str, Any]]]) -> None:
            for file_digest, summary in found:
                stage_run.journal.put(file_digest, file_digest, summary)
                read_now[file_digest] = summary

        stop = await _work(jobs, settings.workers if pooled else 1, services, done)
        ledger.save()
        journal = stage_run.journal
        # What a grown file replaces is left out once the grown one has been read.
        names = journal.keys()
        outdated = ledger.superseded if stop is None else frozenset[str]()
        lines = {name: read_now.get(name) or journal.get(name) for name in names if name not in outdated}
        files = {name: line["spool"] for name, line in lines.items() if "spool" in line}
        compactor = Compactor(folder, files, forgotten.users_in(folder, set(files.values())))
        manifest = workspace.sessions.write_tables(
            compactor.parts(), stage=STAGE, stage_digest=stage_run.stage_digest,
            inputs={"logs": digest(sorted(lines))}, complete=stop is None,
            notes={"redact": settings.redact, "files": len(lines)},
        )  # fmt: skip
        for path in folder.glob("*.arrow"):
            if path.name not in files.values():
                path.unlink()
        return report_of(
            workspace,
            settings,
            lines,
            named,
            set(read_now),
            compactor.merged,
            manifest.rows,
            stop,
            len(marks),
        )


def _stopping(services: Services) -> Callable[[], bool]:
    return lambda: services.engine.stopping


async def _work(jobs: list[Job], workers: int, services: Services, done: Callable[[Job, Any], None]) -> Any:
    """Runs the jobs in this process and in `workers` - 1 others, which take a second to be there; gives why it stopped
    early, or null.
    """
    stopping, loop = _stopping(services), asyncio.get_running_loop()
    idle: asyncio.Queue[ProcessPoolExecutor | None] = asyncio.Queue()
    idle.put_nowait(None)
    others = min(workers, len(jobs)) - 1

    async def work(job: Job) -> Any:
        pool = await idle.get()
        try:
            if pool is None:
                return await loop.run_in_executor(None, run_job, job, stopping)
            return await loop.run_in_executor(pool, run_pooled_job, job)
        finally:
            idle.put_nowait(pool)

    with ExitStack() as stack:
        if others > 0:
            pool = stack.enter_context(_processes(others, stopping))
            for _ in range(others):
                idle.put_nowait(pool)
        return await services.engine.map(jobs, work, done, len(jobs), wanted=workers)


@contextmanager
def _processes(number: int, stopping: Callable[[], bool]) -> Iterator[ProcessPoolExecutor]:
    """Processes that heed `stopping`, and that are told to stop when the block ends."""
    # One server imports the readers once; workers are forked from it, never from this process with its threads.
    context = get_context("forkserver")
    context.set_forkserver_preload(["autointeract.logs.warm"])
    stop = context.Event()
    watch = asyncio.ensure_future(_pass_on(stopping, stop))
    pool = ProcessPoolExecutor(number, context, heed, (stop,))
    try:
        yield pool
    finally:
        watch.cancel()
        stop.set()
        pool.shutdown(cancel_futures=True)


async def _pass_on(stopping: Callable[[], bool], stop: Any) -> None:
    while not stopping():  # noqa: ASYNC110 - a stop may be asked for from a signal handler or be a deadline
        await asyncio.sleep(POLL_S)
    stop.set()


def _batches(files: Sequence[LogFile], workers: int) -> Iterator[list[LogFile]]:
    most = BATCH_BYTES
    if workers > 1:
        most = min(most, sum(file.size for file in files) // (workers * BATCHES_A_WORKER))
    batch: list[LogFile] = []
    size = 0
    for file in files:
        if batch and (size + file.size > most or len(batch) >= BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch
