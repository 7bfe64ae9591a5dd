"""Measurements of the agentic loop. Each prints its figures; nothing here is part of the tests.

python benchmarks/synthesis.py yield  [--items 300]     guided against null, failure mix, calls against a fixed 3 + 3;
                                                        --without multi_turn, ...: the paper's ablations
python benchmarks/synthesis.py memory [--items 20000]   resident memory while many items pass
python benchmarks/synthesis.py busy   [--items 150]     how full an endpoint of 64 slots is kept, against bare aiohttp
python benchmarks/synthesis.py peers  [--items 300] [--venv NAME=DIR ...]   as many calls by distilabel, curator, ...

Peers live in environments of their own (docs/benchmarks.md says how to install them); those that are not named by
`--venv` or do not run are left out of the table by name.
"""

import argparse
import asyncio
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(ROOT / "tests"))


class Coin:
    """A verifier that costs nothing: the score is decided by the answer's text."""

    async def verify(self, spec: Any, submission: Any, state: Any = None) -> Any:
        from autointeract.records import Verdict, digest

        total = len(spec.assertions)
        passed = int(digest(submission.text or "", 4), 16) % (total + 1)
        details = [{"status": "passed" if number < passed else "failed"} for number in range(total)]
        return Verdict(score=passed / total, passed=passed, total=total, details=details)


async def run(
    folder: Path,
    settings: Any,
    execution: Any,
    *,
    models: Any = None,
    concurrency: int | None = None,
    tasks: Any = None,
) -> Any:
    """One run of the stage."""
    from synthesis_world import run_stage, sample_tasks, workspace

    where = workspace(folder, tasks if tasks is not None else sample_tasks())
    return await run_stage(where, settings, concurrency=concurrency, execution=execution, models=models, seed=11)


def yield_(args: argparse.Namespace) -> None:
    """Guided revisions against re-rolls, on the bundled tasks, with the real sandbox."""
    from autointeract.execution import Execution, ExecutionSettings
    from autointeract.synthesis.settings import SynthesisSettings

    async def main() -> Any:
        with tempfile.TemporaryDirectory() as folder:
            cache = Path(folder) / "verdicts.sqlite"
            async with Execution(ExecutionSettings(), cache_path=cache) as execution:
                off = dict.fromkeys(args.without, False)
                settings = SynthesisSettings.model_validate(
                    {"items": args.items, "null_share": 1.0, "ablation": off}
                )  # fmt: skip
                return await run(Path(folder), settings, execution)

    started = time.monotonic()
    report = asyncio.run(main())
    details = report.details
    print(*report.notes, sep="\n")
    print("accepted by round, guided:", details["comparison"]["guided"], " null:", details["comparison"]["null"])
    for entry in details["failures"]:
        print(f"  {entry['arm']:7} round {entry['round']}: {entry['outcomes']}")
    solver = details["solver_calls"]
    print(f"solver calls {solver['made']} against {solver['fixed_schedule']} of a fixed 3 + 3: {solver['ratio']:.2f}")
    print(f"{time.monotonic() - started:.1f} s")


def memory(args: argparse.Namespace) -> None:
    """Resident memory at a tenth, at half and at the end."""
    from autointeract.synthesis.settings import SynthesisSettings
    from synthesis_world import Workspace

    async def main() -> None:
        with tempfile.TemporaryDirectory() as folder:
            settings = SynthesisSettings(items=args.items, rounds=0, null_share=0, confirm_share=0)
            marks: list[tuple[int, float]] = []
            finished = 0
            from autointeract.workspace.journal import Journal

            put = Journal.put

            def counting(self: Any, key: str, *rest: Any) -> None:
                nonlocal finished
                put(self, key, *rest)
                if "/" not in key:
                    finished += 1
                    if finished % max(args.items // 10, 1) == 0:
                        marks.append((finished, resident_mb()))

            Journal.put = counting  # type: ignore[method-assign]
            report = await run(Path(folder), settings, Coin())
            for number, size in marks:
                print(f"  {number:6} items  {size:6.0f} MB")
            print(f"items {report.counts['items']}, after writing {resident_mb():.0f} MB, {report.seconds:.0f} s")
            assert Workspace(Path(folder)).attempts.manifest().rows == args.items

    asyncio.run(main())


def busy(args: argparse.Namespace) -> None:
    """The whole loop and a bare client, one after the other, on the same endpoint, with the same chains of calls."""
    from models_drivers import bare_aiohttp
    from synthesis_shape import Recording, replay

    from autointeract.models.settings import CacheSettings, LimitSettings, ModelsSettings, RoleSettings
    from autointeract.synthesis.settings import SynthesisSettings

    with endpoint(args) as url:
        shape: list[Any] = []

        async def loop() -> Any:
            with tempfile.TemporaryDirectory() as folder:
                role = RoleSettings(model="sim", api_base=f"{url}/v1", max_tokens=256)
                limits = LimitSettings(max_in_flight=96, start_in_flight=96)
                settings = ModelsSettings(default=role, limits=limits, cache=CacheSettings(enabled=False))
                models = Recording(settings, folder=Path(folder), seed=0)
                wanted = SynthesisSettings(items=args.items, rounds=2, null_share=0.2, reactive_share=0.5)
                report = await run(Path(folder), wanted, Coin(), models=models)
                shape.extend(models.calls)
                return report

        before = resource.getrusage(resource.RUSAGE_SELF)
        report = asyncio.run(loop())
        after = resource.getrusage(resource.RUSAGE_SELF)
        stats = fetch(f"{url}/stats")
        calls = int(stats["requests"])
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        print(f"loop:  {report.counts['items']} items, {calls} calls, busy {stats['busy']:.3f}, "
              f"{1000 * cpu / calls:.2f} ms CPU a call, {stats['span']:.1f} s, {resident_mb():.0f} MB")  # fmt: skip
        for name in ("same chains", "no chains"):
            fetch(f"{url}/reset", post=True)
            sent = shape if name == "same chains" else [(item, size, ()) for item, size, _ in shape]
            began = time.process_time()
            asyncio.run(bare_aiohttp(f"{url}/v1", 96, lambda ask, sent=sent: replay(sent, ask)))
            cpu, other = time.process_time() - began, fetch(f"{url}/stats")
            print(f"bare:  {int(other['requests'])} calls, busy {other['busy']:.3f}, {1000 * cpu / calls:.2f} ms CPU a "
                  f"call, {other['span']:.1f} s, {name}: ratio {stats['busy'] / other['busy']:.3f}")  # fmt: skip
            if args.short:
                return


def peers(args: argparse.Namespace) -> None:
    """One run each, one after the other, on the same endpoint."""
    from synthesis_peers import CALLS, PEERS

    pythons = {name: str(Path(folder) / "bin" / "python") for name, folder in (v.split("=", 1) for v in args.venv)}
    pythons |= {"autointeract": sys.executable, "aiohttp": sys.executable}
    print(f"{args.items * CALLS} calls, 64 slots of {1000 * args.latency:.0f} ms: ideal "
          f"{args.items * CALLS * args.latency / 64:.1f} s\n")  # fmt: skip
    print("| tool | calls | wall s | busy | CPU s | CPU ms a call | peak memory MB | whole rows |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    with endpoint(args) as url:
        for name in args.only or PEERS:
            if name not in pythons:
                print(f"{name}: left out: no --venv {name}=DIR", file=sys.stderr)
                continue
            fetch(f"{url}/reset", post=True)
            command = [pythons[name], str(HERE / "synthesis_peers.py"), name, f"{url}/v1", f"--items={args.items}"]
            rows, wall, cpu, memory = measured([*command, f"--in-flight={args.in_flight}"])
            if rows is None:
                print(f"{name}: left out, it does not run", file=sys.stderr)
                continue
            stats = fetch(f"{url}/stats")
            calls = int(stats["requests"])
            print(f"| {name} | {calls} | {wall:.1f} | {stats['busy']:.1%} | {cpu:.1f} | {1000 * cpu / calls:.2f} | "
                  f"{memory:.0f} | {rows} |", flush=True)  # fmt: skip


def measured(command: list[str]) -> tuple[int | None, float, float, float]:
    """Runs it; its last line as a number (null where it failed), wall and CPU seconds, most memory (MB) of all its
    processes together, shared pages counted once.
    """
    began, most = time.monotonic(), 0.0
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, stdout=out, stderr=subprocess.DEVNULL)
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            most = max(most, sum(proportional_mb(one) for one in family(process.pid)))
            time.sleep(0.3)
        wall = time.monotonic() - began
        out.seek(0)
        last = (out.read().decode("utf-8", "replace").strip().splitlines() or [""])[-1]
    rows = int(last) if status == 0 and last.isdigit() else None
    return rows, wall, used.ru_utime + used.ru_stime, most


def family(pid: int) -> list[int]:
    """A process and its descendants."""
    found = [pid]
    for folder in Path("/proc").glob(f"{pid}/task/*/children"):
        with suppress(OSError):
            for child in folder.read_text().split():
                found += family(int(child))
    return found


def proportional_mb(pid: int) -> float:
    """Memory of a process, its share of what it shares (0 where it has ended)."""
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    except OSError:
        return 0.0
    return int(text.split("\nPss:")[1].split()[0]) / 1024


@contextmanager
def endpoint(args: argparse.Namespace) -> Iterator[str]:
    """The running stub; gives its URL."""
    command = [sys.executable, str(HERE / "synthesis_stub.py"), f"--port={args.port}", f"--latency={args.latency}"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield f"http://127.0.0.1:{args.port}"
    finally:
        process.terminate()
        process.wait()


def fetch(url: str, post: bool = False) -> dict[str, Any]:
    """A small HTTP request."""
    request = urllib.request.Request(url, data=b"{}" if post else None)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or b"{}")


def resident_mb() -> float:
    """Resident memory of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * resource.getpagesize() / 2**20


def main() -> None:
    """Reads the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, work, items in (
        ("yield", yield_, 300),
        ("memory", memory, 20_000),
        ("busy", busy, 150),
        ("peers", peers, 300),
    ):
        command = commands.add_parser(name)
        command.add_argument("--items", type=int, default=items)
        command.add_argument("--without", action="append", default=[], metavar="PART",
                             choices=["multi_turn", "user_models", "executable_verification"])  # fmt: skip
        command.add_argument("--port", type=int, default=8110)
        command.add_argument("--latency", type=float, default=0.2)
        command.add_argument("--short", action="store_true", help="busy: without the bare client that has no chains")
        command.add_argument("--venv", action="append", default=[], metavar="NAME=DIR", help="peers: where one lives")
        command.add_argument("--only", nargs="+", default=[], help="peers: these alone")
        command.add_argument("--in-flight", type=int, default=96, help="peers: calls in flight")
        command.set_defaults(work=work)
    args = parser.parse_args()
    args.work(args)


if __name__ == "__main__":
    main()
