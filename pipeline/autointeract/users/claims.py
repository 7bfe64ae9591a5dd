"""Sentences that say what may not be claimed from this evidence. Plain rules over counts and intervals."""

from collections.abc import Mapping
from typing import Any

from autointeract.records.vocabulary import AXES
from autointeract.users.archive import Archive
from autointeract.users.described import Described
from autointeract.users.evidence import Evidence
from autointeract.users.fingerprints import Measured
from autointeract.users.niches import Bins
from autointeract.users.settings import ProfileSettings

FEW_USERS = 30
"""Below this many users, statements about a population of users are not made."""


def about_users(found: Evidence, split: Mapping[str, str], measured: Measured, settings: ProfileSettings) -> list[str]:
    """What the number of users, sessions and turns does not allow."""
    notes: list[str] = []
    users = sorted(found.users)
    if not users:
        return [
            "no session carries a user id with typed turns: no user can be measured and no profile exists; sessions "
            "without identity serve next-turn instances and realism only"
        ]
    if found.anonymous:
        notes.append(f"{found.anonymous} of {found.sessions} sessions carry no user id: they are in no fingerprint")
    if found.silent:
        notes.append(f"{len(found.silent)} users never typed a word and are left out")
    if measured.left_out:
        notes.append(f"{len(measured.left_out)} users typed fewer than {settings.min_turns} turns and are left out")
    once = [user for user in users if len(found.users[user]) == 1]
    few = [user for user in users if len(found.users[user]) < settings.min_sessions]
    if once:
        notes.append(
            f"{len(once)} of {len(users)} users have one session: habits of a person and of that one task cannot "
            f"be told "
            "apart there, whatever the number of turns"
        )
    if few:
        notes.append(
            f"{len(few)} of {len(users)} users have fewer than {settings.min_sessions} sessions: all their axes "
            f"count as "
            "unknown, their values lean on the population's"
        )
    base = [user for user in users if split[user] != "test"]
    if len(base) == 1:
        notes.append("one user: there is no population to compare with, so no level can be called low or high")
    elif len(users) < FEW_USERS:
        notes.append(
            f"{len(users)} users: shares of niches, the spread between users and any similarity of a population "
            f"to real "
            "users cannot be claimed from so few; intervals are widened for it"
        )
    for axis in measured.alike:
        if len(base) > 1:
            notes.append(
                f"{axis}: users differ no more than chance would make them (p = "
                f"{measured.population[axis].p_alike:.2f}): "
                "unknown for everybody"
            )
    for axis in AXES:
        if axis in measured.alike:
            continue
        known = sum(item.known for row in measured.rows.values() for item in row.axes if item.axis == axis)
        if known < len(measured.rows):
            notes.append(f"{axis}: known for {known} of {len(measured.rows)} users")
    tested = sum(split[user] == "test" for user in users)
    if tested < 5:
        notes.append(
            f"{tested} held-out user{'' if tested == 1 else 's'}: results on people never seen cannot be generalised"
        )
    turns = sum(row.turns for rows in found.users.values() for row in rows)
    foreign = sum(row.other_language for rows in found.users.values() for row in rows)
    if turns and foreign / turns > 0.05:
        notes.append(
            f"{foreign} of {turns} typed turns do not look English: axes that rest on English cues (expertise, "
            f"pushback, "
            "requirement change) are not to be relied on for them unless a model labelled the turns"
        )
    return notes


def about_profiles(described: Mapping[str, Described], bins: Mapping[str, Bins]) -> list[str]:
    """What befell the texts."""
    notes = []
    cards = sum(item.source == "card" for item in described.values())
    if cards:
        notes.append(
            f"{cards} profiles are plain cards: no written draft passed the privacy check, or the writer gave none"
        )
    scores = [item.fidelity for item in described.values() if item.fidelity is not None]
    low = sum(score < 0.8 for score in scores)
    if low:
        notes.append(f"{low} of {len(scores)} profiles are read back with a fidelity under 0.8")
    fixed = [axis for axis in AXES if bins[axis].source == "fixed"]
    if fixed:
        notes.append(f"levels of {', '.join(fixed)} are cut at fixed points (profiles/axes.toml), not at terciles")
    return notes


def about_population(archive: Archive, match: Mapping[str, Any], settings: ProfileSettings) -> list[str]:
    """What the variations came to, and where the population differs from real users."""
    notes = []
    if archive.log and archive.size < archive.population:
        notes.append(
            f"the population stopped at {archive.size} of {archive.population} profiles after {len(archive.log)} "
            "proposals: see the outcomes by niche"
        )
    barren = sum(
        bool(rows) and all(row.generation == 0 for row in rows) and archive.capacity(niche) > len(rows)
        for niche, rows in archive.members.items()
    )
    asked = {item.niche for item in archive.log}
    if archive.log and barren and len(asked) > 0:
        notes.append(
            f"{barren} of {len(archive.members)} niches hold no accepted variation: their real profiles stand alone"
        )
    for name, words in (("made_from", "the users it was made from"), ("held_out", "held-out users")):
        found = match.get(name) or {}
        if found.get("too_few"):
            notes.append(f"{found['users']} users: the population's likeness to {words} cannot be tested")
            continue
        off = [key for key, item in found.get("measures", {}).items() if item["p_adjusted"] < 0.05]
        if off:
            notes.append(f"the population differs from {words} in {', '.join(sorted(off))} beyond chance")
    return notes
