"""Verifier specs (a union by `kind`), what is submitted to them, and the verdict that comes back.

A spec says how an answer is judged and never changes on its way from the source task to the trainer. The formats are
fixed in docs/design/contracts.md.
"""

from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError

from autointeract.errors import InputError
from autointeract.records.digest import canonical_json
from autointeract.records.row import Record
from autointeract.records.vocabulary import Boundary


class AssertionsSpec(Record):
    """Python assertions on a function; score = share that passes (open-instruct / Dolci semantics)."""

    kind: Literal["assertions"] = "assertions"
    version: Literal[1] = 1
    entry_point: str | None = None
    assertions: list[str]
    setup: str = ""
    time_limit_s: float = 1.0
    memory_mb: int = 512


class Case(Record):
    """One run of a program: text on stdin, expected text on stdout."""

    input: str
    output: str


class StdioSpec(Record):
    """A program judged by its output; score = share of cases that pass. `checker` is source code, null = compare
    tokens.
    """

    kind: Literal["stdio"] = "stdio"
    version: Literal[1] = 1
    language: Literal["python", "cpp"]
    cases: list[Case]
    checker: str | None = None
    time_limit_s: float = 2.0
    memory_mb: int = 256


class StdioFilesSpec(Record):
    """As `StdioSpec`, with the cases in an archive found by digest in the workspace's blob folder."""

    kind: Literal["stdio_files"] = "stdio_files"
    version: Literal[1] = 1
    language: Literal["python", "cpp"] = "cpp"
    archive_sha256: str
    checker: str | None = None
    interactor: str | None = None
    time_limit_s: float = 2.0
    memory_mb: int = 256


class PytestSpec(Record):
    """A repository's test suite; score = share of FAIL_TO_PASS fixed, 0 if any PASS_TO_PASS regresses.

    `test_patch` brings tests that the image does not hold yet (SWE-bench family; "" = it holds them all): it is applied
    to the clean tree before tests are taken from there.
    """

    kind: Literal["pytest"] = "pytest"
    version: Literal[1] = 1
    test_cmd: str = "python -m pytest"
    fail_to_pass: list[str]
    pass_to_pass: list[str]
    test_patch: str = ""
    time_limit_s: float = 120.0
    memory_mb: int = 2048


VerifierSpec = Annotated[AssertionsSpec | StdioSpec | StdioFilesSpec | PytestSpec, Field(discriminator="kind")]
_SPEC: TypeAdapter[VerifierSpec] = TypeAdapter(VerifierSpec)


def parse_spec(text: str) -> VerifierSpec:
    """The spec in `verifier_json`.

    Raises:
        InputError: not a spec of a known kind; the message names the field.
    """
    try:
        return _SPEC.validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "verifier spec"
        raise InputError(f"verifier_json: {where}: {first['msg']}") from error


def dump_spec(spec: VerifierSpec) -> str:
    """Canonical JSON text of a spec."""
    return canonical_json(spec.model_dump(mode="json"))


class Submission(Record):
    """What is judged: a model's whole response (code is extracted by one function), or a patch."""

    text: str | None = None
    patch: str | None = None


class State(Record):
    """Where a patch applies: the task's image and the cumulative diff before the last user turn."""

    image: str
    repo_state: str = ""


class Verdict(Record):
    """The outcome of one verification.

    Attributes:
        score: in [0, 1]; null when the fault is infrastructure (then nothing is known about the answer).
        passed, total: units judged (assertions, cases, tests).
        trusted: whether only trusted processes decided.
        status: one word: "ok", "no_code", "no_entry_point" (code, but none that defines it), "load_error", "timeout",
            "memory", "output_limit", "tampered", "compile_error", "patch_refused", "collection_error", "fault".
        fault: the boundary that failed, when score is null.
        details: one entry a unit: `{"status": "passed" | "failed" | "error" | "timeout" | ..., ...}`.
        seconds: wall time; never part of a stored row.
    """

    score: float | None
    passed: int = 0
    total: int = 0
    trusted: bool = True
    status: str = "ok"
    fault: Boundary | None = None
    details: list[dict[str, Any]] = []
    seconds: float = 0.0
