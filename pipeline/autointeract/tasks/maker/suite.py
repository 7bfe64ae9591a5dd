"""Runs a suite in a fresh hardened container of a task image and reads which test did what.

The package under test is somebody's code: no network, no privileges, bounded memory, processes and time; what comes
back is bounded too, and is only used to make tasks. Rewards are decided by the verifier alone.
"""

import contextlib
import io
import json
import tarfile
import time
from pathlib import Path
from typing import Any

from autointeract.errors import SandboxError
from autointeract.execution import ExecutionSettings
from autointeract.execution.containers import client, hardening, labels
from autointeract.records import Record
from autointeract.tasks.maker.image import tar_of

MAX_REPORT_BYTES = 64 * 1024 * 1024
USAGE_ERROR = "pytest refuses its options"
_INSIDE = Path(__file__).with_name("inside.py")


class SuiteRun(Record):
    """One run of a suite.

    Attributes:
        tests: node id -> passed, failed, error, skipped, xfailed, xpassed or collection_error.
        problem: why there is no full report ("" when there is): a patch that does not apply, a time-out, a crash.
    """

    tests: dict[str, str] = {}
    problem: str = ""
    seconds: float = 0.0


class Suite:
    """A task image's suite. Blocking; call it in a thread.

    Args:
        args: of pytest, e.g. `["tests", "-x"]`.
        time_limit_s: wall seconds of one run.
    """

    def __init__(
        self, image: str, settings: ExecutionSettings, run_id: str, *, args: list[str], time_limit_s: float,
        memory_mb: int,
    ):  # fmt: skip
        self.image, self.settings, self.run_id = image, settings, run_id
        self.args, self.time_limit_s, self.memory_mb = args, time_limit_s, memory_mb

    def run(self, patch: str = "") -> SuiteRun:
        """Applies `patch` to the clean tree and runs the suite.

        Raises:
            SandboxError: the engine failed.
        """
        from docker import errors

        options = hardening(self.settings, memory_mb=self.memory_mb, processes=256, cpus=1.0)
        options.update(
            read_only=False, auto_remove=False, user="65534:65534", labels=labels(self.run_id), working_dir="/testbed",
            tmpfs={"/tmp": "rw,exec,nosuid,nodev,size=256m,mode=1777"},
        )  # fmt: skip
        options["environment"] = {
            **options.get("environment", {}), "HOME": "/tmp/home", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0", "PYTHONPATH": "",
        }  # fmt: skip
        job = json.dumps({"patch": patch, "args": self.args}).encode()
        started = time.monotonic()
        try:
            with contextlib.closing(client(self.settings, timeout=60)) as docker:
                container = docker.containers.create(self.image, ["python3", "/out/inside.py"], **options)
                try:
                    container.put_archive(
                        "/out", tar_of({"in.json": job, "inside.py": _INSIDE.read_bytes()}, owner=65534)
                    )
                    container.start()
                    if not _wait(container, self.time_limit_s):
                        return SuiteRun(problem="timeout", seconds=time.monotonic() - started)
                    return _read(container, time.monotonic() - started)
                finally:
                    with contextlib.suppress(errors.APIError):
                        container.remove(force=True)
        except errors.DockerException as error:
            raise SandboxError(f"the Docker engine failed while running a suite: {str(error)[:300]}") from error


def _wait(container: Any, seconds: float) -> bool:
    import requests

    try:
        container.wait(timeout=seconds)
        return True
    except (requests.exceptions.RequestException, TimeoutError):
        return False


def _read(container: Any, seconds: float) -> SuiteRun:
    from docker import errors

    try:
        chunks, _ = container.get_archive("/out/out.json")
    except errors.NotFound:
        return SuiteRun(problem="crash", seconds=seconds)
    data = b""
    for chunk in chunks:
        data += chunk
        if len(data) > MAX_REPORT_BYTES:
            return SuiteRun(problem="report too large", seconds=seconds)
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        member = tar.next()
        file = tar.extractfile(member) if member and member.isfile() else None
        text = file.read().decode("utf-8", "replace") if file else "{}"
    try:
        report = json.loads(text)
        tests = {str(name): str(outcome) for name, outcome in report["tests"].items()}
    except (ValueError, KeyError, AttributeError):
        return SuiteRun(problem="crash", seconds=seconds)
    problem = str(report.get("error") or "")
    if report.get("code") == 4 and not tests:  # pytest's ExitCode.USAGE_ERROR
        problem = USAGE_ERROR
    return SuiteRun(tests=tests, problem=problem, seconds=seconds)
