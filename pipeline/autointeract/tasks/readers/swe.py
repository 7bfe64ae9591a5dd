"""What the SWE readers share: test lists in any wrapping, patches with an explicit direction, the candidate they make.

A SWE candidate always means: on the image's clean tree, `start_patch` gives the state the solver begins with; the gold
patch makes it good again. Both live in `reference`: `{"patch": gold, "start_patch": ...}`. A row whose tree is buggy by
itself (a fix patch) has no start patch.
"""

import ast
import json
from typing import Any

from autointeract.errors import InputError
from autointeract.records import PytestSpec
from autointeract.tasks.candidate import Candidate
from autointeract.tasks.patches import inspect, reverse
from autointeract.tasks.readers.context import ReadContext, RowError, optional_text

DEFAULT_TEST_CMD = "python -m pytest"


def test_list(row: dict[str, Any], *columns: str) -> list[str]:
    """A list of test ids from a list, JSON text, or the text of a Python list; order kept, duplicates dropped.

    Raises:
        RowError: the column is missing, or holds something else.
    """
    value = next((row[column] for column in columns if row.get(column) is not None), None)
    if value is None:
        raise RowError("missing_column", f"needs {' or '.join(columns)}")
    if isinstance(value, str):
        value = _parsed(value, columns[0])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise RowError("bad_row", f"{columns[0]}: needs a list of test ids (or its JSON text)")
    return list(dict.fromkeys(item.strip() for item in value if item.strip()))


def _parsed(text: str, column: str) -> Any:
    if not text.strip():
        return []
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        pass
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError) as error:
        raise RowError("bad_row", f"{column}: neither JSON nor a list of test ids") from error


def candidate(
    row: dict[str, Any], context: ReadContext, *, task_id: str, patch: str, introduces_bug: bool, image: str | None,
    repo: str, fail_to_pass: list[str], pass_to_pass: list[str], test_patch: str = "",
    meta: dict[str, Any] | None = None, test_cmd: str | None = None,
) -> Candidate:  # fmt: skip
    """The candidate of one SWE row.

    Args:
        introduces_bug: what `patch` does (SWE-smith: true; SWE-bench family: false).
        test_patch: a patch of the tests that the image does not hold yet.

    Raises:
        RowError: no listed test, a patch that cannot be read, or no image.
    """
    if not fail_to_pass:
        raise RowError("no_tests", "FAIL_TO_PASS is empty: nothing tells a fix from the bug")
    if not image:
        raise RowError("no_image", "the row names no image, and its repository is not one this software knows")
    try:
        facts = inspect(patch)
        gold = reverse(patch) if introduces_bug else patch
    except InputError as error:
        raise RowError("bad_patch", str(error)) from error
    reference = {"patch": gold}
    if introduces_bug:
        reference["start_patch"] = patch
    if test_patch.strip():
        try:
            inspect(test_patch)
        except InputError as error:
            raise RowError("bad_patch", f"test_patch: {error}") from error
    return Candidate(
        task_id=task_id, domain="swe", source=optional_text(row, "source") or context.label,
        license=optional_text(row, "license") or context.source.license,
        statement=optional_text(row, "problem_statement", "issue") or "", image=image, repo=repo, reference=reference,
        spec=PytestSpec(
            test_cmd=test_cmd or optional_text(row, "test_cmd") or DEFAULT_TEST_CMD, fail_to_pass=fail_to_pass,
            pass_to_pass=pass_to_pass, test_patch=test_patch, time_limit_s=context.settings.suite_time_limit_s,
        ),
        meta={**(meta or {}), "patch_lines": facts.lines, "patch_files": len(facts.files)},
    )  # fmt: skip


def direction(context: ReadContext, default: bool) -> bool:
    """Whether a row's `patch` introduces the bug: as configured, else as its shape defines it."""
    kind = context.source.patch_kind
    return default if kind == "auto" else kind == "bug_patch"


def explicit_patch(row: dict[str, Any], context: ReadContext, default: bool) -> tuple[str, bool]:
    """(patch, whether it introduces the bug), from `bug_patch` or `fix_patch` where a row is explicit, else `patch`."""
    if text := optional_text(row, "bug_patch"):
        return text, True
    if text := optional_text(row, "fix_patch"):
        return text, False
    if text := optional_text(row, "patch"):
        return text, direction(context, default)
    raise RowError("missing_column", "needs patch, bug_patch or fix_patch")
