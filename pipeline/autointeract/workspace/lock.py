"""One writer a workspace. The kernel drops the lock when its holder dies, so a killed run never blocks the next."""

import fcntl
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from autointeract.errors import LockedError


@contextmanager
def writer_lock(path: Path, stage: str) -> Iterator[None]:
    """Holds the workspace's lock for the block.

    Raises:
        LockedError: another process holds it; the message names its pid and stage.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = _holder(descriptor)
            raise LockedError(
                f"{path.parent} is being written by {holder}: wait for it, or use another workspace"
            ) from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, json.dumps({"pid": os.getpid(), "stage": stage}).encode(), 0)
        yield
        os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def _holder(descriptor: int) -> str:
    try:
        data = json.loads(os.pread(descriptor, 4096, 0))
        return f"process {data['pid']} (stage {data['stage']})"
    except (ValueError, KeyError):
        return "another process"
