"""LiveCodeBench-Pro problems: C++ programs judged from a zip of tests a problem (`archives`: a folder of them).

Columns: problem_id, problem_statement, problem_title, difficulty, platform, time_limit, memory_limit, link. Limits come
from the archive's config.yaml, else from the row, else 2 s and 512 MB (the judge's free mode). Gold code is not part of
the dataset: it comes from the column `reference` or from `references`, a folder with `<problem_id>.cpp`.
"""

import re
from pathlib import Path
from typing import Any

from autointeract.errors import InputError
from autointeract.records import StdioFilesSpec, clean_text
from autointeract.tasks.archives import Archive, look
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers.context import ReadContext, RowError, need_text, optional_text

_NAME = re.compile(r"^[\w.-]{1,80}$")


def read(row: dict[str, Any], context: ReadContext) -> Candidate | Refusal:
    """One problem as a candidate; the archive is looked at, not unpacked."""
    problem = str(row.get("problem_id") or "").strip()
    if not _NAME.match(problem) or problem.startswith("."):
        raise RowError("bad_row", f"problem_id {problem[:80]!r} is no plain file name")
    path = _archive_path(problem, context)
    try:
        archive = look(path, context.settings.max_row_mb * 2**20 * 16)
    except InputError as error:
        raise RowError("bad_archive", str(error)) from error
    config = _config(archive)
    interactive = config.get("type") == "interactive"
    interactor = _member(archive, config.get("interactor") or "interactor.cc") if interactive else None
    if interactive and interactor is None:
        raise RowError("bad_archive", f"{path.name}: an interactive problem without its interactor")
    reference = optional_text(row, "reference", "solution") or _reference(problem, context)
    return Candidate(
        task_id=f"lcb-pro/{problem}", domain="algorithmic", source=context.label,
        license=optional_text(row, "license") or context.source.license, statement=need_text(row, "problem_statement"),
        reference={"code": reference} if reference else None,
        spec=StdioFilesSpec(
            language="cpp", archive_sha256=archive.sha256, checker=_member(archive, config.get("checker") or "chk.cc"),
            interactor=interactor,
            time_limit_s=_seconds(config.get("time_limit")) or _seconds(row.get("time_limit")) or 2.0,
            memory_mb=_megabytes(config.get("memory_limit")) or _megabytes(row.get("memory_limit")) or 512,
        ),
        archive=str(path),
        meta={
            "cases": archive.cases,
            "common_output": archive.common[0],
            "common_share": archive.common[1] / archive.cases, "difficulty": str(row.get("difficulty") or ""),
            "platform": str(row.get("platform") or ""),
        },
    )  # fmt: skip


def _archive_path(problem: str, context: ReadContext) -> Path:
    folder = context.source.archives
    if folder is None:
        raise RowError("bad_archive", "set `archives` of this source to the folder that holds <problem_id>.zip")
    path = Path(folder).expanduser() / f"{problem}.zip"
    if not path.is_file():
        raise RowError("bad_archive", f"{path.name} is not in the folder of archives (a few problems have no tests)")
    return path


def _reference(problem: str, context: ReadContext) -> str | None:
    folder = context.source.references
    for ending in (".cpp", ".cc") if folder else ():
        path = Path(str(folder)).expanduser() / f"{problem}{ending}"
        if path.is_file():
            return clean_text(path.read_text(encoding="utf-8", errors="replace"))
    return None


def _config(archive: Archive) -> dict[str, Any]:
    if not archive.config:
        return {}
    import yaml

    try:
        data = yaml.safe_load(archive.config)
    except (yaml.YAMLError, RecursionError) as error:
        raise RowError("bad_archive", "config.yaml is not YAML") from error
    return data if isinstance(data, dict) else {}


def _member(archive: Archive, name: Any) -> str | None:
    found = [member for member in archive.members if member.rsplit("/", 1)[-1] == str(name)]
    return found[0] if found else None


def _seconds(value: Any) -> float | None:
    match = re.match(r"\s*([\d.]+)\s*(ms|s|seconds?|milliseconds?)?", str(value or ""))
    if not match or not re.fullmatch(r"\d+(\.\d+)?", match[1]):
        return None
    number = float(match[1])
    return (number / 1000 if (match[2] or "").startswith("m") else number) or None


def _megabytes(value: Any) -> int | None:
    match = re.match(r"\s*(\d+)\s*(k|m|g)?", str(value or "").lower())
    if not match:
        return None
    return max(1, int(match[1]) * {"k": 1, "m": 1024, "g": 1024 * 1024}[match[2] or "m"] // 1024) or None
