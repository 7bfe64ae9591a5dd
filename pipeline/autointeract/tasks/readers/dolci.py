"""Dolci / open-instruct RL rows: `code` (assertions) and `code_stdio` (programs). Other verifiers are only counted.

The verifier's name in `dataset` decides, never the name of a source or a count. Columns read: id, prompt or messages,
dataset, ground_truth, and for the gold code reference, solution, reference_solution or canonical_solution (a row
without gold code cannot be verified and is refused by name).
"""

import re
from typing import Any

from autointeract.records import AssertionsSpec, Case, StdioSpec, clean_text, digest
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.ground_truth import decode
from autointeract.tasks.readers.assertions import check_assertions
from autointeract.tasks.readers.context import ReadContext, RowError, optional_text, row_name

_FENCE = re.compile(r"```[A-Za-z+]*[ \t]*\n(.*?)\n?```", re.DOTALL)


def read(row: dict[str, Any], context: ReadContext) -> Candidate | Refusal:
    """One Dolci row as a candidate."""
    verifier = _one(row.get("dataset"))
    if verifier not in ("code", "code_stdio"):
        raise RowError("not_code", f"verifier {verifier!r}: only code and code_stdio rows are coding tasks")
    statement = _statement(row)
    tests = decode(row.get("ground_truth"), context.settings.max_row_mb * 2**20)
    if not tests:
        raise RowError("no_tests", "ground_truth holds no tests")
    reference = optional_text(row, "reference", "solution", "reference_solution", "canonical_solution")
    source = optional_text(row, "original_dataset", "dataset_source", "data_source") or context.label
    return Candidate(
        task_id=row_name(row) or f"{source}/{digest([statement, tests], 16)}", domain="algorithmic", source=source,
        license=optional_text(row, "license") or context.source.license, statement=statement,
        entry_point=optional_text(row, "entry_point"),
        reference={"code": unfenced(reference)} if reference else None,
        spec=_assertions(row, tests, context) if verifier == "code" else _stdio(tests, context),
        meta={name: row[name] for name in ("passrate", "difficulty") if isinstance(row.get(name), int | float | str)},
    )  # fmt: skip


def unfenced(code: str) -> str:
    """Code without a Markdown fence around it (the last block, as the verifier takes it)."""
    blocks = _FENCE.findall(code)
    return (blocks[-1] if blocks and code.lstrip().startswith("```") else code).strip("\n") + "\n"


def _one(value: Any) -> str | None:
    if isinstance(value, list) and value:
        value = value[0]
    return value if isinstance(value, str) else None


def _statement(row: dict[str, Any]) -> str:
    prompt = row.get("prompt")
    messages = prompt if isinstance(prompt, list) else row.get("messages") or row.get("source_prompt")
    if isinstance(prompt, str) and prompt.strip():
        text = clean_text(prompt).strip()
        for marker in ("user:", "User:", "USER:"):  # flat text begins with one role marker: exactly one is taken off
            if text.startswith(marker):
                text = text[len(marker) :].strip()
                break
        return _some(text)
    if isinstance(messages, list):
        texts = [item.get("content") for item in messages if isinstance(item, dict) and item.get("role") == "user"]
        return _some("\n\n".join(clean_text(text) for text in texts if isinstance(text, str)).strip())
    raise RowError("missing_column", "needs prompt (text) or messages")


def _some(text: str) -> str:
    if not text:
        raise RowError("no_statement", "the prompt is empty")
    return text


def _assertions(row: dict[str, Any], tests: list[Any], context: ReadContext) -> AssertionsSpec:
    return AssertionsSpec(
        entry_point=optional_text(row, "entry_point"), assertions=check_assertions(tests),
        time_limit_s=context.settings.time_limit_s, memory_mb=context.settings.memory_mb,
    )  # fmt: skip


def _stdio(tests: list[Any], context: ReadContext) -> StdioSpec:
    cases = []
    for test in tests:
        if not isinstance(test, dict) or not {"input", "output"} <= test.keys():
            raise RowError("bad_ground_truth", "a code_stdio test needs an input and an output")
        cases.append(Case(input=_text(test["input"]), output=_text(test["output"])))
    return StdioSpec(
        language="python", cases=cases, time_limit_s=context.settings.case_time_limit_s,
        memory_mb=context.settings.memory_mb,
    )  # fmt: skip


def _text(value: Any) -> str:
    if isinstance(value, list):
        return "\n".join(_text(item) for item in value)
    if isinstance(value, str | int | float):
        return clean_text(str(value))
    raise RowError("bad_ground_truth", f"a test's input or output is a {type(value).__name__}, not text")
