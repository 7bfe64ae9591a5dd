"""Throughput and memory of `ingest`, as a ratio in one run: reading against parsing the same bytes with orjson.

    python benchmarks/logs_throughput.py [--source FOLDER] [--mb 100] [--memory-mb 1000] [--workers 2]

The logs of a folder (default: the bundled sample) are copied under new ids and user names until there is enough.
Measured, in CPU seconds of one process, the least of three rounds in which all take turns: parsing every line with
`orjson.loads`; reading to redacted, spooled sessions (`worker.run_job`); the whole stage. `share` splits reading, in
units of the time that parsing takes. Then the stage on `--memory-mb` of logs in a fresh process: peak resident memory.
With `--workers` processes: wall seconds, and CPU seconds of all processes. Prints one JSON object.
"""

import argparse
import asyncio
import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3
_UUID = re.compile(rb"\b([0-9a-f]{8})((?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\b")
_HOME = re.compile(rb"(/Users/|/home/|-Users-|-home-)([A-Za-z0-9]+)(?![A-Za-z0-9])")


def fill(target: Path, source: Path, megabytes: float) -> int:
    """Copies Claude Code logs into `target` until there are `megabytes`, each copy with record and session ids and user
    names of its own; gives the bytes written.
    """
    originals = [path.read_bytes() for path in sorted(source.rglob("*.jsonl")) if path.name != "truth.jsonl"]
    written, number = 0, 0
    while written < megabytes * 1e6:
        for data in originals:
            data = _renamed(data, number)
            path = target / f"p{number // 200}" / f"{number}.jsonl"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            written, number = written + len(data), number + 1
            if written >= megabytes * 1e6:
                break
    return written


def _renamed(data: bytes, number: int) -> bytes:
    data = _UUID.sub(lambda match: b"%08x%b" % (int(match[1], 16) ^ (number * 2654435761 & 0xFFFFFFFF), match[2]), data)
    return _HOME.sub(lambda match: match[1] + match[2] + b"n%d" % number, data)


def rounds(work: dict[str, Any]) -> dict[str, float]:
    """The least CPU seconds of each piece of work over some rounds, in which they take turns."""
    seconds = dict.fromkeys(work, float("inf"))
    for _ in range(ROUNDS):
        for name, piece in work.items():
            start = time.process_time()
            piece()
            seconds[name] = min(seconds[name], time.process_time() - start)
    return seconds


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


def shares(files: list[Path]) -> dict[str, Any]:
    """The steps of reading, each to be timed by itself."""
    from autointeract.logs.build import BuildRules, draft, finish
    from autointeract.logs.opening import open_log
    from autointeract.logs.redaction import suspects
    from autointeract.logs.source import Source
    from autointeract.logs.spool import table_of

    rules = BuildRules("standard", b"key")
    made: dict[str, Any] = {}

    def events() -> None:
        made["raws"] = [raw for path in files for raw in open_log(path, path.name, 64 << 20).sessions]

    def drafts() -> None:
        made["drafts"] = [draft(raw, "0" * 16, rules) for raw in made["raws"]]

    def gate() -> None:
        flat = [text for one in made["drafts"] for text in one.texts]
        made["told"] = iter(suspects(flat))

    def redact() -> None:
        made["stored"] = [finish(one, [next(made["told"]) for _ in one.texts]) for one in made["drafts"]]

    return {
        "split_lines": lambda: [sum(1 for _ in Source(path).lines()) for path in files],
        "lines_to_events": events, "events_to_drafts": drafts, "redaction_gate": gate,
        "redact_and_turns": redact, "arrow": lambda: table_of([("0" * 16, stored) for stored in made["stored"]]),
    }  # fmt: skip


def with_workers(folder: Path, workers: int) -> dict[str, float]:
    """Wall and CPU seconds of the stage with some processes, those of its helpers included."""
    code = f"import logs_throughput as b, pathlib; b.stage(pathlib.Path({str(folder)!r}), {workers})"
    # The server of the workers is waited for, so that their CPU seconds count.
    code += "; from multiprocessing.forkserver import _forkserver; _forkserver._stop()"
    before, start = _children(), time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parent)
    return {"wall_s": round(time.perf_counter() - start, 2), "cpu_s": round(_children() - before, 2)}


def _children() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def measure(options: argparse.Namespace) -> dict[str, Any]:
    """All figures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "logs"
        size = fill(folder, Path(options.source), options.mb)
        files = sorted(folder.rglob("*.jsonl"))
        read(files[:1])
        steps = shares(files[:100])
        work = {"parse": lambda: parse(files), "read": lambda: read(files), "stage": lambda: stage(folder)}
        seconds = rounds(work)
        part = rounds({"parse": lambda: parse(files[:100]), **steps})
        scaling = {str(workers): with_workers(folder, workers) for workers in sorted({1, options.workers})}
    speed = {f"{name}_mb_per_s": round(size / 1e6 / value, 1) for name, value in seconds.items()}
    return {
        "megabytes": round(size / 1e6, 1), "files": len(files), **speed,
        "ratio_read": round(seconds["parse"] / seconds["read"], 3),
        "ratio_stage": round(seconds["parse"] / seconds["stage"], 3),
        "share": {name: round(value / part["parse"], 2) for name, value in part.items()},
        "workers": scaling,
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
