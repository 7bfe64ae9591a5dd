"""The verifier `pytest`: a patch judged by a repository's own tests, strictly.

Score = share of FAIL_TO_PASS that passes; 0 if any PASS_TO_PASS does not. A listed test that is absent has not passed.
A file that cannot be collected, a time-out, a run that does not reach its end: 0. A sentinel with the wrong outcome:
0, status "tampered".
"""

import json
from typing import Any

from autointeract.execution.sentinels import Sentinel, plant
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import PytestSpec, State, Submission, Verdict

PLUGIN_DIR = "/judge/plugin"
WORST = ("error", "failed", "skipped", "passed")
"""Outcomes of one test's phases, the one that counts first."""


def job(
    spec: PytestSpec, submission: Submission, state: State, planted: list[Sentinel], settings: ExecutionSettings,
    *, mount: bool,
) -> dict[str, Any]:  # fmt: skip
    """What the router is asked.

    Args:
        mount: the run makes its own tree (bubblewrap); else it finds one mounted (Docker).
    """
    from autointeract.execution.bundle import sources

    files = test_files(spec)
    limits = settings.limits
    bounds = {
        "disk_mb": settings.swe_disk_mb, "files": 4 * limits.files, "processes": 256, "stack_mb": 64,
        "cpu_s": int(spec.time_limit_s * 4) + 1, "memory_mb": spec.memory_mb if mount else 0, "open_files": 1024,
    }  # fmt: skip
    modules = sources()
    return {
        "op": "suite", "repo_state": state.repo_state, "patch": submission.patch or "", "files": files,
        "test_patch": spec.test_patch,
        "sentinels": [sentinel.job() for sentinel in planted], "plugin": modules["plugin"], "mount": mount,
        "plugin_dir": "/tmp/plugin" if mount else PLUGIN_DIR, "need_ready": not mount, "command": spec.test_cmd,
        "site": ["/.site"] if mount else [], "disk_mb": settings.swe_disk_mb, "inodes": settings.swe_files,
        "environment": {}, "limits": bounds, "wall_s": spec.time_limit_s,
    }  # fmt: skip


def test_files(spec: PytestSpec) -> list[str]:
    """The files of the listed tests, in order, each once."""
    return list(dict.fromkeys(name.split("::", 1)[0] for name in [*spec.fail_to_pass, *spec.pass_to_pass]))


def sentinels(spec: PytestSpec) -> list[Sentinel]:
    """Fresh ones for one run."""
    return plant(test_files(spec), [*spec.fail_to_pass, *spec.pass_to_pass])


def verdict(spec: PytestSpec, reply: dict[str, Any], planted: list[Sentinel]) -> Verdict:
    """The router's reply as a verdict."""
    total = len(spec.fail_to_pass)
    if reply["refused"] is not None:
        details = [{"status": "error", "message": reply["refused"]}]
        return Verdict(score=0.0, total=total, status="patch_refused", details=details, seconds=reply["seconds"])
    outcomes, broken, finished = outcomes_of(reply["report"])
    details = [
        {"id": name, "list": which, "status": outcomes.get(name, "absent")}
        for which, names in (("fail_to_pass", spec.fail_to_pass), ("pass_to_pass", spec.pass_to_pass))
        for name in names
    ]
    fixed = sum(entry["status"] == "passed" for entry in details[:total])
    regressed = any(entry["status"] != "passed" for entry in details[total:])
    status = "ok"
    if reply["late"]:
        status = "timeout"
    elif _tampered(outcomes, planted, broken):
        status = "tampered"
    elif broken or not finished:
        status = "collection_error"
        details.append(
            {
                "status": "error",
                "message": "; ".join(f"{name}: {why}" for name, why in broken.items())[:1000] or reply["tail"][-500:],
            }
        )
    elif regressed:
        status = "regressed"
    score = fixed / total if total and status == "ok" else 0.0
    return Verdict(
        score=score, passed=fixed if status == "ok" else 0, total=total, status=status, details=details,
        seconds=reply["seconds"],
    )  # fmt: skip


def outcomes_of(report: str) -> tuple[dict[str, str], dict[str, str], bool]:
    """(node id -> outcome, file that could not be collected -> why, whether the run reached its end).

    Lines may be forged by the run itself, so anything malformed is passed over and a test's worst outcome counts.
    """
    outcomes: dict[str, str] = {}
    broken: dict[str, str] = {}
    finished = False
    for line in report.splitlines():
        try:
            entry = json.loads(line)
            if "finished" in entry:
                finished = True
                continue
            name, when, outcome = str(entry["id"]), entry["when"], entry["outcome"]
        except (ValueError, TypeError, KeyError, RecursionError):
            continue
        if when == "collect":
            broken[name] = str(entry.get("why", ""))[:500]
            continue
        if entry.get("xfail") and outcome in ("skipped", "passed"):
            outcome = "passed"  # an expected failure is what the suite wants (SWE-smith counts it so, too)
        elif outcome == "failed" and when != "call":
            outcome = "error"
        if outcome in WORST and (when == "call" or outcome != "passed"):
            old = outcomes.get(name, "passed")
            outcomes[name] = min(old, outcome, key=WORST.index)
    return outcomes, broken, finished


def _tampered(outcomes: dict[str, str], planted: list[Sentinel], broken: dict[str, str]) -> bool:
    seen = {name.split("::", 1)[0] for name in outcomes}
    for sentinel in planted:
        if sentinel.file in broken or sentinel.file not in seen:
            continue  # a file that was not run at all is reported as such
        if any(outcomes.get(name) != outcome for name, outcome in sentinel.expected.items()):
            return True
    return False
