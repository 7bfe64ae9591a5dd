"""Rows in the shapes that the readers know, written for these tests."""

import json
from typing import Any

STATEMENT = """Add up the marks of a pupil.

Marks below zero do not count. An empty list gives 0.

Examples:
marks([1, 2]) == 3
marks([-4, 2]) == 2
"""
REFERENCE = "def marks(values):\n    return sum(v for v in values if v >= 0)\n"
ASSERTIONS = [
    "assert marks([1, 2]) == 3", "assert marks([-4, 2]) == 2", "assert marks([]) == 0",
    "assert marks([5, -1, 5]) == 10", "assert marks([7]) == 7",
]  # fmt: skip


def own(**changes: Any) -> dict[str, Any]:
    """A good row of the project's own shape, with changes (null removes a key)."""
    row = {
        "task_id": "test/marks", "source": "test", "license": "MIT", "statement": STATEMENT, "reference": REFERENCE,
        "assertions": ASSERTIONS, **changes,
    }  # fmt: skip
    return {key: value for key, value in row.items() if value is not None}


def dolci(**changes: Any) -> dict[str, Any]:
    """A good Dolci row."""
    row = {
        "id": "dolci/marks", "prompt": f"user: {STATEMENT}", "dataset": ["code"], "solution": REFERENCE,
        "ground_truth": [json.dumps(ASSERTIONS)], "original_dataset": "some_set", "passrate": 0.5, **changes,
    }  # fmt: skip
    return {key: value for key, value in row.items() if value is not None}


BUG = """diff --git a/pkg/area.py b/pkg/area.py
--- a/pkg/area.py
+++ b/pkg/area.py
@@ -1,3 +1,3 @@
 def area(a, b):
     \"\"\"Area of a rectangle.\"\"\"
-    return a * b
+    return a + b
"""
SMITH_ID = "octo__shapes.1fd52536.func_pm_op_change__0fceycuu"


def smith(**changes: Any) -> dict[str, Any]:
    """A good SWE-smith row."""
    row = {
        "instance_id": SMITH_ID, "patch": BUG, "FAIL_TO_PASS": ["tests/test_area.py::test_area[2 by 3]"],
        "PASS_TO_PASS": ["tests/test_area.py::test_zero"],
        "image_name": "swebench/swesmith.x86_64.octo_1776_shapes.1fd52536", "repo": "swesmith/octo__shapes.1fd52536",
        "problem_statement": "Areas are wrong.", **changes,
    }  # fmt: skip
    return {key: value for key, value in row.items() if value is not None}


def rebench(**changes: Any) -> dict[str, Any]:
    """A good row of the SWE-bench family."""
    row = {
        "instance_id": "octo__shapes-12", "repo": "octo/shapes", "base_commit": "a" * 40, "patch": BUG,
        "test_patch": BUG.replace("pkg/area", "tests/test_area"), "problem_statement": "Areas are wrong.",
        "FAIL_TO_PASS": json.dumps(["tests/test_area.py::test_area"]), "PASS_TO_PASS": "[]", "version": "1.0",
        "docker_image": "some/image:octo", "install_config": {"test_cmd": "pytest -rA"}, **changes,
    }  # fmt: skip
    return {key: value for key, value in row.items() if value is not None}


def r2e(**changes: Any) -> dict[str, Any]:
    """A good R2E-Gym row."""
    diff = {
        "header": {"file": {"path": "pkg/area.py"}}, "old_file_content": "def area(a, b):\n    return a + b\n",
        "new_file_content": "def area(a, b):\n    return a * b\n",
    }  # fmt: skip
    tests = {**diff, "header": {"file": {"path": "tests/test_area.py"}}}
    row = {
        "repo_name": "shapes", "docker_image": "some/shapes:abc", "commit_hash": "b" * 40,
        "parsed_commit_content": json.dumps({"file_diffs": [diff, tests]}),
        "expected_output_json": json.dumps({"TestArea.test_area[2.5]": "PASSED", "TestArea.test_skip": "SKIPPED"}),
        "execution_result_content": json.dumps({"test_file_names": ["test_1.py"], "test_file_codes": ["..."]}),
        "problem_statement": "Areas are wrong.", "prompt": "...", **changes,
    }  # fmt: skip
    return {key: value for key, value in row.items() if value is not None}


def problem(**changes: Any) -> dict[str, Any]:
    """A good LiveCodeBench-Pro row."""
    row = {
        "problem_id": "2034A", "problem_title": "Double", "difficulty": "easy", "platform": "codeforces",
        "problem_statement": "Print twice the number.\n\nInput\nOne whole number.\n\nOutput\nTwice the number.",
        "time_limit": "2 seconds", "memory_limit": "256 megabytes", **changes,
    }  # fmt: skip
    return {key: value for key, value in row.items() if value is not None}
