"""Stage `ingest`: raw logs become the dataset `sessions`, redacted, pseudonymous, each conversation once.

In: files, folders, globs, `hf://` datasets (`settings.paths`). Out: `sessions`, and a report that names what was
skipped and why. Files are known by their content: a second run reads only new or grown ones, and what a workspace has
read stays in it although the file is gone. Batches of files are the unit of resume: one spool file and one journal line
a log file. A damaged file is counted and named; it never costs a good session.
"""

import asyncio
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

from autointeract.logs.build import BuildRules
from autointeract.logs.compact import Compactor
from autointeract.logs.forgotten import Forgotten
from autointeract.logs.identity import keyed
from autointeract.logs.ledger import FileLedger
from autointeract.logs.outcome import report_of
from autointeract.logs.settings import LogsSettings
from autointeract.logs.worker import Job, run_job
from autointeract.records import Session, StageReport, digest
from autointeract.services import Services
from autointeract.workspace import StageRun, Workspace

STAGE = "ingest"
BATCH_BYTES = 8 << 20
BATCH_FILES = 200
POOL_BYTES = 100 << 20
"""With less to read, starting other processes (about a second) costs more than they save."""
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
        named = ledger.survey(settings.paths, settings.max_rows)
        owed = [file for file in named if not stage_run.journal.has(file.digest, file.digest)]
        forgotten = Forgotten(workspace)
        marks = frozenset(forgotten.marks)
        rules = BuildRules(settings.redact, key, settings.max_tool_chars, settings.max_text_chars)
        jobs = [Job(tuple(batch), folder, rules, settings.max_line_mb << 20, marks) for batch in _batches(owed)]

        def done(job: Job, found: list[tuple[str, dict[str, Any]]]) -> None:
            for file_digest, summary in found:
                stage_run.journal.put(file_digest, file_digest, summary)

        stop = await _work(jobs, settings.workers, services, done)
        ledger.save()
        journal = stage_run.journal
        lines = {name: journal.get(name) for name in list(journal.keys()) if name not in ledger.superseded}
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
            {file.digest for file in owed},
            compactor.merged,
            manifest.rows,
            stop,
            len(marks),
        )


async def _work(jobs: list[Job], workers: int, services: Services, done: Callable[[Job, Any], None]) -> Any:
    """Runs the jobs, in this process or in others; gives why it stopped early, or null."""
    pool: Executor | None = None
    if workers > 1 and len(jobs) > 1 and sum(file.size for job in jobs for file in job.files) >= POOL_BYTES:
        # One server imports the readers once; workers are forked from it, never from this process with its threads.
        context = get_context("forkserver")
        context.set_forkserver_preload(["autointeract.logs.warm"])
        pool = ProcessPoolExecutor(min(workers, len(jobs)), mp_context=context)
    gate = asyncio.Semaphore(workers)

    async def work(job: Job) -> Any:
        async with gate:
            return await asyncio.get_running_loop().run_in_executor(pool, run_job, job)

    try:
        return await services.engine.map(jobs, work, done, len(jobs))
    finally:
        if pool is not None:
            pool.shutdown(cancel_futures=True)


def _batches(files: Iterable[Any]) -> Iterable[list[Any]]:
    batch: list[Any] = []
    size = 0
    for file in files:
        if batch and (size + file.size > BATCH_BYTES or len(batch) >= BATCH_FILES):
            yield batch
            batch, size = [], 0
        batch.append(file)
        size += file.size
    if batch:
        yield batch
