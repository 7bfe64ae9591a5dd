"""Function judging: candidates a second, 20 assertions each, side by side in one run; ratios are what counts.

    python benchmarks/execution.py [--seconds 4] [--rounds 3] [--peers]

Rows: a bare loop on this host that makes the same forks (no isolation at all), open-instruct's way (one
multiprocessing.Process an assertion), a warm `docker exec` a candidate, and this package in Docker and bubblewrap, one
lane and two. `--peers` adds llm-sandbox and mini-swe-agent, each in a virtual environment of its own (made once in
--venvs). Rounds are interleaved, so that load on the machine meets all alike; the median round is reported.
"""

import argparse
import asyncio
import json
import multiprocessing
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import AssertionsSpec, Submission

IMAGE = "autointeract-python:latest"
ASSERTIONS = [
    f"assert solve(list(range({n})), {n % 7}) == {sum(v for v in range(n) if v % 3 == 0) + n % 7}" for n in range(20)
]
CODE = """def solve(values, extra):
    total = 0
    for value in values:
        if value % 3 == 0:
            total += value
    return total + extra
"""


_BARE = """import json, os, sys, time
code, assertions, seconds = json.loads(sys.argv[1])
stop, done = time.monotonic() + seconds, 0
while time.monotonic() < stop:
    examiner = os.fork()
    if examiner == 0:
        os._exit(0)
    loader = os.fork()
    if loader == 0:
        namespace = {}
        exec(compile(code, "c", "exec"), namespace)
        for text in assertions:
            child = os.fork()
            if child == 0:
                exec(compile(text, "a", "exec"), namespace)
                os._exit(0)
            os.waitpid(child, 0)
        os._exit(0)
    os.waitpid(examiner, 0)
    os.waitpid(loader, 0)
    done += 1
print(done)
"""


def bare(stop: float) -> int:
    """The same forks, nothing else: one process loads and forks once an assertion, one more stands for the examiner.

    In an interpreter of its own without site-packages, the smallest and so the fastest to fork.
    """
    job = json.dumps([CODE, ASSERTIONS, stop - time.monotonic()])
    return int(subprocess.run([sys.executable, "-I", "-S", "-c", _BARE, job], capture_output=True, check=True).stdout)


def _one(code: str, text: str, result: list) -> None:
    namespace: dict = {}
    exec(code, namespace)
    exec(text, namespace)
    result.append(1)


def open_instruct(stop: float) -> int:
    """open-instruct's code server: a Process for every assertion, the program run anew in each."""
    done = 0
    manager = multiprocessing.Manager()
    while time.monotonic() < stop:
        for text in ASSERTIONS:
            result = manager.list()
            process = multiprocessing.Process(target=_one, args=(CODE, text, result))
            process.start()
            process.join(timeout=1.0)
        done += 1
    manager.shutdown()
    return done


class WarmExec:
    """A warm container, one `docker exec` a candidate."""

    def __init__(self) -> None:
        import docker

        self.client = docker.from_env()
        self.container = self.client.containers.run(
            IMAGE, ["sleep", "600"], detach=True, network_mode="none", read_only=True, init=True, auto_remove=True
        )
        self.text = CODE + "\n".join(ASSERTIONS) + "\nprint('ok')"

    def __call__(self, stop: float) -> float:
        done = 0.0
        while time.monotonic() < stop:
            _, output = self.container.exec_run(["python3", "-I", "-S", "-c", self.text])
            assert output.strip() == b"ok", output
            done += 1
        return done

    def close(self) -> None:
        self.container.remove(force=True)


class ExecEach(WarmExec):
    """The same container, one `docker exec` an assertion: what a clean process for each costs that way."""

    def __call__(self, stop: float) -> float:
        done = 0.0
        while time.monotonic() < stop:
            for text in ASSERTIONS:
                self.container.exec_run(["python3", "-I", "-S", "-c", f"{CODE}\n{text}"])
                done += 1 / len(ASSERTIONS)
                if time.monotonic() > stop:
                    break
        return done


class Ours:
    """This package."""

    def __init__(self, loop: asyncio.AbstractEventLoop, backend: str, lanes: int):
        self.loop = loop
        self.lanes = lanes
        self.execution = Execution(ExecutionSettings(backend=backend, lanes=lanes))  # type: ignore[arg-type]
        self.number = 0
        loop.run_until_complete(asyncio.wait_for(self._some(time.monotonic() + 0.5), 60))

    async def _worker(self, stop: float) -> int:
        done = 0
        spec = AssertionsSpec(entry_point="solve", assertions=ASSERTIONS)
        while time.monotonic() < stop:
            self.number += 1  # no two submissions are equal, so that none is judged for two
            text = f"```python\n{CODE}# {self.number}\n```"
            verdict = await self.execution.verify(spec, Submission(text=text))
            assert verdict.score == 1, verdict
            done += 1
        return done

    async def _some(self, stop: float) -> int:
        return sum(await asyncio.gather(*(self._worker(stop) for _ in range(self.lanes))))

    def __call__(self, stop: float) -> int:
        return self.loop.run_until_complete(self._some(stop))

    def close(self) -> None:
        self.loop.run_until_complete(self.execution.close())


PEERS = {
    "llm-sandbox": (
        "llm-sandbox[docker]==0.3.46",
        """
from llm_sandbox import SandboxSession
import docker
session = SandboxSession(client=docker.from_env(timeout=60), lang="python", image=IMAGE, keep_template=True,
    skip_environment_setup=True, workdir="/tmp",
    runtime_configs={"network_mode": "none", "user": "0:0", "command": ["sleep", "900"]})
session.open()
def once():
    result = session.run(TEXT)
    assert "ok" in result.stdout, (result.stdout, result.stderr)
close = session.close
""",
    ),
    "mini-swe-agent": (
        "mini-swe-agent==2.4.6",
        """
from minisweagent.environments.docker import DockerEnvironment
import shlex
environment = DockerEnvironment(image=IMAGE, run_args=["--rm", "--network", "none"], cwd="/tmp")
def once():
    result = environment.execute({"command": "python3 -I -S -c " + shlex.quote(TEXT)})
    assert "ok" in result["output"], result
close = environment.cleanup
""",
    ),
}
_PEER = """
import os, sys, time
os.environ["MSWEA_SILENT_STARTUP"] = "1"
IMAGE, TEXT, seconds, rounds = sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4])
{body}
once()
for _ in range(rounds):
    began = time.monotonic(); done = 0
    while time.monotonic() < began + seconds:
        once(); done += 1
    print("RATE", done / (time.monotonic() - began), flush=True)
close()
"""


def peer(name: str, venvs: Path, seconds: float, rounds: int) -> list[float] | str:
    """Rates of a peer in its own environment, or why it could not be run."""
    package, body = PEERS[name]
    python = venvs / name / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(venvs / name)], check=True)
        made = subprocess.run([str(python), "-m", "pip", "install", "-q", package], capture_output=True, text=True)
        if made.returncode:
            return f"cannot be installed: {made.stderr.strip()[-200:]}"
    text = CODE + "\n".join(ASSERTIONS) + "\nprint('ok')"
    command = [str(python), "-c", _PEER.format(body=body), IMAGE, text, str(seconds), str(rounds)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=600)
    rates = [float(line.split()[1]) for line in ended.stdout.splitlines() if line.startswith("RATE")]
    return rates or f"does not run here: {ended.stderr.strip()[-300:]}"


def main() -> None:
    """Runs all and prints the table, then one JSON line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peers", action="store_true")
    parser.add_argument("--no-docker", action="store_true")
    parser.add_argument("--venvs", type=Path, default=Path(tempfile.gettempdir()) / "autointeract-peers")
    options = parser.parse_args()
    loop = asyncio.new_event_loop()
    runners: dict = {"bare host loop, same forks": bare, "open-instruct's way, host": open_instruct}
    closing = []
    for backend in ("bubblewrap",) if options.no_docker else ("docker", "bubblewrap"):
        for lanes in (1, 2):
            runners[f"ours, {backend}, {lanes} lane{'s' * (lanes > 1)}"] = ours = Ours(loop, backend, lanes)
            closing.append(ours)
    if not options.no_docker:
        for name, kind in (("one exec a candidate", WarmExec), ("one exec an assertion", ExecEach)):
            runners[f"warm container, {name}"] = warm = kind()
            closing.append(warm)
    rates: dict[str, list[float]] = {name: [] for name in runners}
    for _ in range(options.rounds):
        for name, run in runners.items():
            began = time.monotonic()
            done = run(began + options.seconds)
            rates[name].append(done / (time.monotonic() - began))
    for one in closing:
        one.close()
    notes = {}
    for name in PEERS if options.peers else ():
        found = peer(name, options.venvs, options.seconds, options.rounds)
        if isinstance(found, str):
            notes[name] = found
        else:
            rates[f"{name}, Docker, one run a candidate"] = found
    base = statistics.median(rates["bare host loop, same forks"])
    print(f"{'candidates a second, 20 assertions each':46s} median   best  of the bare loop")
    for name, values in rates.items():
        median = statistics.median(values)
        print(f"{name:46s} {median:6.1f} {max(values):6.1f}  {median / base:5.2f}")
    for name, note in notes.items():
        print(f"{name:46s} {note}")
    print(json.dumps({"rates": rates, "load": os.getloadavg(), "cores": os.cpu_count()}))


if __name__ == "__main__":
    main()
