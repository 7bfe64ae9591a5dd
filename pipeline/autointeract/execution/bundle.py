"""The judge's sources as they are sent into a sandbox, and the command that starts them there."""

import functools
import json
import struct

from autointeract import assets

PYTHON_FLAGS = ("-s", "-S", "-X", "utf8")
"""No user site, no site-packages: nothing of the host's is imported. Not -I: PYTHONHASHSEED must hold."""
ENVIRONMENT = {
    "PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": "/tmp", "LANG": "C.UTF-8", "PYTHONHASHSEED": "0", "TZ": "UTC",
    "PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1",
}  # fmt: skip
"""All that a sandbox sees of an environment; the hash seed makes verdicts repeatable."""


@functools.cache
def sources() -> dict[str, str]:
    """Module name -> source text of sandbox/judge."""
    return {path.stem: path.read_text("utf-8") for path in sorted(assets.path("sandbox", "judge").glob("*.py"))}


def boot() -> str:
    """The text for `python -c`."""
    return sources()["boot"]


def frame(value: object) -> bytes:
    """One frame of the judge's wire format."""
    data = json.dumps(value, separators=(",", ":")).encode()
    return struct.pack(">I", len(data)) + data
