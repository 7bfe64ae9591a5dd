"""The verifier `assertions`: a Python function judged by assertions, score = share that passes.

Default 0: whatever is not shown to hold has failed. See sandbox/judge/examiner.py for why the candidate cannot tell.
"""

import math
import re
from typing import Any

from autointeract.execution.extract import extract_code
from autointeract.execution.pool import Pool
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import AssertionsSpec, Submission, Verdict

_BANNED = re.compile(
    r"threading|multiprocess|import os|from os|shutil|import torch|from torch|import sklearn|from sklearn"
)
"""open-instruct's list (code_utils/api.py); used only with `ban_words`."""
EXAMINER_MEMORY_MB = 1024


async def judge(spec: AssertionsSpec, submission: Submission, pool: Pool, settings: ExecutionSettings) -> Verdict:
    """The verdict on one response; raises SandboxError when it could not be judged."""
    total = len(spec.assertions)
    text = submission.text or ""
    code = extract_code(text, spec.entry_point)
    if code is None:
        status = "no_code" if extract_code(text, None) is None else "no_entry_point"
        return Verdict(score=0.0, total=total, status=status)
    if settings.ban_words and _BANNED.search(code):
        return Verdict(score=0.0, total=total, status="banned_word")
    limits = settings.limits
    worst = limits.load_limit_s + 2 * (total + 1) * (spec.time_limit_s + 1)
    reply = await pool.run(job(spec, code, settings), worst * 3 + 30)
    return verdict(reply, total)


def job(spec: AssertionsSpec, code: str, settings: ExecutionSettings) -> dict[str, Any]:
    """What the router is asked."""
    limits = settings.limits
    bounds = {
        "disk_mb": limits.disk_mb, "files": limits.files, "processes": limits.processes, "stack_mb": 8,
        "cpu_s": math.ceil(max(limits.load_limit_s, spec.time_limit_s)) + 1, "memory_mb": spec.memory_mb,
    }  # fmt: skip
    examiner = {
        **bounds,
        "memory_mb": EXAMINER_MEMORY_MB,
        "cpu_s": math.ceil(spec.time_limit_s * len(spec.assertions)) + 10,
    }
    return {
        "op": "assertions", "code": code, "setup": spec.setup, "entry_point": spec.entry_point,
        "assertions": spec.assertions, "limit": spec.time_limit_s, "load_limit": limits.load_limit_s,
        "give_up_after": limits.give_up_after, "limits": bounds, "examiner_limits": examiner,
    }  # fmt: skip


def verdict(reply: dict[str, Any], total: int) -> Verdict:
    """The router's reply as a verdict."""
    load, results = reply["load"], reply["results"]
    if not load["loaded"]:
        name, message = load["error"]
        status = {"MemoryError": "memory", "TimeoutError": "timeout"}.get(name, "load_error")
        details = [{"status": "error", "message": f"{name}: {message}"[:300]}] * total
        return Verdict(score=0.0, total=total, status=status, details=details, seconds=reply["seconds"])
    passed = sum(result["status"] == "passed" for result in results)
    trusted = all(result.pop("trusted") for result in results)
    return Verdict(
        score=passed / total if total else 0.0, passed=passed, total=total, trusted=trusted,
        status="timeout" if results and all(result["status"] == "timeout" for result in results) else "ok",
        details=results, seconds=reply["seconds"],
    )  # fmt: skip
