"""One SWE attempt (a patch and 31 tests): time over running the same pytest on this host, side by side in one run.

    python benchmarks/execution_swe.py [--rounds 8] [--python /usr/bin/python3] [--backend docker]

The host's way: copy the tree, `git apply`, run pytest. Ours: a fresh sandbox, the same, and what makes the score
trustworthy (restored test files, sentinels, own report). `--python` should have the image's pytest (Debian's
python3-pytest for the image that sandbox/build.sh makes). The median difference is what counts.
"""

import argparse
import asyncio
import io
import json
import os
import shutil
import statistics
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
from pathlib import Path

from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import PytestSpec, State, Submission

IMAGE = "autointeract-bench-swe:1"
_TESTS = "".join(f"def test_{n}():\n    assert scale({n}) == {2 * n}\n\n\n" for n in range(30))
FILES = {
    "pack/__init__.py": "",
    "pack/core.py": "def scale(n):\n    return n * 2\n\n\ndef shift(n):\n    return n - 1\n",
    "tests/test_core.py": "from pack.core import scale, shift\n\n\n"
    + _TESTS
    + "def test_shift():\n    assert shift(1) == 2\n",
}
PATCH = """diff --git a/pack/core.py b/pack/core.py
--- a/pack/core.py
+++ b/pack/core.py
@@ -5,2 +5,2 @@
 def shift(n):
-    return n - 1
+    return n + 1
"""
SPEC = PytestSpec(
    test_cmd="python3 -m pytest -q", fail_to_pass=["tests/test_core.py::test_shift"],
    pass_to_pass=[f"tests/test_core.py::test_{n}" for n in range(30)], memory_mb=512,
)  # fmt: skip


def write(folder: Path) -> None:
    """The repository as files."""
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)


def docker_image() -> None:
    """The repository as an image."""
    import docker

    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        recipe = "FROM autointeract-swe:latest\nUSER 0:0\nCOPY testbed /testbed\n"
        for name, text in {"Dockerfile": recipe, **{f"testbed/{k}": v for k, v in FILES.items()}}.items():
            info = tarfile.TarInfo(name)
            info.size = len(text.encode())
            tar.addfile(info, io.BytesIO(text.encode()))
    archive.seek(0)
    docker.from_env().images.build(fileobj=archive, custom_context=True, tag=IMAGE, network_mode="none", rm=True)


def folder_image(root: Path) -> None:
    """The repository as a folder, with this environment's pytest beside it."""
    folder = root / IMAGE.replace(":", "_")
    write(folder / "testbed")
    site = Path(sysconfig.get_path("purelib"))
    for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):
        shutil.copytree(site / name, folder / "site-packages" / name)
    shutil.copy(site / "py.py", folder / "site-packages")


def on_host(python: str) -> float:
    """Seconds of one attempt without any sandbox."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        write(Path(name))
        subprocess.run(["git", "apply", "-"], input=PATCH.encode(), cwd=name, check=True)
        environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1"}
        command = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/test_core.py"]
        ended = subprocess.run(command, cwd=name, capture_output=True, env=environment)
        assert ended.returncode == 0, ended.stdout
    return time.monotonic() - began


async def compare(options: argparse.Namespace, images: Path) -> None:
    """Alternates both ways and prints the medians."""
    settings = ExecutionSettings(backend=options.backend, swe_images=str(images), swe_disk_mb=128)
    host, ours = [], []
    async with Execution(settings) as execution:
        for number in range(options.rounds + 1):
            one = on_host(options.python)
            began = time.monotonic()
            patch = PATCH + f"# {number}\n"
            verdict = await execution.verify(SPEC, Submission(patch=patch), State(image=IMAGE))
            other = time.monotonic() - began
            assert verdict.score == 1, verdict
            if number:  # the first makes the clean tree
                host.append(one)
                ours.append(other)
    over = statistics.median(b - a for a, b in zip(host, ours, strict=True))
    medians = f"host {statistics.median(host):.3f} s   ours ({options.backend}) {statistics.median(ours):.3f} s"
    print(f"{medians}   over {over:+.3f} s")
    print(json.dumps({"host": host, "ours": ours, "load": os.getloadavg()}))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--backend", choices=["docker", "bubblewrap"], default="docker")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        if options.backend == "docker":
            docker_image()
        else:
            folder_image(Path(name))
        asyncio.run(compare(options, Path(name)))


if __name__ == "__main__":
    main()
