"""All next-turn instances of a workspace, by split, with profiles from each user's other sessions.

The profile of an instance is the plain card of a fingerprint measured without that session; population figures come
from the users outside test. Split sizes follow the users' splits; the leakage check drops instances of a later split
whose real turn recurs in an earlier one.

Where validation has fewer than `MIN_VAL_USERS` users, their taste would decide for everybody: then every other session
of the training users (by digest) is lent to validation, no session is in both, and the notes say so. Test stays
people that nobody has seen.
"""

from typing import Any

from autointeract.records import Record, digest, rng
from autointeract.users import phrases
from autointeract.users.evidence import Evidence, gather
from autointeract.users.fingerprints import measure, remeasure, settings_of
from autointeract.users.instances import Instance, Point, build, choose, group_of, near_duplicates, points
from autointeract.users.niches import levels_of, make_bins
from autointeract.users.settings import LearnPromptSettings, ProfileSettings
from autointeract.workspace import Workspace

MIN_VAL_USERS = 3
"""Validation users that can speak for others (ours: fewer cannot outvote one odd person)."""
QUOTAS = {"train": 0.5, "val": 0.25, "test": 0.25}
"""Share of `max_instances` for each split; what a split cannot fill goes to the others, test first."""


class Cases(Record):
    """Instances and what was found on the way.

    Attributes:
        points: reactive typed turns by split, before any choice.
        dropped: instances left out because their real turn recurs in an earlier split.
        alone: instances whose user has no other session: they carry no profile.
        lent: training sessions that serve validation.
    """

    instances: list[Instance]
    points: dict[str, int]
    dropped: int
    alone: int
    lent: int = 0

    def of(self, split: str) -> list[Instance]:
        """The instances of one split, in order."""
        return [item for item in self.instances if item.split == split]


def collect(
    workspace: Workspace, split: dict[str, str], settings: LearnPromptSettings, seed: int, only: str | None = None,
    count: int | None = None,
) -> Cases:  # fmt: skip
    """Chooses and builds instances.

    Args:
        only: one split alone (with `count` instances), as `realism` wants it.
    """
    found_points = [list(points(session)) for session in workspace.sessions.rows()]
    lent = _lent([rows[0] for rows in found_points if rows], split)

    def group(session_id: str, user: str | None) -> str:
        return "val" if session_id in lent else group_of(split, user)

    pools: dict[str, list[Point]] = {"train": [], "val": [], "test": []}
    for rows in found_points:
        for point in rows:
            pools[group(point.session_id, point.user_id)].append(point)
    wanted = _quotas({name: len(rows) for name, rows in pools.items()}, settings.max_instances)
    if only is not None:
        wanted = {name: (count or 0) if name == only else 0 for name in pools}
    chosen: dict[str, list[Point]] = {}
    for name, rows in pools.items():
        for point in choose(rows, wanted[name], settings.max_per_session, seed, name) if wanted[name] else []:
            chosen.setdefault(point.session_id, []).append(point)
    profiles = _profiles(gather(workspace), split, chosen.keys(), seed)
    found: list[Instance] = []
    for session in workspace.sessions.rows():
        wanted_points = sorted(chosen.get(session.session_id, []), key=lambda point: point.turn_index)
        found += [
            build(
                session, point, group(session.session_id, session.user_id), profiles.get(session.session_id),
                settings.prefix_words, settings.message_words,
            )
            for point in wanted_points
        ]  # fmt: skip
    found.sort(key=lambda item: (item.split, item.instance_id))
    twins = near_duplicates(found)
    kept = [item for item in found if item.instance_id not in twins]
    return Cases(
        instances=kept, points={name: len(rows) for name, rows in pools.items()}, dropped=len(twins),
        alone=sum(item.profile is None for item in kept), lent=len(lent),
    )  # fmt: skip


def session_profiles(
    workspace: Workspace, split: dict[str, str], sessions: set[str], seed: int
) -> dict[str, tuple[str, dict[str, Any]]]:
    """For each of these sessions, card and settings from its user's other sessions; absent where there are none."""
    return _profiles(gather(workspace), split, sessions, seed)


def _lent(firsts: list[Point], split: dict[str, str]) -> frozenset[str]:
    """Every other session of each training user, where validation users are too few; `firsts`: one point a session."""
    if len({point.user_id for point in firsts if group_of(split, point.user_id) == "val"}) >= MIN_VAL_USERS:
        return frozenset()
    by_user: dict[str, list[str]] = {}
    for point in firsts:
        if point.user_id and split.get(point.user_id) == "train":
            by_user.setdefault(point.user_id, []).append(point.session_id)
    ranked = (sorted(names, key=lambda name: digest(["lent", name])) for names in by_user.values())
    return frozenset(name for names in ranked for name in names[1::2])


def _profiles(
    found: Evidence, split: dict[str, str], sessions: Any, seed: int
) -> dict[str, tuple[str, dict[str, Any]]]:
    """For each session, card and settings from its user's other sessions; absent where there are none."""
    base = {user for user in found.users if split.get(user) != "test"}
    rules = ProfileSettings()
    profiles: dict[str, tuple[str, dict[str, Any]]] = {}
    whole = measure(found.users, base, rules, seed)
    bins = make_bins([whole.rows[user] for user in sorted(base & whole.rows.keys())], rules)
    for user, rows in found.users.items():
        for row in rows:
            others = [other for other in rows if other.session_id != row.session_id]
            if row.session_id not in sessions or not others:
                continue
            left = remeasure(whole, user, others, rules)
            levels, numbers = levels_of(left, bins), settings_of(left)
            profiles[row.session_id] = (phrases.card(levels, numbers, rng("card", seed, row.session_id)), numbers)
    return profiles


def _quotas(have: dict[str, int], total: int) -> dict[str, int]:
    wanted = {name: min(have[name], round(total * share)) for name, share in QUOTAS.items()}
    for name in ("test", "val", "train"):
        wanted[name] = min(have[name], wanted[name] + max(total - sum(wanted.values()), 0))
    return wanted
