"""Finds the files that paths, folders and globs name, in an order that depends on names alone."""

import os
from collections.abc import Iterator
from glob import glob, has_magic
from pathlib import Path

from autointeract.errors import InputError

SKIPPED_FOLDERS = frozenset(
    {".git", "event_cache", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", ".ruff_cache"}
)


def find_files(paths: list[str]) -> Iterator[Path]:
    """Every file, once, sorted within each path; hidden ones too (aider and SpecStory hide theirs).

    Links to folders are not followed. Folders that cannot be opened and workspaces are among the files, so that they
    are named; nobody looks into a workspace, whose conversations were simulated.

    Raises:
        InputError: no path given, a path that is not there, a glob or folder without a file.
    """
    if not paths:
        raise InputError("no logs given: name files or folders, as in `autointeract ingest ~/.claude/projects`")
    seen: set[str] = set()
    for text in paths:
        found = False
        for path in _expand(text):
            real = os.path.realpath(path)
            found = True
            if real not in seen:
                seen.add(real)
                yield path
        if not found:
            raise InputError(f"{text}: no file in this folder; name one that holds logs")


def is_workspace(folder: Path) -> bool:
    """Whether a folder bears the marks of a workspace: reports of stages, and a lock or a key beside them."""
    return any((folder / name).is_file() for name in ("lock", "key")) and any((folder / "stages").glob("*.json"))


def _expand(text: str) -> Iterator[Path]:
    path = Path(text).expanduser()
    if path.is_file():
        yield path
    elif path.is_dir():
        closed: list[Path] = []
        for folder, folders, files in os.walk(path, onerror=lambda error: closed.append(Path(error.filename))):
            if is_workspace(Path(folder)):
                folders[:] = []
                closed.append(Path(folder))
                continue
            folders[:] = sorted(name for name in folders if name not in SKIPPED_FOLDERS)
            for name in sorted(files):
                inner = Path(folder, name)
                # A link into nowhere is handed on too: reading it says what is wrong with it.
                if inner.is_file() or (inner.is_symlink() and not inner.exists()):
                    yield inner
        yield from sorted(closed)
    elif has_magic(text):
        matches = sorted(glob(str(path), recursive=True, include_hidden=True))
        if not matches:
            raise InputError(f"{text}: no file matches")
        for match in matches:
            yield from _expand(match)
    else:
        raise InputError(f"{text}: no such file or folder")


def logs_in_repository(folder: Path) -> list[str]:
    """The places in a working tree where tools leave logs (the code around them is not searched)."""
    names = (".specstory", ".aider.chat.history.md", ".claude", ".codex")
    return [str(folder / name) for name in names if (folder / name).is_file() or any((folder / name).rglob("*"))]
