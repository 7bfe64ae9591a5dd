"""What the profile stage says when it ends: counts and the structured details that the report page draws."""

from collections import Counter
from collections.abc import Mapping, Sized
from typing import Any

from autointeract.models import Usage
from autointeract.records import Profile
from autointeract.records.vocabulary import AXES
from autointeract.users.archive import Archive
from autointeract.users.axes import axis_specs
from autointeract.users.described import Described
from autointeract.users.evidence import Evidence
from autointeract.users.fingerprints import Measured
from autointeract.users.niches import Bins


def counts(
    found: Evidence,
    split: dict[str, str],
    measured: Measured,
    described: Sized,
    profiles: list[Profile],
    archive: Archive,
) -> dict[str, int]:
    return {
        "users": len(found.users),
        "sessions": found.sessions,
        "sessions_without_user": found.anonymous,
        "typed_turns": sum(row.turns for rows in found.users.values() for row in rows),
        "train": sum(split[user] == "train" for user in found.users),
        "val": sum(split[user] == "val" for user in found.users),
        "test": sum(split[user] == "test" for user in found.users),
        "fingerprints": len(measured.rows),
        "described_users": len(described),
        "profiles": len(profiles),
        "niches": len({row.niche for row in profiles}),
        "proposals": len(archive.log),
        **{f"proposals_{name}": n for name, n in sorted(Counter(item.outcome for item in archive.log).items())},
    }


def faults(described: Mapping[str, Described], archive: Archive) -> dict[str, int]:
    """Unusable answers by role."""
    found: Counter[str] = Counter()
    for item in described.values():
        found.update({role: n for role, n in item.faults.items() if n})
    found["writer"] += sum(item.outcome == "fault" and item.detail != "" for item in archive.log)
    found["judge"] += sum(item.outcome == "fault" and item.detail == "" for item in archive.log)
    return {role: n for role, n in sorted(found.items()) if n}


def archive_details(archive: Archive, fresh: dict[str, Any], most: int = 2000) -> dict[str, Any]:
    """Coverage, QD score, outcomes by niche, and the log of proposals (the first `most`)."""
    by_niche: dict[str, dict[str, int]] = {}
    for item in archive.log:
        table = by_niche.setdefault(item.niche, {})
        table[item.outcome] = table.get(item.outcome, 0) + 1
    barren = [
        niche
        for niche, rows in archive.members.items()
        if niche in by_niche and len(rows) and all(row.generation == 0 for row in rows)
    ]
    return {
        **archive.stats(), "fresh_audit": fresh, "outcomes": by_niche, "niches_without_child": barren,
        "log": [item.model_dump() for item in archive.log[:most]],
    }  # fmt: skip


def details(
    measured: Measured,
    bins: dict[str, Bins],
    profiles: list[Profile],
    described: dict[str, Described],
    split: dict[str, str],
) -> dict[str, Any]:
    axes = {}
    for axis in AXES:
        values = [item for row in measured.rows.values() for item in row.axes if item.axis == axis]
        common = measured.population[axis]
        axes[axis] = {
            "unit": axis_specs()[axis].unit,
            "population": common.model_dump(),
            "bins": bins[axis].model_dump(mode="json"),
            "known_users": sum(item.known for item in values),
            "users": len(values),
            "alike": axis in measured.alike,
        }
    users = [
        {
            "user_id": user,
            "split": split[user],
            "sessions": row.n_sessions,
            "turns": row.n_turns,
            "axes": {item.axis: item.model_dump() for item in row.axes},
            "reliability": {axis: measured.reliability[axis].get(user) for axis in AXES},
        }
        for user, row in list(measured.rows.items())[:500]
    ]
    fidelity = [item.fidelity for item in described.values() if item.fidelity is not None]
    weights: dict[str, float] = {}
    for row in profiles:
        weights[row.niche] = round(weights.get(row.niche, 0.0) + row.weight, 6)
    return {
        "axes": axes,
        "users": users,
        "niches": dict(sorted(weights.items())),
        "request_mix": measured.population_mix,
        "fidelity_mean": sum(fidelity) / len(fidelity) if fidelity else None,
        "texts_from_card": sum(item.source == "card" for item in described.values()),
        "usage_of_texts": sum((item.usage for item in described.values()), Usage()).model_dump(),
    }
