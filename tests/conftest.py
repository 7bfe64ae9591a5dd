"""Shared fixtures: the repository root, real input (skipped loudly where absent), and a Docker engine."""

import os
import warnings
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    """The top level of the checkout."""
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real logs and tasks beside the checkout (or AUTOINTERACT_SHARED); tests that need it skip where
    it is absent.
    """
    folder = Path(os.environ.get("AUTOINTERACT_SHARED", ROOT.parent / "shared"))
    if not (folder / "logs").is_dir():
        warnings.warn(
            f"REAL INPUT ABSENT: {folder}/logs not found, tests on real logs and tasks are skipped", stacklevel=1
        )
        pytest.skip(f"real input not found at {folder}")
    return folder


@pytest.fixture(scope="session")
def docker_engine() -> str:
    """Skips (or, with AUTOINTERACT_REQUIRE_DOCKER=1, fails) where no Docker engine answers; gives its address."""
    import docker

    try:
        client = docker.from_env(timeout=5)
        client.ping()
    except Exception as error:
        if os.environ.get("AUTOINTERACT_REQUIRE_DOCKER") == "1":
            pytest.fail(f"a Docker engine is required here and none answers: {error}")
        warnings.warn("NO DOCKER ENGINE: tests on real Docker are skipped", stacklevel=1)
        pytest.skip("no Docker engine answers")
    return os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock")
