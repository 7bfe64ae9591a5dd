"""Places a log can lie in besides a file: a blob of a git repository, a folder of events, a dataset streamed from the
Hugging Face Hub.
"""

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from typing import IO

from autointeract.errors import InputError
from autointeract.logs.event_folder import EventFolder

ENTIRE_REF = re.compile(r"refs/(?:heads|remotes/[^/]+)/entire/checkpoints/v1$")
_TRANSCRIPT = re.compile(r"(?:^|/)full\.jsonl(?:\.\d+)?$")

MISSING = -1


@dataclass(frozen=True)
class GitBlob:
    """A file inside a git repository, read without a checkout; its size is `MISSING` where the repository lacks it."""

    repo: Path
    blob: str
    size: int
    author: tuple[str, str] = ("", "")

    @contextmanager
    def open(self) -> Iterator[IO[bytes]]:
        """The blob's bytes as a stream. OSError at its end where the repository lacks it (a partial clone)."""
        command = ["git", "-C", str(self.repo), "cat-file", "blob", self.blob]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            assert process.stdout is not None
            try:
                yield process.stdout
                if not process.stdout.read(1) and process.wait():
                    raise OSError(ENOENT, "the object is missing from the repository: fetch it whole")
            finally:
                process.stdout.close()
                process.kill()


@dataclass(frozen=True)
class Remote:
    """A dataset on the Hub: `hf://owner/name[/config][:split][@revision]`."""

    name: str
    config: str | None
    split: str
    revision: str | None
    max_rows: int | None = None


Place = Path | GitBlob | EventFolder | Remote


def parse_remote(text: str) -> Remote:
    """The dataset that an `hf://` address names; the split is "train" unless said.

    Raises:
        InputError: not of the form hf://owner/name[/config][:split][@revision].
    """
    match = re.fullmatch(r"hf://(?:datasets/)?([\w.-]+/[\w.-]+)(?:/([\w.-]+))?(?::([\w.-]+))?(?:@([\w./-]+))?", text)
    if match is None:
        raise InputError(f"{text}: a dataset is named hf://owner/name[/config][:split][@revision]")
    return Remote(match[1], match[2], match[3] or "train", match[4])


def entire_blobs(folder: Path) -> list[GitBlob]:
    """The transcripts on a repository's Entire checkpoint branch, each content once; empty where it has none."""
    if not ((folder / ".git").exists() or (folder / "HEAD").is_file()):
        return []
    refs = _git(folder, "for-each-ref", "--format=%(refname)") or ""
    names = sorted(ref for ref in refs.split("\n") if ENTIRE_REF.match(ref))
    blobs: dict[str, GitBlob] = {}
    for ref in names:
        authors = _authors(folder, ref)
        for entry in (_git(folder, "ls-tree", "-r", "-l", "-z", ref) or "").split("\0"):
            head, _, path = entry.partition("\t")
            parts = head.split()
            if len(parts) == 4 and _TRANSCRIPT.search(path):
                size = int(parts[3]) if parts[3].isdigit() else MISSING
                blobs.setdefault(parts[2], GitBlob(folder, parts[2], size, authors.get(path, ("", ""))))
    return list(blobs.values())


def _authors(folder: Path, ref: str) -> dict[str, tuple[str, str]]:
    """path -> (name, e-mail) of the commit that last wrote it."""
    authors: dict[str, tuple[str, str]] = {}
    author = ("", "")
    for line in (
        _git(folder, "-c", "core.quotePath=off", "log", "--format=%x01%an%x1f%ae", "--name-only", ref) or ""
    ).split("\n"):
        if line.startswith("\x01"):
            name, _, mail = line[1:].partition("\x1f")
            author = (name, mail)
        elif line:
            authors.setdefault(line, author)
    return authors


def _git(folder: Path, *arguments: str) -> str | None:
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0", "LC_ALL": "C"}
    try:
        done = subprocess.run(
            ["git", "-C", str(folder), *arguments], capture_output=True, check=False, env=environment, timeout=600
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.decode("utf-8", "replace") if done.returncode == 0 else None
