"""The Docker backend: one hardened container a lane, its router root inside with the few capabilities that it needs.

The docker SDK blocks, so it runs in threads. A container carries labels that say whose it is; it ends and is removed by
the engine when its owner goes, however that happens, and `sweep` removes what an engine's restart may have left.
"""

import asyncio
import contextlib
import functools
import os
import secrets
import socket
from pathlib import Path
from typing import Any

from autointeract import assets
from autointeract.errors import SandboxError, SandboxUnavailableError
from autointeract.execution import bundle
from autointeract.execution.settings import ExecutionSettings

RUN_LABEL = "autointeract.run"
OWNER_LABEL = "autointeract.owner"
TREE_LABEL = "autointeract.tree"
UIDS_A_ROLE = 1000
ROUTER_CAPABILITIES = ["SETUID", "SETGID", "KILL", "CHOWN", "DAC_OVERRIDE"]
"""Change to the runs' uids, end their processes, make and clear their folders. The runs themselves have none."""


def client(settings: ExecutionSettings, timeout: int = 60) -> Any:
    """A docker client; raises SandboxUnavailableError where no engine answers."""
    import docker

    host = settings.docker_host
    try:
        made = docker.DockerClient(base_url=host, timeout=timeout) if host else docker.from_env(timeout=timeout)
        made.ping()
    except Exception as error:
        raise SandboxUnavailableError(
            f"no Docker engine answers at {host or os.environ.get('DOCKER_HOST', 'the default socket')} "
            f"({_brief(error)}); start one (`autointeract sandbox build` can), or use bubblewrap"
        ) from error
    return made


def ready(settings: ExecutionSettings) -> None:
    """Raises SandboxUnavailableError unless an engine answers and has the image of the function judge."""
    from docker import errors

    with contextlib.closing(client(settings, 10)) as docker:
        try:
            docker.images.get(settings.python_image)
        except errors.ImageNotFound as error:
            raise SandboxUnavailableError(no_image(settings.python_image)) from error


def no_image(name: str) -> str:
    """What to do about a missing image."""
    return f"the Docker engine has no image {name!r}: run `autointeract sandbox build`, or name another in the settings"


def hardening(settings: ExecutionSettings, *, memory_mb: int, processes: int, cpus: float) -> dict[str, Any]:
    """What every container has in common: no network, read-only root, no privileges, bounds on everything."""
    options: dict[str, Any] = {
        "network_mode": "none", "read_only": True, "cap_drop": ["ALL"], "init": True, "auto_remove": True,
        "security_opt": ["no-new-privileges", f"seccomp={seccomp_profile()}"],
        "mem_limit": memory_mb << 20, "memswap_limit": memory_mb << 20, "pids_limit": processes,
        "nano_cpus": int(cpus * 1e9), "ipc_mode": "none", "environment": bundle.ENVIRONMENT,
    }  # fmt: skip
    if settings.runtime:
        options["runtime"] = settings.runtime
    return options


@functools.cache
def seccomp_profile() -> str:
    """The JSON text of sandbox/seccomp.json."""
    return assets.path("sandbox", "seccomp.json").read_text("utf-8")


def labels(run_id: str) -> dict[str, str]:
    """Whose a container is: the run, and the process that started it."""
    return {RUN_LABEL: run_id, OWNER_LABEL: f"{socket.gethostname()}/{_boot()}/{os.getpid()}/{_started(os.getpid())}"}


def sweep(settings: ExecutionSettings, *, everything: bool = False) -> list[str]:
    """Removes containers whose owner is gone (or, with `everything`, all of this software's); returns their names."""
    removed = []
    with contextlib.closing(client(settings)) as docker:
        for container in docker.containers.list(all=True, filters={"label": RUN_LABEL}, ignore_removed=True):
            if everything or _orphan(container.labels.get(OWNER_LABEL, "")):
                with contextlib.suppress(Exception):  # gone meanwhile, or being removed
                    container.remove(force=True)
                    removed.append(container.name)
    return removed


def remove_trees(settings: ExecutionSettings) -> list[str]:
    """Removes the volumes that hold task images' clean trees; returns their names. Those in use stay."""
    removed = []
    with contextlib.closing(client(settings)) as docker:
        for volume in docker.volumes.list(filters={"label": TREE_LABEL}):
            with contextlib.suppress(Exception):  # in use
                volume.remove()
                removed.append(volume.name)
    return removed


def _orphan(owner: str) -> bool:
    host, boot, pid, started = (owner.split("/") + [""] * 4)[:4]
    if host != socket.gethostname():
        return False  # another machine's, on a shared engine
    return boot != _boot() or _started(int(pid or 0)) != started


@functools.cache
def _boot() -> str:
    with contextlib.suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    return "-"


def _started(pid: int) -> str:
    """The start time of a process in clock ticks since boot; empty when there is none."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    return ""


def _brief(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:200]


class ContainerChannel:
    """The attached streams of a container."""

    def __init__(self, container: Any, sock: socket.socket):
        self._container = container
        self._sock = sock
        self._buffer = bytearray()
        self._said = bytearray()
        self._closed = False
        sock.setblocking(False)

    async def write(self, data: bytes) -> None:
        """Sends all of `data`."""
        try:
            await asyncio.get_running_loop().sock_sendall(self._sock, data)
        except OSError as error:
            raise SandboxError("the lane's container ended") from error

    async def read_exactly(self, size: int) -> bytes:
        """`size` bytes of standard output; raises SandboxError at the end of the stream."""
        while len(self._buffer) < size:
            head = await self._raw(8)
            body = await self._raw(int.from_bytes(head[4:], "big"))
            (self._buffer if head[0] == 1 else self._said).extend(body)
            del self._said[:-4000]
        data = bytes(self._buffer[:size])
        del self._buffer[:size]
        return data

    async def _raw(self, size: int) -> bytes:
        data = bytearray()
        while len(data) < size:
            try:
                part = await asyncio.get_running_loop().sock_recv(self._sock, min(size - len(data), 1 << 20))
            except OSError as error:
                raise SandboxError("the lane's container ended") from error
            if not part:
                raise SandboxError("the lane's container ended")
            data += part
        return bytes(data)

    async def close(self) -> str:
        """Removes the container; returns what it said on its error stream."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(SandboxError, TimeoutError):
                async with asyncio.timeout(0.05):  # its last words
                    await self.read_exactly(1 << 40)
            self._sock.close()  # before removal: an engine may wait for a stream that nobody reads
            await asyncio.shield(asyncio.to_thread(_remove, self._container))
        return self._said.decode(errors="replace").strip()[-1000:]


def _remove(container: Any) -> None:
    from docker import errors

    try:
        container.remove(force=True)
    except errors.NotFound:
        pass
    except errors.APIError as error:
        if error.status_code != 409:  # its removal is under way
            raise SandboxError(f"container {container.name} could not be removed: {_brief(error)}") from error
    except Exception as error:  # the engine itself is gone
        raise SandboxError(f"container {container.name} could not be removed: {_brief(error)}") from error


def start(docker: Any, image: str, command: list[str], **options: Any) -> ContainerChannel:
    """A started router container; raises SandboxUnavailableError without the image, SandboxError on other refusals."""
    from docker import errors

    try:
        container = docker.containers.create(
            image, command, entrypoint=[], stdin_open=True, user="0:0", working_dir="/", cap_add=ROUTER_CAPABILITIES,
            **options,
        )  # fmt: skip
    except errors.ImageNotFound as error:
        raise SandboxUnavailableError(no_image(image)) from error
    except Exception as error:
        raise SandboxError(f"docker: {_brief(error)}") from error
    try:
        attached = container.attach_socket(params={"stdin": 1, "stdout": 1, "stderr": 1, "stream": 1})
        container.start()
    except Exception as error:
        with contextlib.suppress(Exception):
            container.remove(force=True)
        raise SandboxError(f"docker: {_brief(error)}") from error
    return ContainerChannel(container, getattr(attached, "_sock", attached))


class Docker:
    """Makes lanes out of containers. `image` has Python at /usr/bin/python3."""

    name = "docker"

    def __init__(self, settings: ExecutionSettings, run_id: str, image: str):
        self._settings = settings
        self._run_id = run_id
        self._image = image
        self._client = client(settings)

    async def open(self, number: int) -> tuple[ContainerChannel, dict[str, Any]]:
        """Starts a router in a new container.

        Raises:
            SandboxUnavailableError: the image is not there.
            SandboxError: the engine refused.
        """
        channel = await asyncio.shield(asyncio.to_thread(self._start, number))
        first = 100_000 + secrets.randbelow(500_000) * 2 * UIDS_A_ROLE  # lanes must not share RLIMIT_NPROC
        return channel, {"mode": "uids", "first_uid": first, "uids": UIDS_A_ROLE, "sides": ["candidate", "examiner"]}

    def _start(self, number: int) -> ContainerChannel:
        limits = self._settings.limits
        room = f"rw,exec,nosuid,nodev,mode=0755,size={2 * limits.disk_mb + 8}m,nr_inodes={2 * limits.files + 64}"
        options = hardening(
            self._settings, memory_mb=self._settings.lane_memory_mb, processes=2 * limits.processes + 32,
            cpus=self._settings.lane_cpus,
        )  # fmt: skip
        command = ["/usr/bin/python3", *bundle.PYTHON_FLAGS, "-c", bundle.boot(), "0", "router"]
        name = f"autointeract-{self._run_id}-{number}-{secrets.token_hex(3)}"
        return start(
            self._client,
            self._image,
            command,
            tmpfs={"/judge": room},
            labels=labels(self._run_id),
            name=name,
            **options,
        )

    async def close(self) -> None:
        """Closes the connection to the engine."""
        await asyncio.to_thread(self._client.close)
