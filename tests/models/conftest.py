"""Fixtures of the models room: the small real model, served once a session (skipped loudly where not installed)."""

import os
import warnings
from collections.abc import Iterator

import pytest

from autointeract.errors import ConfigError
from autointeract.models.local_server import LocalServer


@pytest.fixture(scope="session")
def local_model() -> Iterator[LocalServer]:
    """A running server of the `local` extra; with AUTOINTERACT_REQUIRE_LOCAL=1 its absence fails the test."""
    try:
        server = LocalServer(slots=2, context=8192)
    except ConfigError as error:
        if os.environ.get("AUTOINTERACT_REQUIRE_LOCAL") == "1":
            pytest.fail(f"the local model is required here: {error}")
        warnings.warn(f"NO LOCAL MODEL: tests on a real model are skipped ({error})", stacklevel=1)
        pytest.skip("the local extra is not installed")
    with server:
        yield server
