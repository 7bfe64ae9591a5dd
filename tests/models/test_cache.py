"""The reply cache: many processes, damage, statistics, pruning, forgetting."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from autointeract.errors import WorkspaceError
from autointeract.models.cache import ReplyCache


def filled(path: Path, count: int = 4) -> ReplyCache:
    cache = ReplyCache(path)
    for number in range(count):
        role = "judge" if number % 2 else "weak"
        cache.put(bytes([number]) * 32, {"text": f"reply {number}"}, role=role, model="m", item=f"i{number}", tokens=10)
    return cache


def test_what_is_put_comes_back_fresh(tmp_path: Path) -> None:
    cache = filled(tmp_path / "deep" / "c.sqlite")
    first = cache.get(b"\1" * 32)
    assert first is not None and first == {"text": "reply 1"} and cache.get(b"none" * 8) is None
    first["text"] = "changed"
    assert cache.get(b"\1" * 32) == {"text": "reply 1"}


def test_the_first_writer_wins(tmp_path: Path) -> None:
    cache = filled(tmp_path / "c.sqlite")
    cache.put(b"\1" * 32, {"text": "late"}, role="judge", model="m", item="i", tokens=1)
    assert cache.get(b"\1" * 32) == {"text": "reply 1"}


def test_stats_and_prune(tmp_path: Path) -> None:
    cache = filled(tmp_path / "c.sqlite")
    assert [(row["role"], row["replies"], row["tokens"]) for row in cache.stats()] == [
        ("judge", 2, 20),
        ("weak", 2, 20),
    ]
    assert cache.prune(older_than=time.time() - 60) == 0
    assert cache.prune(role="judge") == 2 and cache.prune() == 2 and cache.stats() == []


def test_forget_leaves_no_bytes_behind(tmp_path: Path) -> None:
    cache = filled(tmp_path / "c.sqlite")
    cache.put(b"x" * 32, {"text": "about UNIQUE-PERSON"}, role="judge", model="m", item="other", tokens=1)
    cache.put_fault("unparsable", "", "UNIQUE-PERSON said so", role="judge", model="m", item="i1")
    cache.put_fault("unparsable", "", "UNIQUE-PERSON again", role="judge", model="m", item="i9")
    assert cache.forget(items=["i1"]) == 2
    assert cache.forget(texts=["UNIQUE-PERSON", ""]) == 2
    cache.close()
    assert not any(b"UNIQUE-PERSON" in path.read_bytes() for path in tmp_path.iterdir())
    assert [row["replies"] for row in cache.stats()] == [1, 2]


def test_many_processes_write_one_file(tmp_path: Path) -> None:
    program = """
import sys
from pathlib import Path
from autointeract.models.cache import ReplyCache
cache, mine = ReplyCache(Path(sys.argv[1])), int(sys.argv[2])
for number in range(90):
    key = (number if number % 3 else number * 1000 + mine + 10**6).to_bytes(32, "big")
    cache.put(key, {"text": str(number)}, role="judge", model="m", item="i", tokens=1)
    assert cache.get(key)["text"] == str(number)
"""
    arguments = [sys.executable, "-c", program, str(tmp_path / "c.sqlite")]
    paths = {"PYTHONPATH": ":".join(sys.path)}
    running = [subprocess.Popen([*arguments, str(i)], env=paths, stderr=subprocess.PIPE) for i in range(1, 5)]
    for process in running:
        _, errors = process.communicate(timeout=100)
        assert process.returncode == 0, errors
    # 60 keys in common, and 30 of each process's own.
    assert sum(row["replies"] for row in ReplyCache(tmp_path / "c.sqlite").stats()) == 60 + 4 * 30


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    (tmp_path / "c.sqlite").write_bytes(b"not a database " * 100)
    with pytest.raises(WorkspaceError, match=r"c\.sqlite is no usable reply cache"):
        ReplyCache(tmp_path / "c.sqlite").get(b"x" * 32)
