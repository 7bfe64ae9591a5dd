"""Fixtures of the tests of `logs`."""

import pytest
from logs_support import Claude


@pytest.fixture
def claude() -> Claude:
    """A writer of rows in the shape of one Claude Code transcript."""
    return Claude()
