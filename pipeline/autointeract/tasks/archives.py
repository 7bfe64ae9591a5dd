"""Test archives: a zip of cases is looked at, never unpacked to disk, before it may become a blob.

Refused by name: members that leave the archive (`..`, absolute, drives), links, encryption, too many members, and zip
bombs (declared or real size beyond the bound, or a ratio no text has). The blob is the file itself under its sha256.
"""

import hashlib
import shutil
import stat
import zipfile
import zlib
from collections import Counter
from pathlib import Path, PurePosixPath

from autointeract.errors import InputError
from autointeract.records import Record, VerifierSpec
from autointeract.workspace import atomic_write

MAX_MEMBERS = 20_000
SHORT_OUTPUT = 256
"""Bytes of an expected output that a constant answer is tried with."""
MAX_RATIO = 400
"""Unpacked over packed size; tests of repeated numbers reach about 200."""


class Archive(Record):
    """What is in a good archive.

    Attributes:
        cases: number of test inputs.
        config: text of config.yaml ("" if none).
        common: the short expected output that most cases share, and their number ("", 0 where none is short).
    """

    sha256: str
    members: list[str]
    cases: int
    config: str
    common: tuple[str, int] = ("", 0)


def look(path: Path, max_bytes: int) -> Archive:
    """Checks the archive and lists it.

    Args:
        max_bytes: unpacked size allowed, all members together.

    Raises:
        InputError: not a zip, or one of the refused kinds.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
            if len(infos) > MAX_MEMBERS:
                raise InputError(f"{path.name}: {len(infos)} members, at most {MAX_MEMBERS}")
            for info in infos:
                _check(path.name, info)
            total = sum(info.file_size for info in infos)
            if total > max_bytes:
                raise InputError(
                    f"{path.name}: unpacks to {total // 2**20} MB, at most {max_bytes // 2**20} (max_row_mb)"
                )
            names = [info.filename for info in infos if not info.is_dir()]
            if len(set(names)) != len(names):
                raise InputError(f"{path.name}: two members of one name")
            config = _read(archive, "config.yaml", names, 1 << 16)
            common = _common(archive, infos)
    except (zipfile.BadZipFile, zlib.error, OSError, NotImplementedError, EOFError) as error:
        raise InputError(f"{path.name}: not a readable zip ({type(error).__name__})") from error
    cases = sum(1 for name in names if name.endswith(".in"))
    if not cases:
        raise InputError(f"{path.name}: holds no test inputs (testdata/*.in)")
    with open(path, "rb") as file:
        sha = hashlib.file_digest(file, "sha256").hexdigest()
    return Archive(sha256=sha, members=sorted(names), cases=cases, config=config, common=common)


def store(path: Path, spec: VerifierSpec, blobs: Path) -> None:
    """Copies the archive of `spec` into the blob folder under its digest (once)."""
    if spec.kind != "stdio_files":
        return
    target = blobs / spec.archive_sha256
    if not target.exists():
        with atomic_write(target) as temporary:
            shutil.copyfile(path, temporary)


def _check(name: str, info: zipfile.ZipInfo) -> None:
    member = info.filename
    path = PurePosixPath(member.replace("\\", "/"))
    if path.is_absolute() or ".." in path.parts or ":" in member or "\x00" in member:
        raise InputError(f"{name}: member {member[:80]!r} leaves the archive")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise InputError(f"{name}: member {member[:80]!r} is a link")
    if info.flag_bits & 1:
        raise InputError(f"{name}: member {member[:80]!r} is encrypted")
    if info.file_size > 1 << 20 and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        raise InputError(f"{name}: member {member[:80]!r} is packed {info.file_size // max(info.compress_size, 1)}:1")


def _read(archive: zipfile.ZipFile, name: str, names: list[str], most: int) -> str:
    found = next((item for item in names if item.rsplit("/", 1)[-1] == name), None)
    if found is None:
        return ""
    with archive.open(found) as file:  # a lying header cannot make this read more than `most`
        return file.read(most).decode("utf-8", "replace")


def _common(archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo]) -> tuple[str, int]:
    counts: Counter[str] = Counter()
    for info in infos:
        if info.filename.endswith((".ans", ".out")) and info.file_size <= SHORT_OUTPUT:
            with archive.open(info) as file:
                counts[file.read(SHORT_OUTPUT).decode("utf-8", "replace")] += 1
    best = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:1]
    return best[0] if best else ("", 0)
