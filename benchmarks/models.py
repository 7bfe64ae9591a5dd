"""What the door to models costs, measured: each subcommand is one claim.

    python benchmarks/models.py table [--venv dspy=DIR ...] [--rounds 3]   CPU a call and how busy the endpoint is kept
    python benchmarks/models.py throughput                                 1, 32 and 256 in flight at a fast endpoint
    python benchmarks/models.py tail [--most 600]                 2,000 in flight, latencies of seconds to minutes
    python benchmarks/models.py memory [--calls 100000]                    resident memory while calls pass
    python benchmarks/models.py warm [--calls 20000]                       hits a second of a warm cache

Clients run in processes of their own against one stub (`models_stub.py`), in turns, so that all meet the same machine.
`--venv NAME=DIR` names the virtual environment of a client that cannot live beside the others; clients that are not
installed are left out of the table by name. `--url` takes another endpoint than the stub (without busy figures).
"""

import argparse
import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CALLS = {"A": 2000, "B": 4200}
CLIENTS = ("aiohttp", "autointeract", "openai", "litellm", "router", "dspy", "curator", "distilabel")


@contextmanager
def stub(port: int, **options: float) -> Iterator[str]:
    """A running stub; gives its URL up to /v1."""
    arguments = [f"--{name}={value}" for name, value in options.items()]
    process = subprocess.Popen([sys.executable, str(HERE / "models_stub.py"), f"--port={port}", *arguments],
                               stdout=subprocess.PIPE)  # fmt: skip
    try:
        assert process.stdout is not None
        process.stdout.readline()
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        process.terminate()
        process.wait()


def fetch(url: str, path: str, post: bool = False) -> dict[str, Any]:
    root = url.removesuffix("/v1")
    request = urllib.request.Request(root + path, data=b"{}" if post else None)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return json.loads(answer.read() or b"{}")


def drive(python: str, client: str, workload: str, url: str, calls: int, in_flight: int) -> dict[str, Any] | None:
    """One client once; null if it is not installed there."""
    fetch(url, "/reset", post=True)
    arguments = [client, workload, url, "--calls", str(calls), "--in-flight", str(in_flight)]
    ended = subprocess.run([python, str(HERE / "models_drivers.py"), *arguments], capture_output=True, text=True)
    if ended.returncode:
        last = ended.stderr.strip().splitlines()[-1:] or ["?"]
        print(f"{client} {workload}: left out: {last[0]}", file=sys.stderr)
        return None
    return {**json.loads(ended.stdout.strip().splitlines()[-1]), **fetch(url, "/stats")}


def table(args: argparse.Namespace) -> None:
    """Medians over the rounds; the ratio is to the bare aiohttp driver of the same rounds."""
    pythons = {name: str(Path(folder) / "bin" / "python") for name, folder in (v.split("=", 1) for v in args.venv)}
    with stub(args.port, latency=0.2, slots=64) as url:
        url = args.url or url
        for workload in args.workloads:
            runs: dict[str, list[dict[str, Any]]] = {}
            for _ in range(args.rounds):
                for client in args.clients:
                    if workload == "B" and client in ("curator", "distilabel"):
                        continue
                    python = pythons.get(client, sys.executable)
                    result = drive(python, client, workload, url, CALLS[workload], args.in_flight)
                    if result:
                        runs.setdefault(client, []).append(result)
            show(workload, runs)


def show(workload: str, runs: dict[str, list[dict[str, Any]]]) -> None:
    def middle(client: str, name: str) -> float:
        return statistics.median(run[name] for run in runs[client])

    print(f"\nWorkload {workload}: {CALLS[workload]} calls, 64 slots of 200 ms\n")
    print("| client | busy | ratio to aiohttp | CPU ms a call | without start | wall s | RSS MB |")
    print("|---|---|---|---|---|---|---|")
    for client in runs:
        calls, busy = CALLS[workload], middle(client, "busy")
        ratio = busy / middle("aiohttp", "busy") if "aiohttp" in runs else float("nan")
        cpu = middle(client, "cpu_s") * 1000 / calls
        bare = statistics.median(run["cpu_s"] - run["start_cpu_s"] for run in runs[client]) * 1000 / calls
        print(f"| {client} | {busy:.1%} | {ratio:.3f} | {cpu:.2f} | {bare:.2f} | {middle(client, 'wall_s'):.1f} | "
              f"{middle(client, 'rss_mb'):.0f} |")  # fmt: skip


def throughput(args: argparse.Namespace) -> None:
    """An endpoint of 10 ms and 512 slots: the client is the limit."""
    print("| client | in flight | calls/s | CPU ms a call |\n|---|---|---|---|")
    with stub(args.port, latency=0.01, slots=512) as url:
        for client in ("aiohttp", "autointeract", "openai"):
            for in_flight in (1, 32, 256):
                calls = 500 if in_flight == 1 else 4000
                result = drive(sys.executable, client, "A", url, calls, in_flight)
                if result:
                    cpu = (result["cpu_s"] - result["start_cpu_s"]) * 1000 / calls
                    print(f"| {client} | {in_flight} | {calls / result['span']:.0f} | {cpu:.2f} |")


def make_models(url: str, folder: str, in_flight: int, cache: bool = True) -> Any:
    from autointeract.models import Models, ModelsSettings, PriceSettings, RoleSettings
    from autointeract.models.settings import BudgetSettings, CacheSettings, LimitSettings

    price = PriceSettings(input=1, output=2)
    role = RoleSettings(model="sim", api_base=url, max_tokens=256, price=price, timeout_s=1200)
    return Models(
        ModelsSettings(
            default=role, limits=LimitSettings(max_in_flight=in_flight, start_in_flight=in_flight),
            budget=BudgetSettings(money=1e6), cache=CacheSettings(enabled=cache),
        ),
        folder=Path(folder), seed=0,
    )  # fmt: skip


async def ask(models: Any, number: int) -> None:
    from autointeract.models import Call
    from autointeract.records import Message

    messages = [Message(role="user", content=f"{'x' * 1500} {number}")]
    (reply,) = await models.complete("judge", messages, call=Call(item=str(number), purpose="benchmark"))
    assert reply.fault is None


def tail(args: argparse.Namespace) -> None:
    """Every call answered, none timed out, and the endpoint full to the end of the intake."""

    async def run(url: str, folder: str) -> None:
        async with make_models(url, folder, 2000) as models:
            begun, cpu = time.monotonic(), time.process_time()
            await asyncio.gather(*(ask(models, number) for number in range(args.calls)))
            wall, used = time.monotonic() - begun, time.process_time() - cpu
            answered, most = models.usage_report()["calls"], fetch(url, "/stats")["most_open"]
            print(f"{args.calls} calls in {wall:.0f} s, CPU {used:.1f} s, {answered} answered, most open {most}")

    with stub(args.port, latency=5, slots=2000, tail=args.most) as url, tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(url, folder))


def rss_mb() -> float:
    text = Path("/proc/self/status").read_text()
    return int(text.split("VmRSS:")[1].split()[0]) / 1024


def memory(args: argparse.Namespace) -> None:
    """Resident memory after each tenth."""

    async def run(url: str, folder: str) -> None:
        async with make_models(url, folder, 96) as models:
            tenth = args.calls // 10
            for part in range(10):
                end = (part + 1) * tenth
                for start in range(part * tenth, end, 500):
                    await asyncio.gather(*(ask(models, number) for number in range(start, min(start + 500, end))))
                print(f"{end} calls: {rss_mb():.0f} MB", flush=True)

    with stub(args.port, latency=0.001, slots=512) as url, tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(url, folder))


def warm(args: argparse.Namespace) -> None:
    """Hits a second, one caller after another, 1.5 kB prompts."""

    async def run(url: str, folder: str) -> None:
        async with make_models(url, folder, 96) as models:
            for start in range(0, args.calls, 500):
                await asyncio.gather(*(ask(models, number) for number in range(start, start + 500)))
            for _ in range(3):
                begun, cpu = time.monotonic(), time.process_time()
                for number in range(args.calls):
                    await ask(models, number)
                wall, used = time.monotonic() - begun, time.process_time() - cpu
                print(f"{args.calls / wall:.0f} hits/s, {used / args.calls * 1e6:.0f} us CPU a hit")
            assert models.usage_report()["calls"] == args.calls

    with stub(args.port, latency=0.001, slots=512) as url, tempfile.TemporaryDirectory() as folder:
        asyncio.run(run(url, folder))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("claim", choices=["table", "throughput", "tail", "memory", "warm"])
    parser.add_argument("--venv", action="append", default=[], metavar="NAME=DIR")
    parser.add_argument("--clients", nargs="+", default=CLIENTS, choices=CLIENTS)
    parser.add_argument("--workloads", nargs="+", default=["A", "B"], choices=["A", "B"])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--in-flight", type=int, default=96)
    parser.add_argument("--calls", type=int, help="default: 2,000 (tail), 100,000 (memory), 20,000 (warm)")
    parser.add_argument("--most", type=float, default=600, help="longest latency of the tail, seconds")
    parser.add_argument("--port", type=int, default=8100)
    parser.add_argument("--url")
    args = parser.parse_args()
    args.calls = args.calls or {"tail": 2000, "memory": 100_000, "warm": 20_000}.get(args.claim)
    {"table": table, "throughput": throughput, "tail": tail, "memory": memory, "warm": warm}[args.claim](args)


if __name__ == "__main__":
    main()
