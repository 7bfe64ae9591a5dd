"""What the command line says, in one line, of errors that are nobody's bug: files, disks, databases, an interrupt."""

import errno
import sqlite3

_FULL = (errno.ENOSPC, errno.EDQUOT)
_REMEDY = {
    errno.EEXIST: "there is a file where a folder must be: move it away",
    errno.ENOTDIR: "a part of this path is a file, not a folder",
    errno.EISDIR: "there is a folder where a file must be: move it away",
    errno.EACCES: "no permission: give this user the right to it, or choose another place",
    errno.EPERM: "no permission: give this user the right to it, or choose another place",
    errno.EROFS: "the file system is read-only: choose another place",
    errno.ENAMETOOLONG: "the name is too long: choose a shorter one",
    errno.EMFILE: "too many open files: raise `ulimit -n`",
}


def explain(error: BaseException, where: str = "") -> tuple[str, int] | None:
    """(line, exit code) for an error of the machine; null for anything else, which is a bug.

    Args:
        where: the place to name when the error names none.
    """
    if isinstance(error, sqlite3.Error):
        return _database(error, where)
    if not isinstance(error, OSError):
        return None
    names = [str(name) for name in (error.filename, error.filename2) if name not in (None, "")]
    place = f"{names[0] if names else where}: " if names or where else ""
    said = str(error)
    if error.errno in _FULL or "No space left" in said:
        return f"{place}no space left on the device; make room and run the same command again: it goes on from here", 3
    if error.errno in _REMEDY and names:
        return f"{place}{_REMEDY[error.errno]}", 2
    return f"{place}{error.strerror or said}", 2


def _database(error: sqlite3.Error, where: str) -> tuple[str, int]:
    place = f"{where}: " if where else ""
    if "full" in str(error):
        return f"{place}no space left for a database; make room and run the same command again: it goes on from here", 3
    return (
        f"{place}a database in its folder `cache` cannot be used ({error}): move it away; what it held is asked again",
        2,
    )
