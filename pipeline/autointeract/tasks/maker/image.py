"""The environment image of a package: its clean tree committed at /testbed, its dependencies beside it.

Built from the sandbox's SWE image without network: only git runs during the build, never the package. Dependencies
come as wheels (nothing is built from source), chosen for the image's Python. The image holds the whole suite; solvers
get it without the tests that must flip (docs/how-to/swe-tasks.md).
"""

import contextlib
import io
import subprocess
import sys
import tarfile
from pathlib import Path
from typing import Any

from autointeract.errors import ConfigError, SandboxUnavailableError
from autointeract.execution import ExecutionSettings
from autointeract.execution.containers import client
from autointeract.records import digest
from autointeract.tasks.maker.sources import Package

NAMESPACE = "autointeract-tasks"
RECIPE_LABEL = "autointeract.recipe"
_DOCKERFILE = """FROM {base}
USER root
COPY tree /testbed
COPY deps /opt/deps
COPY paths.pth /opt/deps/paths.pth
RUN python3 -c "import site, os, shutil; d = site.getsitepackages()[0]; os.makedirs(d, exist_ok=True); \
shutil.copy('/opt/deps/paths.pth', os.path.join(d, 'autointeract-testbed.pth'))" \
 && git config --system --add safe.directory '*' \
 && cd /testbed && git init -q && git add -A -f \
 && git -c user.name=autointeract -c user.email=autointeract@localhost commit -q -m base \
 && chown -R 65534:65534 /testbed && mkdir -p /out && chown 65534:65534 /out
WORKDIR /testbed
USER 65534:65534
"""


def image_name(package: Package) -> str:
    """The image's name, in SWE-smith's manner."""
    return f"{NAMESPACE}/{package.owner}_1776_{package.name}.{package.commit}".lower()


def build(
    package: Package, work: Path, settings: ExecutionSettings, *, base: str, python: str, extra_requires: list[str],
) -> str:  # fmt: skip
    """Builds the image (or finds it made by this very recipe) and gives its name. Blocking.

    Raises:
        SandboxUnavailableError: no engine, or no base image.
        ConfigError: a dependency has no wheel; names it.
    """
    requires = sorted({*package.requires, *extra_requires})
    dockerfile = _DOCKERFILE.format(base=base)
    recipe = digest([dockerfile, package.commit, requires, python])
    name = image_name(package)
    with contextlib.closing(client(settings, timeout=600)) as docker:
        from docker import errors

        with contextlib.suppress(errors.ImageNotFound):
            if docker.images.get(name).labels.get(RECIPE_LABEL) == recipe:
                return name
        try:
            docker.images.get(base)
        except errors.ImageNotFound as error:
            raise SandboxUnavailableError(f"no image {base!r}: run `autointeract sandbox build` first") from error
        deps = work / "deps"
        _install(requires, deps, python)
        _metadata(package, deps)
        try:
            docker.images.build(
                fileobj=io.BytesIO(_context(dockerfile, package.root, deps)), custom_context=True, tag=name, rm=True,
                forcerm=True, network_mode="none", labels={RECIPE_LABEL: recipe},
            )  # fmt: skip
        except (errors.BuildError, errors.APIError) as error:
            raise ConfigError(f"{package.repo_key}: the image cannot be built: {error}") from error
    return name


def _install(requires: list[str], deps: Path, python: str) -> None:
    deps.mkdir(parents=True, exist_ok=True)
    if not requires:
        return
    command = [
        sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-compile",
        "--target", str(deps), "--only-binary", ":all:", "--python-version", python, *requires,
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = done.stderr.strip().splitlines() or ["no message"]
        raise ConfigError(f"dependencies {', '.join(requires)} cannot be installed as wheels: {lines[-1]}")


def _metadata(package: Package, deps: Path) -> None:
    # Many packages ask importlib.metadata for their own version when imported.
    if any(path.name.lower().startswith(f"{package.name}-") for path in deps.glob("*.dist-info")):
        return
    folder = deps / f"{package.name.replace('-', '_')}-{package.version}.dist-info"
    folder.mkdir(parents=True, exist_ok=True)
    text = f"Metadata-Version: 2.1\nName: {package.name}\nVersion: {package.version}\n"
    (folder / "METADATA").write_text(text, encoding="utf-8")


def _context(dockerfile: str, tree: Path, deps: Path) -> bytes:
    buffer = io.BytesIO()
    paths = "".join(f"{path}\n" for path in ("/testbed/src", "/testbed/lib", "/testbed", "/opt/deps"))
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, text in (("Dockerfile", dockerfile), ("paths.pth", paths)):
            _add(tar, name, text.encode())
        for prefix, root in (("tree", tree), ("deps", deps)):
            top = tarfile.TarInfo(prefix)
            top.type, top.mode = tarfile.DIRTYPE, 0o755
            tar.addfile(top)
            for path in sorted(root.rglob("*")):
                if path.is_file() and not path.is_symlink():
                    _add(tar, f"{prefix}/{path.relative_to(root).as_posix()}", path.read_bytes())
    return buffer.getvalue()


def _add(tar: Any, name: str, data: bytes, owner: int = 0) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode, info.uid, info.gid = len(data), 0o644, owner, owner
    tar.addfile(info, io.BytesIO(data))


def tar_of(files: dict[str, bytes], owner: int) -> bytes:
    """A tar archive of small files."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for name, data in files.items():
            _add(tar, name, data, owner)
    return buffer.getvalue()
