"""The deterministic pool: filters, repository caps, and a seeded order that new tasks do not disturb.

A candidate's place depends on the seed and its id alone, so a larger source or a higher cap only inserts tasks and
never reshuffles those that were there.
"""

from collections import Counter
from fnmatch import fnmatchcase

from autointeract.records import digest
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.settings import PoolSettings
from autointeract.tasks.spool import Entry


def passes(candidate: Candidate, settings: PoolSettings) -> Candidate | Refusal:
    """The candidate, or why the pool leaves it out. Only SWE tasks are filtered."""
    if candidate.domain != "swe" or candidate.spec.kind != "pytest":
        return candidate
    strategy = candidate.meta.get("strategy")
    if isinstance(strategy, str):
        taken = any(fnmatchcase(strategy, pattern) for pattern in settings.strategies)
        if not taken or any(fnmatchcase(strategy, pattern) for pattern in settings.exclude_strategies):
            return candidate.refuse("filtered", f"strategy {strategy}")
    lines, files = candidate.meta.get("patch_lines"), candidate.meta.get("patch_files")
    if isinstance(lines, int) and lines > settings.max_patch_lines:
        return candidate.refuse("filtered", f"patch of {lines} lines, at most {settings.max_patch_lines}")
    if isinstance(files, int) and files > settings.max_patch_files:
        return candidate.refuse("filtered", f"patch of {files} files, at most {settings.max_patch_files}")
    tests = len(candidate.spec.fail_to_pass) + len(candidate.spec.pass_to_pass)
    if tests > settings.max_tests:
        return candidate.refuse("filtered", f"{tests} listed tests, at most {settings.max_tests}")
    return candidate


def ordered(entries: list[Entry], settings: PoolSettings, seed: int) -> list[Entry]:
    """The entries in the pool's order, at most `per_repo` a repository."""
    placed = sorted(entries, key=lambda entry: (digest([seed, "pool", entry.task_id]), entry.task_id))
    if settings.per_repo is None:
        return placed
    taken: Counter[str] = Counter()
    kept = []
    for entry in placed:
        if entry.repo is not None:
            taken[entry.repo] += 1
            if taken[entry.repo] > settings.per_repo:
                continue
        kept.append(entry)
    return kept
