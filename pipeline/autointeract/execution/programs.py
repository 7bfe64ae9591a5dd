"""The verifiers `stdio` and `stdio_files`: a program judged by its output.

`stdio` scores the share of cases that pass. `stdio_files` follows LiveCodeBench-Pro: cases in order, stop at the first
that fails, score 1 only if all pass. Expected outputs never reach the program's side.
"""

import math
from base64 import b64encode
from dataclasses import dataclass
from typing import Any

from autointeract.errors import InputError
from autointeract.execution.archive import Problem
from autointeract.execution.compiled import Compiled, Compiler
from autointeract.execution.extract import extract_code, extract_cpp
from autointeract.execution.pool import Pool
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import Case, StdioFilesSpec, StdioSpec, Submission, Verdict

CHECKER_MEMORY_MB = 256
CHECKER_CPU_S = 10
"""LiveCodeBench-Pro's bounds of a checker; an interactor gets four times the problem's."""
BATCH_BYTES = 24 << 20
"""Cases travel to a lane in batches of about this size."""


@dataclass(frozen=True)
class Rules:
    """How one problem's cases are judged.

    Attributes:
        cpu_s, wall_s: limits of the program on one case.
        memory_mb: its memory.
        stop: end at the first case that fails.
        numeric: without a checker, equal numbers are equal tokens.
    """

    language: str
    cpu_s: float
    wall_s: float
    memory_mb: int
    output_kb: int
    stop: bool
    numeric: bool
    checker: str | None = None
    interactor: str | None = None
    headers: dict[str, bytes] | None = None


async def judge_stdio(spec: StdioSpec, submission: Submission, tools: "Tools") -> Verdict:
    """The verdict on a response to a `stdio` spec; raises SandboxError when it could not be judged."""
    limits = tools.settings.limits
    wall = spec.time_limit_s if spec.language == "python" else spec.time_limit_s * limits.wall_factor
    rules = Rules(
        language=spec.language, cpu_s=spec.time_limit_s, wall_s=wall, memory_mb=spec.memory_mb,
        output_kb=limits.output_kb, stop=False, numeric=True, checker=spec.checker, headers=tools.headers,
    )  # fmt: skip
    return await _judge(rules, [spec.cases], len(spec.cases), submission, tools)


async def judge_files(spec: StdioFilesSpec, submission: Submission, problem: Problem, tools: "Tools") -> Verdict:
    """The verdict on a response to a `stdio_files` spec, whose archive is `problem`; raises as `judge_stdio`."""
    limits = tools.settings.limits
    rules = Rules(
        language=spec.language, cpu_s=spec.time_limit_s, wall_s=spec.time_limit_s * limits.wall_factor,
        memory_mb=spec.memory_mb, output_kb=limits.cpp_output_kb, stop=True, numeric=False, checker=problem.checker,
        interactor=problem.interactor, headers={**(tools.headers or {}), **problem.headers},
    )  # fmt: skip
    verdict = await _judge(rules, problem.batches(BATCH_BYTES), problem.total, submission, tools)
    if verdict.score is None:
        return verdict
    return verdict.model_copy(update={"score": float(verdict.passed == verdict.total > 0)})


@dataclass(frozen=True)
class Tools:
    """What judging a program needs besides the problem."""

    pool: Pool
    compiler: Compiler
    settings: ExecutionSettings
    headers: dict[str, bytes] | None = None


async def _judge(rules: Rules, batches: Any, total: int, submission: Submission, tools: Tools) -> Verdict:
    text = submission.text or ""
    code = extract_cpp(text) if rules.language == "cpp" else extract_code(text, None)
    if code is None:
        return Verdict(score=0.0, total=total, status="no_code")
    program = await _program(code, rules.language, "candidate", None, tools)
    if program.message is not None:
        return Verdict(
            score=0.0,
            total=total,
            status="compile_error",
            details=[{"status": "error", "message": program.message[:500]}],
        )
    shape = {
        "op": "cases", "program": program.runnable(), "checker": await _helper("checker", rules.checker, rules, tools),
        "interactor": await _helper("interactor", rules.interactor, rules, tools), **_bounds(rules, tools.settings),
    }  # fmt: skip
    results: list[dict[str, Any]] = []
    for batch in batches:
        job = {**shape, "cases": [_case(case) for case in batch]}
        longest = (rules.wall_s * 5 + 45) * len(batch) + 60
        results += (await tools.pool.run(job, longest))["results"]
        if rules.stop and results and results[-1]["status"] != "passed":
            break
    return _verdict(results, total)


def _verdict(results: list[dict[str, Any]], total: int) -> Verdict:
    broken = next((result for result in results if result["status"] == "judge_error"), None)
    if broken is not None:  # the checker's own failure says nothing about the program
        return Verdict(score=None, total=total, status="fault", fault="verifier", details=[broken])
    passed = sum(result["status"] == "passed" for result in results)
    worst = next((result["status"] for result in results if result["status"] != "passed"), "ok")
    kept = [{key: value for key, value in result.items() if key not in ("cpu_s", "rss_kb")} for result in results]
    return Verdict(
        score=passed / total if total else 0.0, passed=passed, total=total, details=kept,
        status="ok" if passed or worst == "failed" else worst,
    )  # fmt: skip


def _bounds(rules: Rules, settings: ExecutionSettings) -> dict[str, Any]:
    limits = settings.limits
    common = {"disk_mb": limits.disk_mb, "files": limits.files}
    program = {
        **common, "processes": limits.processes, "cpu_s": math.ceil(rules.cpu_s), "memory_mb": rules.memory_mb + 64,
        "stack_mb": rules.memory_mb if rules.language == "cpp" else 8,
    }  # fmt: skip
    memory = max(CHECKER_MEMORY_MB, 4 * rules.memory_mb if rules.interactor else 0)
    cpu = math.ceil(max(CHECKER_CPU_S, 4 * rules.cpu_s if rules.interactor else 0))
    examiner = {**common, "processes": 64, "cpu_s": cpu, "memory_mb": memory + 64, "stack_mb": 64}
    return {
        "limits": program, "examiner_limits": examiner, "cpu_s": rules.cpu_s, "wall_s": rules.wall_s,
        "memory_mb": rules.memory_mb, "output_limit": rules.output_kb << 10, "stop": rules.stop,
        "numeric": rules.numeric,
    }  # fmt: skip


async def _helper(what: str, source: str | None, rules: Rules, tools: Tools) -> dict[str, Any] | None:
    if source is None:
        return None
    language = "cpp" if "#include" in source else "python"
    if "testlib.h" in source and "testlib.h" not in (rules.headers or {}):
        raise InputError(
            f"the {what} of this problem needs testlib.h, which neither its archive nor `execution.testlib` has: "
            "get it from github.com/MikeMirzayanov/testlib and set -c execution.testlib=PATH"
        )
    made = await _program(source, language, "examiner", rules.headers, tools)
    if made.message is not None:
        raise InputError(f"the {what} of this problem does not compile: {made.message[:300]}")
    return made.runnable()


async def _program(code: str, language: str, side: str, headers: dict[str, bytes] | None, tools: Tools) -> Compiled:
    if language == "python":
        return Compiled(source=code)
    return await tools.compiler.compile(code, side, headers or {})


def _case(case: Case | tuple[bytes, bytes]) -> dict[str, str]:
    given, expected = (_bytes(case.input), _bytes(case.output)) if isinstance(case, Case) else case
    return {"input": b64encode(given).decode(), "output": b64encode(expected).decode()}


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
