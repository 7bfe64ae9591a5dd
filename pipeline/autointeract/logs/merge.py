"""Merges sessions that were seen twice: prefix copies, forks, disjoint versions, renamed duplicates.

Two stored sessions are one when they share a record (by the source's own record ids), when they have the same session
id or one names the other as its origin, or - in formats without record ids - when the shorter is, turn by turn, the
beginning of the longer. Sessions of two different users are never merged. The longest-lived version is the trunk;
records only another version has are put where they belong and, where that version leaves the trunk for good, flagged
"fork". What a version holds between two records of the trunk was on the way from one to the other: its flags stay.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

MIN_SHARED_TURNS = 2
"""Formats without record ids: shorter common beginnings are coincidence ("hi")."""


@dataclass(frozen=True)
class Outline:
    """What grouping needs to know of a stored session.

    Attributes:
        place: where it is kept (any index).
        keys: record keys of its turns, uint64.
        ids: its session id and those of related sessions.
    """

    place: int
    user: str | None
    native: bool
    keys: np.ndarray
    ids: tuple[str, ...]


def group(outlines: Sequence[Outline]) -> list[list[int]]:
    """Places of sessions that are one, each group in input order, groups by their first member."""
    parent = list(range(len(outlines)))
    people = [outline.user for outline in outlines]

    def find(index: int) -> int:
        while parent[index] != index:
            parent[index] = parent[parent[index]]
            index = parent[index]
        return index

    def unite(one: int, two: int) -> None:
        a, b = sorted((find(one), find(two)))
        if a == b or (people[a] and people[b] and people[a] != people[b]):
            return
        parent[b] = a
        people[a] = people[a] or people[b]

    for first, second in _pairs(outlines):
        unite(first, second)
    groups: dict[int, list[int]] = defaultdict(list)
    for index in range(len(outlines)):
        groups[find(index)].append(index)
    return [[outlines[index].place for index in members] for _, members in sorted(groups.items())]


def _pairs(outlines: Sequence[Outline]) -> Iterator[tuple[int, int]]:
    by_id: dict[str, int] = {}
    for index, outline in enumerate(outlines):
        for name in outline.ids:
            if name in by_id:
                yield by_id[name], index
            else:
                by_id[name] = index
    if not outlines:
        return
    sizes = [len(outline.keys) for outline in outlines]
    keys = np.concatenate([outline.keys for outline in outlines])
    owners = np.repeat(np.arange(len(outlines)), sizes)
    native = np.repeat(np.array([outline.native for outline in outlines]), sizes)
    order = np.argsort(keys[native], kind="stable")
    sorted_keys, sorted_owners = keys[native][order], owners[native][order]
    same = np.nonzero((sorted_keys[1:] == sorted_keys[:-1]) & (sorted_owners[1:] != sorted_owners[:-1]))[0]
    for place in same:
        yield int(sorted_owners[place]), int(sorted_owners[place + 1])
    yield from _prefixes(outlines, keys[~native], owners[~native])


def _prefixes(outlines: Sequence[Outline], keys: np.ndarray, owners: np.ndarray) -> Iterator[tuple[int, int]]:
    # A key without a record id covers all turns before it: a shared last key is a shared conversation.
    order = np.argsort(keys, kind="stable")
    keys, owners = keys[order], owners[order]
    for index, outline in enumerate(outlines):
        if outline.native or len(outline.keys) < MIN_SHARED_TURNS:
            continue
        last = outline.keys[-1]
        start, stop = np.searchsorted(keys, last, "left"), np.searchsorted(keys, last, "right")
        for owner in owners[start:stop]:
            if owner != index:
                yield index, int(owner)


def merge(versions: Sequence[tuple[dict[str, Any], list[int]]]) -> dict[str, Any]:
    """One session of several versions ((session columns with turns as dicts, keys of the turns) pairs)."""
    ranked = sorted(versions, key=_rank)
    trunk, trunk_keys = ranked[-1]
    turns = list(zip(trunk_keys, trunk["turns"], strict=True))
    for session, keys in reversed(ranked[:-1]):
        turns = _woven(turns, list(zip(keys, session["turns"], strict=True)))
    started = [session["started_at"] for session, _ in ranked if session["started_at"]]
    merged = {**trunk, "started_at": min(started, default=None)}
    for name in ("user_id", "repo", "agent", "license"):
        merged[name] = next((session[name] for session, _ in reversed(ranked) if session[name]), None)
    merged["turns"] = [{**turn, "index": index} for index, (_, turn) in enumerate(turns)]
    return merged


def _rank(version: tuple[dict[str, Any], list[int]]) -> tuple[float, int, str, str]:
    session, keys = version
    times = [turn["at"].timestamp() for turn in session["turns"] if turn["at"]]
    first_ref = session["turns"][0]["source_ref"] if session["turns"] else ""
    return (max(times, default=0.0), len(keys), session["session_id"], first_ref)


def _woven(trunk: list[tuple[int, Any]], other: list[tuple[int, Any]]) -> list[tuple[int, Any]]:
    places = {key: index for index, (key, _) in enumerate(trunk)}
    extra: dict[int, list[tuple[int, Any]]] = defaultdict(list)
    shared = any(key in places for key, _ in other)
    anchor = -1
    back = max((place for place, (key, _) in enumerate(other) if key in places), default=-1)
    if not shared and other and trunk:
        anchor = len(trunk) - 1 if _later(other[0][1], trunk[-1][1]) else -1
    for place, (key, turn) in enumerate(other):
        if key in places:
            anchor = places[key]
            continue
        off_trunk = place > back and 0 <= anchor < len(trunk) - 1
        flags = [*turn["flags"], "fork"] if off_trunk and "fork" not in turn["flags"] else turn["flags"]
        extra[anchor].append((key, {**turn, "flags": flags}))
    if not extra:
        return trunk
    woven = list(extra[-1])
    for index, item in enumerate(trunk):
        woven += [item, *extra.get(index, [])]
    return woven


def _later(one: Any, two: Any) -> bool:
    return bool(one["at"] and two["at"] and one["at"] > two["at"])
