"""Workbench: a container of the task's image in which an agent's commands run.

The agent works as an unprivileged user on its own copy of the tree (a tmpfs), with a fresh history: it can see neither
the clean tree, from which the bug could be read, nor the files of the tests that must be fixed. Diffs are taken by root
against trees that the agent cannot reach. No network; the limits of every container of this software.
"""

import asyncio
import base64
import contextlib
import secrets
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Protocol

from autointeract.errors import SandboxError, SandboxUnavailableError
from autointeract.execution import ExecutionSettings, containers
from autointeract.records import Record, clean_text

AGENT = "65534:65534"
_TREES = "autointeract-bench"
_GIT = {
    "GIT_DIR": "/.clean/.git", "GIT_WORK_TREE": "/testbed", "GIT_INDEX_FILE": "/bench/index", "HOME": "/bench",
    "GIT_OBJECT_DIRECTORY": "/bench/objects", "GIT_ALTERNATE_OBJECT_DIRECTORIES": "/.clean/.git/objects",
    "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
}  # fmt: skip
_AGENT_ENV = {
    "HOME": "/tmp", "PAGER": "cat", "GIT_PAGER": "cat", "PYTHONDONTWRITEBYTECODE": "1", "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
    "GIT_AUTHOR_DATE": "2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z",
}  # fmt: skip
_PREPARE = """
set -e
cp -Rd /.clean/. /testbed/
rm -rf /testbed/.git
mkdir -p /bench/objects
cd /testbed && git read-tree HEAD
base64 -d </bench/state.b64 >/bench/state.patch
if [ -s /bench/state.patch ]; then git apply --whitespace=nowarn /bench/state.patch; fi
base64 -d </bench/hidden.b64 | while IFS= read -r path; do rm -f -- "/testbed/$path"; done
git add -A . && git write-tree >/bench/base
chmod -R a+rwX /testbed
"""
_HISTORY = (
    "cd /testbed && git init -q && git add -A && "
    "git -c user.name=x -c user.email=x@localhost commit -q -m 'Initial state'"
)
_NOISE = (":(exclude,glob)**/__pycache__/**", ":(exclude,glob)**/.pytest_cache/**", ":(exclude,glob)**/*.pyc")
_CHUNK = 60_000


class Ran(Record):
    """What a command gave: its output (cut in the middle where too long), its exit code, whether it ran out of time."""

    output: str
    code: int
    late: bool = False


class Session(Protocol):
    """One agent's place to work."""

    async def run(self, command: str, seconds: float, chars: int) -> Ran:
        """Runs a shell command as the agent."""
        ...

    async def patch(self) -> str:
        """The agent's changes since the session began."""
        ...

    async def state(self) -> str:
        """All changes against the image's clean tree, the state the session began with included."""
        ...

    async def close(self) -> None:
        """Ends it; nothing survives."""
        ...


class Workbench(Protocol):
    """Opens sessions."""

    async def open(self, image: str, state: str, hidden: Sequence[str], memory_mb: int) -> Session:
        """A session on `image` with the diff `state` applied and the files `hidden` taken away.

        Raises:
            SandboxUnavailableError: no Docker engine. SandboxError: the image or the state cannot be used.
        """
        ...


class DockerWorkbench:
    """Sessions in Docker, a bounded number at a time."""

    def __init__(self, settings: ExecutionSettings, run_id: str, sessions: int):
        self._settings, self._run_id = settings, run_id
        self._slots = asyncio.Semaphore(sessions)
        self._threads = ThreadPoolExecutor(2 * sessions, thread_name_prefix="bench")
        self._client: Any = None
        self._volumes: dict[str, str] = {}
        self._preparing = asyncio.Lock()

    async def open(self, image: str, state: str, hidden: Sequence[str], memory_mb: int) -> Session:
        """As `Workbench.open`."""
        async with self._preparing:
            if image not in self._volumes:
                self._volumes[image] = await self._thread(self._prepare, image)
        await self._slots.acquire()
        try:
            container = await self._thread(self._start, image, memory_mb)
        except BaseException:
            self._slots.release()
            raise
        session = DockerSession(self._client, container, self._threads, self._slots.release, list(hidden))
        try:
            await session.prepare(state)
        except BaseException:
            await asyncio.shield(session.close())
            raise
        return session

    def _prepare(self, image: str) -> str:
        """A volume with the image's clean tree; the engine fills it from the image."""
        if self._client is None:
            self._client = containers.client(self._settings)
            containers.sweep(self._settings)
        try:
            found = self._client.images.get(image)
        except Exception as error:
            raise SandboxError(f"image {image!r} is not on this machine: {str(error)[:200]}") from error
        name = f"{_TREES}-{found.id.split(':')[-1][:20]}"
        try:
            self._client.volumes.create(name, labels={"autointeract.tree": image})
            options = containers.hardening(self._settings, memory_mb=256, processes=32, cpus=1.0)
            command = ["sh", "-c", "chown -R 0:0 /testbed && chmod 0700 /testbed"]
            container = self._client.containers.create(
                image, command, entrypoint=[], user="0:0", working_dir="/",
                labels=containers.labels(self._run_id), mounts=[_mount(name, "/testbed", False)],
                **{**options, "auto_remove": False, "cap_add": ["CHOWN", "FOWNER", "DAC_OVERRIDE"]},
            )  # fmt: skip
            try:
                container.start()
                if container.wait(timeout=60)["StatusCode"]:
                    raise SandboxError(f"image {image!r} has no usable /testbed")
            finally:
                container.remove(force=True)
        except SandboxError:
            raise
        except Exception as error:
            raise SandboxError(f"image {image!r}: {type(error).__name__}: {str(error)[:300]}") from error
        return name

    def _start(self, image: str, memory_mb: int) -> Any:
        size = self._settings.swe_disk_mb
        common = "rw,exec,nosuid,nodev"
        tmpfs = {
            "/testbed": f"{common},mode=0777,size={size}m",
            "/tmp": f"{common},mode=1777,size={size // 4}m",
            "/bench": f"{common},mode=0700,size=256m",
        }
        options = containers.hardening(self._settings, memory_mb=memory_mb + size, processes=256, cpus=1.0)
        try:
            container = self._client.containers.create(
                image, ["sleep", "infinity"], entrypoint=[], user="0:0", working_dir="/testbed", tmpfs=tmpfs,
                labels=containers.labels(self._run_id), mounts=[_mount(self._volumes[image], "/.clean", True)],
                name=f"autointeract-{self._run_id}-bench-{secrets.token_hex(4)}", **options,
            )  # fmt: skip
            container.start()
        except Exception as error:
            raise SandboxError(f"image {image!r}: {type(error).__name__}: {str(error)[:300]}") from error
        return container

    async def _thread(self, work: Any, *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def close(self) -> None:
        """Closes the connection to the engine."""
        if self._client is not None:
            await self._thread(self._client.close)
            self._client = None
        self._threads.shutdown(wait=False)


class DockerSession:
    """A running container."""

    def __init__(self, client: Any, container: Any, threads: ThreadPoolExecutor, release: Any, hidden: list[str]):
        self._client, self._container, self._threads, self._release = client, container, threads, release
        self._hidden = hidden
        self._closed = False

    async def prepare(self, state: str) -> None:
        """Copies the tree, applies the state, hides the tests, starts a history."""
        await self._send("/bench/state.b64", state if not state or state.endswith("\n") else state + "\n")
        await self._send("/bench/hidden.b64", "".join(f"{path}\n" for path in self._hidden))
        ran = await self._exec(["sh", "-c", _PREPARE], "0:0", _GIT, 120, 4000)
        if ran.code == 0:
            ran = await self._exec(["sh", "-c", _HISTORY], AGENT, _AGENT_ENV, 120, 4000)
        if ran.code:
            raise SandboxError(f"a workbench could not be prepared: {ran.output[-300:]}")

    async def run(self, command: str, seconds: float, chars: int) -> Ran:
        """As `Session.run`."""
        words = ["timeout", "-k", "2", f"{seconds:g}", "bash", "-c", command]
        ran = await self._exec(words, AGENT, _AGENT_ENV, seconds + 20, chars)
        return ran.model_copy(update={"late": ran.code in (124, 137)})

    async def patch(self) -> str:
        """As `Session.patch`."""
        return await self._diff('"$(cat /bench/base)"')

    async def state(self) -> str:
        """As `Session.state`."""
        return await self._diff("HEAD")

    async def _diff(self, base: str) -> str:
        spared = " ".join(f"'{item}'" for item in _NOISE)
        hidden = " ".join("'" + f":(exclude,literal){path}".replace("'", "'\\''") + "'" for path in self._hidden)
        command = f"cd /testbed && git add -A . && git diff --cached --binary {base} -- . {spared} {hidden}"
        ran = await self._exec(["sh", "-c", command], "0:0", _GIT, 120, 20_000_000)
        if ran.code:
            raise SandboxError(f"a diff could not be taken: {ran.output[-300:]}")
        return ran.output

    async def _send(self, path: str, text: str) -> None:
        data = base64.b64encode(text.encode()).decode()
        for start in range(0, max(len(data), 1), _CHUNK):
            piece = data[start : start + _CHUNK]
            ran = await self._exec(["sh", "-c", f"printf %s '{piece}' >>{path}"], "0:0", {}, 60, 1000)
            if ran.code:
                raise SandboxError(f"a workbench could not be prepared: {ran.output[-300:]}")

    async def _exec(self, words: list[str], user: str, environment: dict[str, str], seconds: float, chars: int) -> Ran:
        work = asyncio.get_running_loop().run_in_executor(
            self._threads, self._blocking, words, user, environment, chars
        )
        try:
            async with asyncio.timeout(seconds):
                return await work
        except TimeoutError as error:
            raise SandboxError(f"a command in a workbench did not end within {seconds:.0f} s") from error

    def _blocking(self, words: list[str], user: str, environment: dict[str, str], chars: int) -> Ran:
        api = self._client.api
        head, tail, dropped = bytearray(), bytearray(), 0
        try:
            made = api.exec_create(self._container.id, words, user=user, environment=environment, workdir="/testbed")
            for piece in api.exec_start(made["Id"], stream=True):
                room = chars // 2 - len(head)
                head += piece[: max(room, 0)]
                tail += piece[max(room, 0) :]
                if len(tail) > chars:
                    dropped += len(tail) - chars // 2
                    del tail[: -(chars // 2)]
            code = api.exec_inspect(made["Id"])["ExitCode"]
        except Exception as error:
            raise SandboxError(f"a workbench died: {type(error).__name__}: {str(error)[:200]}") from error
        middle = f"\n[... {dropped} bytes left out ...]\n".encode() if dropped else b""
        return Ran(output=clean_text((bytes(head) + middle + bytes(tail)).decode("utf-8", "replace")), code=code or 0)

    async def close(self) -> None:
        """As `Session.close`."""
        if self._closed:
            return
        self._closed = True
        try:
            with contextlib.suppress(Exception):  # it removes itself when it ends
                await asyncio.get_running_loop().run_in_executor(None, lambda: self._container.remove(force=True))
        finally:
            self._release()


def _mount(volume: str, target: str, read_only: bool) -> Any:
    from docker import types

    return types.Mount(target, volume, type="volume", read_only=read_only)


def need_docker(settings: ExecutionSettings) -> None:
    """Raises SandboxUnavailableError where repository tasks cannot be played."""
    if settings.backend not in ("auto", "docker"):
        raise SandboxUnavailableError(
            f"repository tasks need Docker for the assistant's tools; execution.backend is {settings.backend!r}: "
            "set it to docker or auto, or leave them out (synthesize.domains)"
        )
