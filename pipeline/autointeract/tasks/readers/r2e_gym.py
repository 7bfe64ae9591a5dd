"""R2E-Gym rows: real commits with generated tests; the image stands at the parent commit, its tests in `r2e_tests/`.

Columns: repo_name, docker_image, commit_hash, parsed_commit_content (JSON with the old and new text of every file),
expected_output_json (test -> status after the fix, by short names), execution_result_content (JSON with
test_file_names), problem_statement. Short names are tied to every listed test file; admission keeps those that exist,
and finds by running which of them fail before the fix.
"""

import json
from typing import Any

from autointeract.records import clean_text
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.patches import file_diff
from autointeract.tasks.readers.context import ReadContext, RowError, need_text, optional_text
from autointeract.tasks.readers.swe import candidate

TEST_FOLDER = "r2e_tests"
MAX_FILE_CHARS = 4_000_000


def read(row: dict[str, Any], context: ReadContext) -> Candidate | Refusal:
    """One R2E-Gym row as a candidate."""
    repo, commit = need_text(row, "repo_name", "repo"), need_text(row, "commit_hash")
    expected = _object(row, "expected_output_json")
    passing = [name for name, status in expected.items() if status == "PASSED"]
    files = _test_files(row)
    patch = optional_text(row, "fix_patch", "patch") or _fix(_object(row, "parsed_commit_content"))
    return candidate(
        row, context, task_id=optional_text(row, "instance_id", "task_id") or f"{repo}__{commit[:12]}", patch=patch,
        introduces_bug=False, image=need_text(row, "docker_image"), repo=repo,
        fail_to_pass=[_node(file, name) for name in passing for file in files], pass_to_pass=[],
        meta={"base_commit": commit, "shape": "r2e_gym"},
    )  # fmt: skip


def _object(row: dict[str, Any], column: str) -> dict[str, Any]:
    value = row.get(column)
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError) as error:
            raise RowError("bad_row", f"{column}: not JSON ({error})") from error
    if not isinstance(value, dict):
        raise RowError("missing_column", f"needs a JSON object in {column}")
    return value


def _test_files(row: dict[str, Any]) -> list[str]:
    names = _object(row, "execution_result_content").get("test_file_names")
    if not isinstance(names, list) or not names:
        raise RowError("missing_column", "execution_result_content names no test files")
    return [f"{TEST_FOLDER}/{str(name).rsplit('/', 1)[-1]}" for name in names]


def _node(file: str, name: str) -> str:
    head, bracket, rest = name.partition("[")
    return f"{file}::{head.replace('.', '::')}{bracket}{rest}"


def _fix(commit: dict[str, Any]) -> str:
    parts = []
    for item in commit.get("file_diffs") or []:
        path = str(((item.get("header") or {}).get("file") or {}).get("path") or "")
        old, new = item.get("old_file_content"), item.get("new_file_content")
        if not path.endswith(".py") or _is_test(path) or not isinstance(old, str) or not isinstance(new, str):
            continue
        if max(len(old), len(new)) > MAX_FILE_CHARS:
            raise RowError("too_large", f"{path} is larger than {MAX_FILE_CHARS} characters")
        parts.append(file_diff(path, clean_text(old), clean_text(new)))
    if not any(parts):
        raise RowError("no_reference", "the commit changes no Python source outside its tests")
    return "".join(parts)


def _is_test(path: str) -> bool:
    parts = path.lower().split("/")
    return any(part in ("test", "tests", TEST_FOLDER) for part in parts) or parts[-1].startswith("test_")
