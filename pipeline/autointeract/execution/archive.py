"""Reads a problem's cases and judges from a LiveCodeBench-Pro test archive: config.yaml, testdata/, perhaps a checker.

Limits come from the spec. Nothing is unpacked to disk, and names inside the archive are never paths here.
"""

import hashlib
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from autointeract.errors import InputError

MAX_CASE = 256 << 20
"""Bytes of one case's file, unpacked: a zip bomb is refused by name."""


@dataclass(frozen=True)
class Problem:
    """One problem: the programs that judge it (source text), and its cases, read one by one."""

    path: Path
    pairs: list[tuple[str, str]]
    checker: str | None = None
    interactor: str | None = None
    headers: dict[str, bytes] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """The number of cases."""
        return len(self.pairs)

    def batches(self, size: int) -> Iterator[list[tuple[bytes, bytes]]]:
        """(input, expected output) of all cases in order, in lists of about `size` bytes."""
        with zipfile.ZipFile(self.path) as archive:
            batch: list[tuple[bytes, bytes]] = []
            weight = 0
            for given, answer in self.pairs:
                case = (_read(archive, given), _read(archive, answer))
                batch.append(case)
                weight += len(case[0]) + len(case[1])
                if weight >= size:
                    yield batch
                    batch, weight = [], 0
            if batch:
                yield batch


def find(digest: str, folder: Path | None) -> Path:
    """The archive with that sha256 in the blob folder.

    Raises:
        InputError: there is none, or what lies there has another digest.
    """
    if not re.fullmatch(r"[0-9a-f]{64}", digest):
        raise InputError(f"archive_sha256 {digest[:70]!r} is no sha256")
    tried = [folder / name for name in (digest, f"{digest}.zip")] if folder else []
    for path in tried:
        if path.is_file():
            with path.open("rb") as file:
                found = hashlib.file_digest(file, "sha256").hexdigest()
            if found != digest:
                raise InputError(f"{path}: damaged, its sha256 is {found}; fetch it again")
            return path
    where = f"in {folder}" if folder else "because no blob folder is set"
    raise InputError(
        f"test archive {digest[:12]}… not found {where}; run `autointeract tasks build` where its source is"
    )


def load(path: Path, checker: str | None, interactor: str | None) -> Problem:
    """The problem in an archive; raises InputError, naming what is wrong.

    Args:
        path: the archive.
        checker: name of a member, or source text; None = there is none.
        interactor: the same.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            names = set(archive.namelist())
            config = _config(path, archive) if "config.yaml" in names else {}
            pairs = _pairs(config, names)
            if not pairs:
                raise InputError(f"{path}: no test cases in testdata/")
            header = next((name for name in sorted(names) if name.rsplit("/", 1)[-1] == "testlib.h"), None)
            return Problem(
                path=path, pairs=pairs, checker=_source(path, archive, names, checker),
                interactor=_source(path, archive, names, interactor),
                headers={"testlib.h": _read(archive, header)} if header else {},
            )  # fmt: skip
    except (zipfile.BadZipFile, EOFError, NotImplementedError) as error:
        raise InputError(f"{path}: not a readable zip archive") from error


def _config(path: Path, archive: zipfile.ZipFile) -> dict[str, Any]:
    try:
        import yaml
    except ImportError as error:
        raise InputError("test archives need PyYAML: pip install 'autointeract[pipeline]'") from error
    try:
        config = yaml.safe_load(_read(archive, "config.yaml"))
    except yaml.YAMLError as error:
        raise InputError(f"{path}: config.yaml: {error}") from error
    if not isinstance(config, dict):
        raise InputError(f"{path}: config.yaml is no mapping")
    return config


def _pairs(config: dict[str, Any], names: set[str]) -> list[tuple[str, str]]:
    before, after = str(config.get("input_prefix", "")), str(config.get("input_suffix", ".in"))
    answers = [(str(config.get("output_prefix", "")), str(config.get("output_suffix", ".ans"))), ("", ".out")]

    def pair(key: str) -> list[tuple[str, str]]:
        given = f"testdata/{before}{key}{after}"
        found = [name for start, end in answers if (name := f"testdata/{start}{key}{end}") in names]
        return [(given, found[0])] if given in names and found else []

    listed: list[tuple[str, str]] = []
    number = 0
    for subtask in config.get("subtasks") or []:
        for case in subtask.get("cases") or []:
            listed.append((f"testdata/{case['input']}", f"testdata/{case['output']}"))
        for _ in range(int(subtask.get("n_cases", 0))):
            number += 1
            listed += pair(str(number))
    if listed:
        return [both for both in listed if both[0] in names and both[1] in names]
    shape = re.compile(rf"testdata/{re.escape(before)}(.+){re.escape(after)}")
    keys = sorted((match[1] for name in names if (match := shape.fullmatch(name))), key=lambda key: (len(key), key))
    return [both for key in keys for both in pair(key)]


def _source(path: Path, archive: zipfile.ZipFile, names: set[str], what: str | None) -> str | None:
    if what is None or "\n" in what:
        return what
    if what not in names:
        raise InputError(f"{path}: {what!r} is not in the archive")
    return _read(archive, what).decode("utf-8", "replace")


def _read(archive: zipfile.ZipFile, name: str) -> bytes:
    with archive.open(name) as file:
        data = file.read(MAX_CASE + 1)
    if len(data) > MAX_CASE:
        raise InputError(f"{archive.filename}: {name} unpacks to more than {MAX_CASE >> 20} MB")
    return data
