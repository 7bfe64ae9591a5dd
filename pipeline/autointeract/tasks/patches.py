"""Unified diffs as data: what they touch, how large they are, and their reverse. Nothing is applied here.

A patch is refused when it would leave the repository (absolute paths, `..`), reach into `.git`, make a link, or is
binary: such a patch is no fix of a function and could only hurt.
"""

import difflib
import re

from autointeract.errors import InputError
from autointeract.records import Record

_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$")
_GIT = re.compile(r'^diff --git "?a/(.*?)"? "?b/(.*?)"?$')


class PatchFacts(Record):
    """What a patch touches: files in order, and changed lines (added and removed)."""

    files: list[str]
    lines: int


def inspect(patch: str) -> PatchFacts:
    """What `patch` touches.

    Raises:
        InputError: not a unified diff, or one of the refused kinds; says which line.
    """
    files: dict[str, None] = {}
    lines = 0
    left_old = left_new = 0
    for number, line in enumerate(patch.splitlines(), 1):
        if left_old > 0 or left_new > 0:
            if line.startswith("\\"):
                continue
            mark = line[:1]
            left_old -= mark in ("-", " ", "")
            left_new -= mark in ("+", " ", "")
            if mark not in ("+", "-", " ", ""):
                raise InputError(f"patch line {number}: neither context nor change")
            lines += mark in ("+", "-")
            continue
        if match := _HUNK.match(line):
            left_old, left_new = int(match[2] or 1), int(match[4] or 1)
        elif line.startswith(("--- ", "+++ ")):
            path = line[4:].split("\t")[0].strip().strip('"')
            if path != "/dev/null":
                files[_checked(path[2:] if path.startswith(("a/", "b/")) else path, number)] = None
        elif match := _GIT.match(line):
            for path in match.groups():
                files[_checked(path, number)] = None
        elif line.startswith(("GIT binary patch", "Binary files ")):
            raise InputError(f"patch line {number}: binary patches are not taken")
        elif re.match(r"(new file |new |old )mode 1[26]0000", line):
            raise InputError(f"patch line {number}: links and submodules are not taken")
    if left_old > 0 or left_new > 0:
        raise InputError("patch ends in the middle of a hunk")
    if not files or not lines:
        raise InputError("not a unified diff with changes")
    return PatchFacts(files=list(files), lines=lines)


def reverse(patch: str) -> str:
    """The patch that undoes `patch` (paths keep their a/ and b/ sides).

    Raises:
        InputError: as `inspect`.
    """
    inspect(patch)
    out: list[str] = []
    old_name: str | None = None
    removed: list[str] = []
    added: list[str] = []
    left_old = left_new = 0

    def flush() -> None:
        out.extend(removed + added)
        removed.clear()
        added.clear()

    last: list[str] | None = None
    for line in patch.splitlines():
        if left_old > 0 or left_new > 0 or (line.startswith("\\") and last is not None):
            mark = line[:1]
            if mark == "\\":
                (last if last is not None else out).append(line)
                continue
            left_old -= mark in ("-", " ", "")
            left_new -= mark in ("+", " ", "")
            if mark == "-":
                last = added
                added.append("+" + line[1:])
            elif mark == "+":
                last = removed
                removed.append("-" + line[1:])
            else:
                flush()
                last = out
                out.append(line)
            continue
        flush()
        last = None
        if match := _HUNK.match(line):
            left_old, left_new = int(match[2] or 1), int(match[4] or 1)
            old = f"{match[1]},{match[2]}" if match[2] else match[1]
            new = f"{match[3]},{match[4]}" if match[4] else match[3]
            out.append(f"@@ -{new} +{old} @@{match[5]}")
        elif line.startswith("--- "):
            old_name = line[4:]
        elif line.startswith("+++ ") and old_name is not None:
            out.append("--- " + _side(line[4:], "a/"))
            out.append("+++ " + _side(old_name, "b/"))
            old_name = None
        else:
            out.append(_header(line))
    flush()
    return "\n".join(out) + "\n"


def file_diff(path: str, old: str, new: str) -> str:
    """A git-style unified diff of one file ("" if nothing changes); empty old or new text means added or removed."""
    lines: list[str] = []
    before, after = f"a/{path}" if old else "/dev/null", f"b/{path}" if new else "/dev/null"
    for line in difflib.unified_diff(old.splitlines(True), new.splitlines(True), before, after):
        lines.append(line if line.endswith("\n") else line + "\n\\ No newline at end of file\n")
    if not lines:
        return ""
    mode = "" if old and new else f"{'deleted' if old else 'new'} file mode 100644\n"
    return f"diff --git a/{path} b/{path}\n{mode}{''.join(lines)}"


def _header(line: str) -> str:
    if line.startswith("new file mode"):
        return line.replace("new file", "deleted file")
    if line.startswith("deleted file mode"):
        return line.replace("deleted file", "new file")
    if line.startswith("rename from "):
        return "rename to " + line[12:]
    if line.startswith("rename to "):
        return "rename from " + line[10:]
    if match := re.match(r"^index ([0-9a-f]+)\.\.([0-9a-f]+)(.*)$", line):
        return f"index {match[2]}..{match[1]}{match[3]}"
    if match := re.match(r"^diff --git a/(.*) b/(.*)$", line):
        return f"diff --git a/{match[2]} b/{match[1]}"
    return line


def _side(path: str, prefix: str) -> str:
    return prefix + path[2:] if path.startswith(("a/", "b/")) else path


def _checked(path: str, number: int) -> str:
    parts = path.split("/")
    if path.startswith("/") or ".." in parts or ".git" in parts or "\\" in path or "\x00" in path:
        raise InputError(f"patch line {number}: path {path[:80]!r} is not inside the repository")
    return path
