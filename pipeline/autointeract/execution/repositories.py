"""Fresh sandboxes for repository runs: one attempt, one sandbox, nothing kept but the clean tree of each image.

In Docker the clean tree is a volume that the engine fills from the image's /testbed, readable by root alone; the run's
own tree is a tmpfs. Under bubblewrap it is a folder (`swe_images`/NAME/testbed).
"""

import asyncio
import contextlib
import itertools
import re
import secrets
from pathlib import Path
from typing import Any

from autointeract.errors import SandboxError, SandboxUnavailableError
from autointeract.execution import bundle, containers, repository
from autointeract.execution.bubblewrap import Bubblewrap
from autointeract.execution.lane import Lane, Sandbox
from autointeract.execution.settings import ExecutionSettings
from autointeract.records import PytestSpec, State, Submission, Verdict

READY = ".autointeract-ready"
_PYTHON = (
    "for p in /usr/bin /usr/local/bin /opt/miniconda3/bin; do "
    '[ -x "$p/python3" ] && exec "$p/python3" "$@"; done; exec python3 "$@"'
)
"""The router needs any Python from 3.10; the tests use whatever their command names."""


class Repositories:
    """Judges patches."""

    def __init__(self, settings: ExecutionSettings, backend: str, run_id: str):
        self._settings = settings
        self._backend = backend
        self._run_id = run_id
        self._numbers = itertools.count()
        self._client: Any = None
        self._trees: dict[str, str] = {}
        self._preparing = asyncio.Lock()
        self._ending: set[asyncio.Future[None]] = set()

    async def judge(self, spec: PytestSpec, submission: Submission, state: State) -> Verdict:
        """The verdict; raises SandboxError when it could not be had in `1 + retries` sandboxes."""
        for attempt in range(self._settings.retries + 1):
            planted = repository.sentinels(spec)
            mount = self._backend != "docker"
            job = repository.job(spec, submission, state, planted, self._settings, mount=mount)
            try:
                lane = await Lane.start(await self.sandbox(state.image, spec.memory_mb), next(self._numbers))
                try:
                    reply = await lane.judge(job, spec.time_limit_s + 300)
                finally:
                    self._end(lane)
                return repository.verdict(spec, reply, planted)
            except SandboxUnavailableError:
                raise
            except SandboxError:
                if attempt == self._settings.retries:
                    raise
        raise AssertionError("unreachable")

    def _end(self, lane: Lane) -> None:
        """Removes the sandbox while the verdict is already on its way; `close` waits for it."""
        ending = asyncio.ensure_future(lane.close())
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)

    async def sandbox(self, image: str, memory_mb: int) -> Sandbox:
        """A sandbox that starts lanes on a task image; raises SandboxError where the image cannot be had."""
        if self._backend != "docker":
            return Bubblewrap(self._folder(image))
        async with self._preparing:
            if image not in self._trees:
                self._trees[image] = await asyncio.to_thread(self._prepare, image)
        return _Fresh(self._settings, self._client, self._run_id, image, self._trees[image], memory_mb)

    def _folder(self, image: str) -> Path:
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", image).lstrip(".")
        root = self._settings.swe_images
        if root is None or not (Path(root) / name / "testbed").is_dir():
            raise SandboxError(
                f"image {image!r}: under bubblewrap a task image is a folder {name}/testbed in execution.swe_images; "
                "unpack it there, or use Docker"
            )
        return (Path(root) / name).resolve()

    def _prepare(self, image: str) -> str:
        """Fills the image's volume once; returns its name."""
        from docker import errors

        if self._client is None:
            self._client = containers.client(self._settings)
            containers.sweep(self._settings)
        try:
            found = self._image(image)
            name = f"autointeract-tree-{found.id.split(':')[-1][:20]}"
            with contextlib.suppress(errors.NotFound):
                self._client.volumes.get(name)
                if self._helper(found.id, name, ["test", "-e", f"/testbed/{READY}"]):
                    return name
                self._client.volumes.get(name).remove()  # a preparation that was killed half-way
            self._client.volumes.create(name, labels={containers.TREE_LABEL: image})
            if not self._helper(found.id, name, ["sh", "-c", f"chmod 0700 /testbed && : >/testbed/{READY}"]):
                raise SandboxError(f"image {image!r}: has no usable /testbed")
            return name
        except SandboxError:
            raise
        except Exception as error:
            raise SandboxError(f"image {image!r}: {type(error).__name__}: {str(error)[:300]}") from error

    def _image(self, image: str) -> Any:
        from docker import errors

        try:
            return self._client.images.get(image)
        except errors.ImageNotFound:
            if not self._settings.pull:
                raise
        try:
            return self._client.images.pull(image)
        except errors.APIError as error:
            raise SandboxError(f"image {image!r} is not here and could not be pulled: {str(error)[:200]}") from error

    def _helper(self, image: str, volume: str, command: list[str]) -> bool:
        """Runs a command of ours as root with the volume at /testbed; whether it succeeded."""
        options = containers.hardening(self._settings, memory_mb=256, processes=32, cpus=1.0)
        container = self._client.containers.create(
            image, command, entrypoint=[], user="0:0", working_dir="/", labels=containers.labels(self._run_id),
            mounts=[_mount(volume, "/testbed", read_only=False)],
            **{**options, "auto_remove": False, "cap_add": ["CHOWN", "FOWNER", "DAC_OVERRIDE"]},
        )  # fmt: skip
        try:
            container.start()
            return container.wait(timeout=60)["StatusCode"] == 0
        finally:
            container.remove(force=True)

    async def close(self) -> None:
        """Waits until every sandbox is gone, then closes the connection to the engine."""
        await asyncio.gather(*self._ending, return_exceptions=True)
        if self._client is not None:
            await asyncio.to_thread(self._client.close)
            self._client = None


def _mount(volume: str, target: str, *, read_only: bool) -> Any:
    from docker import types

    return types.Mount(target, volume, type="volume", read_only=read_only)


class _Fresh:
    """Starts a container of a task image for one attempt."""

    name = "docker"

    def __init__(self, settings: ExecutionSettings, client: Any, run_id: str, image: str, tree: str, memory_mb: int):
        self._settings, self._client, self._run_id = settings, client, run_id
        self._image, self._tree, self._memory_mb = image, tree, memory_mb

    async def open(self, number: int) -> tuple[containers.ContainerChannel, dict[str, Any]]:
        """As `Sandbox.open`."""
        channel = await asyncio.shield(asyncio.to_thread(self._start, number))
        first = 100_000 + secrets.randbelow(500_000) * 2 * containers.UIDS_A_ROLE
        return channel, {"mode": "uids", "first_uid": first, "uids": containers.UIDS_A_ROLE, "sides": ["suite"]}

    def _start(self, number: int) -> containers.ContainerChannel:
        settings = self._settings
        common = "rw,exec,nosuid,nodev"
        tmpfs = {
            "/testbed": f"{common},mode=0755,size={settings.swe_disk_mb}m,nr_inodes={settings.swe_files}",
            "/judge": f"{common},mode=0755,size=64m,nr_inodes=4096",
            "/tmp": f"{common},mode=1777,size={settings.swe_disk_mb // 4}m,nr_inodes={settings.swe_files // 4}",
        }
        options = containers.hardening(
            settings, memory_mb=self._memory_mb + settings.swe_disk_mb, processes=512, cpus=settings.lane_cpus
        )
        command = ["sh", "-c", _PYTHON, "sh", *bundle.PYTHON_FLAGS, "-c", bundle.boot(), "0", "router"]
        return containers.start(
            self._client, self._image, command, tmpfs=tmpfs, labels=containers.labels(self._run_id),
            mounts=[_mount(self._tree, "/.clean", read_only=True)],
            name=f"autointeract-{self._run_id}-swe{number}-{secrets.token_hex(3)}", **options,
        )  # fmt: skip

    async def close(self) -> None:
        """Nothing is held besides the lane."""
