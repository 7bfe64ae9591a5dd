"""A package's source as a clean tree: from a local checkout, an sdist file, `pypi:NAME` or `NAME==VERSION`.

Nothing of the package is executed here: an index is asked over its JSON API (PEP 691) with pip's own configuration, the
file's sha256 is checked, and archives are unpacked with the standard library's data filter. A git checkout gives its
tracked files as they are; other folders leave out what no repository holds (caches, environments, links).
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import urllib.error
import urllib.request
import zipfile
from email.parser import HeaderParser
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

from autointeract.errors import ConfigError, InputError
from autointeract.records import Record

_LEFT_OUT = frozenset(
    {".git", ".hg", ".tox", ".nox", ".venv", "venv", "node_modules", "__pycache__", ".pytest_cache", "dist"}
)
MAX_SDIST_BYTES = 100 * 1024 * 1024
_TIMEOUT_S = 60
_REQUIREMENT = re.compile(r"^[A-Za-z0-9][\w.-]*==[\w.+!-]+$")


class Package(Record):
    """A package ready to be broken.

    Attributes:
        root: the clean tree.
        commit: eight hex digits of the tree's content; stands for a commit in ids.
    """

    owner: str
    name: str
    version: str
    license: str | None
    root: Path
    commit: str
    requires: list[str] = []

    @property
    def repo_key(self) -> str:
        """`<owner>__<repo>.<commit8>`, as SWE-smith names environments."""
        return f"{self.owner}__{self.name}.{self.commit}"


def open_package(source: str, work: Path) -> Package:
    """The package at `source`, as a clean tree in `work`.

    Raises:
        InputError: nothing is there, or it is no package; ConfigError: the index cannot be asked.
    """
    tree = work / "tree"
    wanted = source.removeprefix("pypi:")
    if wanted != source or (_REQUIREMENT.match(source) and not Path(source).exists()):
        tree = _unpacked(_download(wanted, work), work / "unpacked")
        owner = "pypi"
    elif Path(source).expanduser().is_dir():
        owner = "local"
        _copy(Path(source).expanduser().resolve(), tree)
    elif Path(source).expanduser().is_file():
        owner = "sdist"
        tree = _unpacked(Path(source).expanduser(), work / "unpacked")
    else:
        raise InputError(f"{source}: no folder, no sdist, and neither pypi:NAME nor NAME==VERSION")
    if not any(tree.rglob("*.py")):
        raise InputError(f"{source}: holds no Python file")
    facts = _facts(tree, Path(source).name)
    return Package(owner=owner, root=tree, commit=_tree_digest(tree), **facts)


def _copy(origin: Path, tree: Path) -> None:
    try:
        listed = subprocess.run(
            ["git", "-C", str(origin), "ls-files", "-z", "--", "."], capture_output=True, timeout=_TIMEOUT_S, check=True
        )
        names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    except (OSError, subprocess.SubprocessError):
        names = []
    if not names:
        names = [
            path.relative_to(origin).as_posix()
            for path in sorted(origin.rglob("*"))
            if not _LEFT_OUT & set(path.relative_to(origin).parts)
        ]
    for name in names:
        path = origin / name
        if path.is_file() and not path.is_symlink():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, tree / name)


def _unpacked(archive: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    try:
        if zipfile.is_zipfile(archive):
            raise InputError(f"{archive.name}: a zip or wheel; an sdist (.tar.gz) holds the tests")
        with tarfile.open(archive) as tar:
            members = [member for member in tar if member.isfile() or member.isdir()]
            if sum(member.size for member in members) > 10 * MAX_SDIST_BYTES:
                raise InputError(f"{archive.name}: unpacks to too much")
            tar.extractall(folder, members=members, filter="data")
    except (tarfile.TarError, OSError, EOFError) as error:
        raise InputError(f"{archive.name}: not a readable sdist ({type(error).__name__})") from error
    inside = [path for path in folder.iterdir() if path.is_dir()]
    return inside[0] if len(inside) == 1 else folder


def _download(requirement: str, work: Path) -> Path:
    name, _, version = requirement.partition("==")
    name = name.strip().lower().replace("_", "-").replace(".", "-")
    base = _index().rstrip("/") + "/"
    page = _get(urljoin(base, f"{name}/"), "application/vnd.pypi.simple.v1+json", requirement)
    try:
        files = json.loads(page)["files"]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"pypi:{requirement}: the index has no JSON API; name an sdist file instead") from error
    sdists = [file for file in files if file["filename"].endswith(".tar.gz") and not file.get("yanked")]
    if version:
        sdists = [file for file in sdists if file["filename"].endswith(f"-{version.strip()}.tar.gz")]
    if not sdists:
        raise InputError(f"pypi:{requirement}: the index has no such sdist")
    chosen = sdists[-1]
    data = _get(urldefrag(urljoin(urljoin(base, f"{name}/"), chosen["url"]))[0], "*/*", requirement)
    wanted = chosen.get("hashes", {}).get("sha256")
    if wanted and hashlib.sha256(data).hexdigest() != wanted:
        raise InputError(f"pypi:{requirement}: {chosen['filename']} does not have the sha256 the index names")
    path = work / Path(chosen["filename"]).name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


def _index() -> str:
    for command in (
        ["-m", "pip", "config", "get", "global.index-url"],
        ["-c", "from pip._internal.models.index import PyPI; print(PyPI.simple_url)"],
    ):
        asked = subprocess.run([sys.executable, *command], capture_output=True, text=True, check=False)
        if address := os.environ.get("PIP_INDEX_URL") or asked.stdout.strip():
            return address
    raise ConfigError("no package index is configured: set PIP_INDEX_URL, or name an sdist file")


def _get(url: str, accept: str, what: str) -> bytes:
    request = urllib.request.Request(url, headers={"Accept": accept})
    try:
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:
            data = answer.read(MAX_SDIST_BYTES + 1)
    except (urllib.error.URLError, OSError, ValueError) as error:
        raise ConfigError(f"pypi:{what}: the package index cannot be asked ({error})") from error
    if len(data) > MAX_SDIST_BYTES:
        raise InputError(f"pypi:{what}: larger than {MAX_SDIST_BYTES // 2**20} MB")
    return data


def _facts(tree: Path, fallback: str) -> dict[str, Any]:
    info = next(iter([*tree.glob("PKG-INFO"), *tree.glob("*.egg-info/PKG-INFO")]), None)
    project: dict = {}
    if (tree / "pyproject.toml").is_file():
        import tomllib

        try:
            project = tomllib.loads((tree / "pyproject.toml").read_text("utf-8", "replace")).get("project", {})
        except tomllib.TOMLDecodeError:
            project = {}
    head = HeaderParser().parsestr(info.read_text("utf-8", "replace")) if info else {}
    name = str(head.get("Name") or project.get("name") or fallback.split("-")[0].split(".tar")[0])
    license_ = head.get("License-Expression") or head.get("License") or project.get("license")
    if isinstance(license_, dict):
        license_ = license_.get("text")
    requires = list(head.get_all("Requires-Dist") or []) if info and not isinstance(head, dict) else []
    requires = requires or [item for item in project.get("dependencies", []) if isinstance(item, str)]
    return {
        "name": "".join(char if char.isalnum() or char in "-_" else "-" for char in name).lower(),
        "version": str(head.get("Version") or project.get("version") or "0"),
        "license": str(license_).splitlines()[0][:80] if license_ and str(license_).strip() else None,
        "requires": [item for item in requires if "extra ==" not in item],
    }


def _tree_digest(tree: Path) -> str:
    whole = hashlib.sha256()
    for path in sorted(item for item in tree.rglob("*") if item.is_file()):
        whole.update(path.relative_to(tree).as_posix().encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return whole.hexdigest()[:8]
