"""Readers: one module a dataset shape, each a function `read(row, context) -> Candidate | Refusal`.

A reader is pure: it looks at one row, raises nothing on bad data and executes nothing. `read_source` streams the rows
of a source, chooses the reader by the columns of each row (or by the configured format) and yields what it says.
"""

from collections.abc import Callable, Iterator
from typing import Any

from autointeract.errors import InputError
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers import dolci, lcb_pro, own, r2e_gym, swe_bench, swe_smith
from autointeract.tasks.readers.context import ReadContext
from autointeract.tasks.readers.rows import iter_rows, source_label
from autointeract.tasks.settings import SourceSettings, TasksSettings

Reader = Callable[[dict[str, Any], ReadContext], Candidate | Refusal]
READERS: dict[str, Reader] = {
    "own": own.read,
    "dolci": dolci.read,
    "swe_smith": swe_smith.read,
    "swe_bench": swe_bench.read,
    "r2e_gym": r2e_gym.read,
    "lcb_pro": lcb_pro.read,
}

__all__ = ["READERS", "ReadContext", "Reader", "detect", "read_source"]


def detect(row: dict[str, Any]) -> str | None:
    """The format of a row by its columns; null when it is none that is known."""
    columns = row.keys()
    if "ground_truth" in columns and ("dataset" in columns or "prompt" in columns or "messages" in columns):
        return "dolci"
    if "problem_id" in columns and "problem_statement" in columns:
        return "lcb_pro"
    if "expected_output_json" in columns:
        return "r2e_gym"
    if "FAIL_TO_PASS" in columns or "fail_to_pass" in columns:
        return "swe_bench" if "base_commit" in columns or "test_patch" in columns else "swe_smith"
    if "statement" in columns and columns & {"assertions", "cases", "verifier"}:
        return "own"
    return None


def read_source(source: SourceSettings, settings: TasksSettings) -> Iterator[Candidate | Refusal]:
    """What every row of `source` is, in its order; memory holds one row (or one Parquet batch).

    Raises:
        InputError: the source cannot be opened, or holds no row at all; names it.
    """
    label = source_label(source)
    seen = 0
    for where, row in iter_rows(source, settings.max_row_mb * 2**20):
        seen += 1
        if isinstance(row, Refusal):
            yield row
            continue
        kind = source.format if source.format != "auto" else detect(row)
        if kind is None:
            known = ", ".join(sorted(READERS))
            columns = ", ".join(sorted(str(name) for name in row)[:12])
            detail = f"no known task shape ({known}) has just these columns: {columns}"
            yield Refusal(name=where, source=label, reason="bad_row", detail=detail)
            continue
        context = ReadContext(where=where, source=source, label=label, settings=settings)
        yield context.guarded(READERS[kind], row)
    if not seen:
        raise InputError(f"{source.path}: holds no rows (looked for JSON lines and Parquet)")
