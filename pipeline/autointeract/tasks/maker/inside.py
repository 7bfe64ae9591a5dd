"""Runs inside a task container: puts the tree in its state, runs the suite, writes what every test did.

Standard library and pytest only; it is copied into the container as text and never imported on this machine. Its report
is for making tasks (which tests exist, which flip); a reward is never taken from it.
"""

import json
import os
import subprocess
import sys

HOME = "/tmp/home"


def main() -> int:
    """Reads `{"patch", "args"}` from /out/in.json and writes `{"tests": {id: outcome}, "code": N}` to /out/out.json."""
    with open("/out/in.json", encoding="utf-8") as file:
        job = json.load(file)
    os.makedirs(HOME, exist_ok=True)
    if job["patch"]:
        done = subprocess.run(
            ["git", "apply", "-"], input=job["patch"].encode(), capture_output=True, cwd="/testbed", check=False
        )
        if done.returncode:
            return write({"tests": {}, "code": -1, "error": done.stderr.decode("utf-8", "replace")[-500:]})
    import pytest

    class Watcher:
        def __init__(self):
            self.tests = {}

        def pytest_runtest_logreport(self, report):
            before = self.tests.get(report.nodeid)
            outcome = report.outcome
            if report.when != "call":
                outcome = {"passed": before, "failed": "error"}.get(report.outcome, report.outcome)
            if hasattr(report, "wasxfail"):
                outcome = "xfailed" if report.skipped else "xpassed"
            if outcome is not None and before not in ("failed", "error"):
                self.tests[report.nodeid] = outcome

        def pytest_collectreport(self, report):
            if report.failed:
                self.tests[report.nodeid or "?"] = "collection_error"

    watcher = Watcher()
    sys.path.insert(0, "/testbed")  # as `python -m pytest` does
    code = pytest.main(["-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", *job["args"]], plugins=[watcher])
    return write({"tests": watcher.tests, "code": int(code)})


def write(report: dict) -> int:
    """Writes the report whole."""
    with open("/out/out.json.part", "w", encoding="utf-8") as file:
        json.dump(report, file)
    os.replace("/out/out.json.part", "/out/out.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
