"""Executions on every backend; Docker skips loudly without an engine, bubblewrap where it cannot work."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import shop_package
from backends import bubblewrap_or_skip

from autointeract.execution import Execution, ExecutionSettings


@pytest.fixture
async def bwrap() -> AsyncIterator[Execution]:
    """An Execution on one bubblewrap lane."""
    bubblewrap_or_skip()
    async with Execution(ExecutionSettings(backend="bubblewrap", lanes=1)) as execution:
        yield execution


@pytest.fixture
async def docker(docker_engine: str) -> AsyncIterator[Execution]:
    """An Execution on one Docker lane."""
    async with Execution(ExecutionSettings(backend="docker", docker_host=docker_engine, lanes=1)) as execution:
        yield execution


@pytest.fixture(params=["bwrap", pytest.param("docker", marks=pytest.mark.docker)])
def execution(request: pytest.FixtureRequest) -> Execution:
    """An Execution on each backend in turn."""
    return request.getfixturevalue(request.param)


@pytest.fixture(scope="session")
def swe_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Task images for bubblewrap."""
    folder = tmp_path_factory.mktemp("images")
    shop_package.bubblewrap_image(folder)
    return folder


@pytest.fixture(params=["bwrap", pytest.param("docker", marks=pytest.mark.docker)])
async def suites(request: pytest.FixtureRequest) -> AsyncIterator[Execution]:
    """An Execution that has the image of shop_package.py, on each backend."""
    if request.param == "docker":
        address = request.getfixturevalue("docker_engine")
        await asyncio.to_thread(shop_package.docker_image, address)
        settings = ExecutionSettings(backend="docker", docker_host=address, swe_disk_mb=128)
    else:
        bubblewrap_or_skip()
        folder = request.getfixturevalue("swe_folder")
        settings = ExecutionSettings(backend="bubblewrap", swe_images=str(folder), swe_disk_mb=128)
    async with Execution(settings) as execution:
        yield execution


@pytest.fixture
def bwrap_works() -> None:
    """Skips loudly where bubblewrap cannot work."""
    bubblewrap_or_skip()
