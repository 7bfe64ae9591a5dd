"""Throughput and memory of `ingest`, as a ratio in one run: reading against parsing the same bytes with orjson.

    python benchmarks/logs_throughput.py [--source FOLDER] [--mb 100] [--memory-mb 1000] [--workers 2]

The logs of a folder (default: the bundled sample) are copied under new ids until there is enough of them. Measured, in
CPU seconds of one process, best of three: parsing every line with `orjson.loads`; reading to redacted, spooled sessions
(`worker.run_job`); the whole stage. Then the stage on `--memory-mb` of logs in a fresh process: peak resident memory.
Wall time with `--workers` processes is compared with one. Prints one JSON object.
"""

import argparse
import asyncio
import json
import resource
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3


def fill(target: Path, source: Path, megabytes: float) -> int:
    """Copies Claude Code logs under new ids into `target` until there are `megabytes`; gives the bytes written."""
    originals = [
        [orjson.loads(line) for line in path.read_bytes().split(b"\n") if line]
        for path in sorted(source.rglob("*.jsonl"))
        if path.name != "truth.jsonl"
    ]
    written, number = 0, 0
    while written < megabytes * 1e6:
        for rows in originals:
            mark = f"{number:08x}"
            data = b"\n".join(orjson.dumps(_renamed(row, mark)) for row in rows) + b"\n"
            path = target / f"p{number // 200}" / f"{number}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written, number = written + len(data), number + 1
            if written >= megabytes * 1e6:
                break
    return written


def _renamed(row: dict[str, Any], mark: str) -> dict[str, Any]:
    changed = dict(row)
    for name in ("sessionId", "uuid", "parentUuid"):
        if isinstance(row.get(name), str):
            changed[name] = str(uuid.uuid5(uuid.NAMESPACE_OID, mark + row[name]))
    return changed


def best(work: Any, clock: Any = time.process_time) -> float:
    """The least seconds of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        start = clock()
        work()
        seconds.append(clock() - start)
    return min(seconds)


def parse(files: list[Path]) -> None:
    """What the ratio is taken against."""
    for path in files:
        with open(path, "rb") as file:
            for line in file:
                orjson.loads(line)


def stage(folder: Path, workers: int = 1) -> Any:
    """The whole stage in a new workspace."""
    from autointeract.engine import Engine, EngineSettings
    from autointeract.logs.settings import LogsSettings
    from autointeract.logs.stage import run
    from autointeract.workspace import Workspace

    with tempfile.TemporaryDirectory() as workspace:
        services: Any = SimpleNamespace(engine=Engine(EngineSettings()), resume="auto", seed=0)
        settings = LogsSettings(paths=[str(folder)], workers=workers)
        return asyncio.run(run(settings, Workspace(Path(workspace) / "w", "key"), services))


def read(files: list[Path]) -> None:
    """Reading to the spool, one batch."""
    from autointeract.logs.build import BuildRules
    from autointeract.logs.worker import Job, LogFile, run_job

    with tempfile.TemporaryDirectory() as folder:
        logs = tuple(LogFile(path, f"{number:016x}", 0, path.name) for number, path in enumerate(files))
        run_job(Job(logs, Path(folder), BuildRules("standard", b"key"), 64 << 20))


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "logs"
        size = fill(folder, Path(options.source), options.mb)
        files = sorted(folder.rglob("*.jsonl"))
        read(files[:1])
        parsing, reading = best(lambda: parse(files)), best(lambda: read(files))
        whole = best(lambda: stage(folder))
        one = best(lambda: stage(folder), time.perf_counter)
        many = best(lambda: stage(folder, options.workers), time.perf_counter)
    return {
        "megabytes": round(size / 1e6, 1), "files": len(files), "orjson_mb_per_s": round(size / 1e6 / parsing, 1),
        "read_mb_per_s": round(size / 1e6 / reading, 1), "stage_mb_per_s": round(size / 1e6 / whole, 1),
        "ratio_read": round(parsing / reading, 3), "ratio_stage": round(parsing / whole, 3),
        "workers": options.workers, "speedup_wall": round(one / many, 2),
    }  # fmt: skip


def memory(options: argparse.Namespace) -> dict[str, Any]:
    """Peak resident memory of the stage on many logs, in a process of its own."""
    with tempfile.TemporaryDirectory() as name:
        size = fill(Path(name), Path(options.source), options.memory_mb)
        command = [sys.executable, __file__, "--only-stage", name, "--source", options.source]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return {"memory_megabytes_of_logs": round(size / 1e6), **json.loads(done.stdout)}


def main() -> None:
    """Entry point."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--source", default=str(ROOT / "data" / "sample" / "logs"))
    parser.add_argument("--mb", type=float, default=100)
    parser.add_argument("--memory-mb", type=float, default=1000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only-stage", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.only_stage:
        report = stage(Path(options.only_stage))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(
            json.dumps({"peak_mb": round(peak), "sessions": report.counts["sessions"], "turns": report.counts["turns"]})
        )
        return
    result = measure(options)
    if options.memory_mb:
        result |= memory(options)
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
