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
