"""Stage `profile`: sessions and labels -> fingerprints, splits and the population of profiles.

In: datasets `sessions`, `labels`. Out: datasets `splits` (rows of kind user), `fingerprints` (all users), `profiles`
(train and val users and their variations; never test users). One journal line a described user, one a batch of
variations.
"""

import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from autointeract.models import Usage
from autointeract.records import Fingerprint, Profile, StageReport, canonical_json, digest
from autointeract.records.vocabulary import AXES
from autointeract.services import Services
from autointeract.users import audit, claims, phrases, privacy, redact, splits, writer
from autointeract.users.axes import axis_specs
from autointeract.users.described import Described, Subject, describe
from autointeract.users.evidence import Evidence, gather
from autointeract.users.fingerprints import Measured, measure, settings_of
from autointeract.users.niches import Bins, levels_of, make_bins, niche_of, shares
from autointeract.users.settings import ProfileSettings
from autointeract.workspace import PlannedItem, StageRun, Workspace

MAX_TEXTS = 4000
"""Most typed texts of one user kept in memory for the privacy check (about 200 KB each at worst)."""


async def run(settings: ProfileSettings, workspace: Workspace, services: Services) -> StageReport:
    """Measures every user, describes the train and val users, and diversifies."""
    started = time.monotonic()
    scope = {
        **settings.result_view(),
        "seed": services.seed,
        "axes": digest([spec.model_dump() for spec in axis_specs().values()], 16),
        "phrases": digest(phrases.bank(), 16),
        "models": {role: services.models.identity(role) for role in ("writer", "judge")},
        "prompts": {item.name: item.digest for item in (writer.WRITE, audit.READ, audit.CHECK)},
    }
    inputs = {name: getattr(workspace, name).manifest().content_digest for name in ("sessions", "labels")}
    with StageRun.open(workspace, "profile", scope, services.resume) as stage:
        found = gather(workspace)
        shares_of = {"train": settings.train, "val": settings.val, "test": 1 - settings.train - settings.val}
        split = splits.ensure(workspace, found.users, shares_of, services.seed)
        base = {user for user in found.users if split[user] != "test"}
        measured = measure(found.users, base, settings, services.seed)
        base &= measured.rows.keys()
        rows = [measured.rows[user] for user in sorted(measured.rows)]
        write = {"stage": "profile", "stage_digest": stage.stage_digest, "inputs": inputs}
        workspace.fingerprints.write([rows], complete=True, **write)
        population = [measured.rows[user] for user in sorted(base)]
        bins = make_bins(population, settings)
        allowed = _shared_intents(population, settings.k_anonymity)
        subjects = _subjects(population, bins, allowed, found, settings, services.seed)
        plan = [PlannedItem(key=f"user:{s.user_id}", input_digest=digest(s.model_dump())) for s in subjects]
        owed = {item.key for item in stage.owed(plan)}
        digests = {item.key: item.input_digest for item in plan}

        async def work(subject: Subject) -> Described:
            return await describe(services.models, subject, settings)

        def done(subject: Subject, value: Described) -> None:
            key = f"user:{subject.user_id}"
            stage.journal.put(key, digests[key], value.model_dump(mode="json"))

        waiting = [subject for subject in subjects if f"user:{subject.user_id}" in owed]
        stop = await services.engine.map(waiting, work, done, total=len(waiting))
        described = {item.key.removeprefix("user:"): Described.model_validate(v) for item, v in stage.finished(plan)}
        real = _profiles([s for s in subjects if s.user_id in described], described)
        profiles = weigh(real, shares(row.niche for row in real))
        notes = {
            "bins": {axis: item.model_dump(mode="json") for axis, item in bins.items()},
            "simulated": _simulated(services),
        }
        workspace.profiles.write([profiles], complete=stop is None, notes=notes, **write)
    faults: Counter[str] = Counter()
    for item in described.values():
        faults.update({role: n for role, n in item.faults.items() if n})
    return StageReport(
        stage="profile",
        counts=_counts(found, split, measured, base, profiles),
        faults=dict(faults),
        notes=[
            *claims.about_users(found, split, measured, settings),
            *claims.about_profiles(described, bins),
            *([f"stopped early: {stop.reason}"] if stop else []),
        ],
        usage=services.models.usage_report(),
        details=_details(measured, bins, profiles, described, split),
        seconds=time.monotonic() - started,
        complete=stop is None,
    )


def weigh(profiles: list[Profile], target: dict[str, float]) -> list[Profile]:
    """Sampling weights that give each niche its real share, split evenly over its profiles; they sum to 1."""
    counts = Counter(row.niche for row in profiles)
    raw = [target.get(row.niche, 0.0) / counts[row.niche] for row in profiles]
    total = sum(raw) or 1.0
    return [row.model_copy(update={"weight": value / total}) for row, value in zip(profiles, raw, strict=True)]


def profile_id(text: str, settings_json: str) -> str:
    """Digest of text and settings."""
    return digest([text, settings_json], 32)


def _shared_intents(rows: Iterable[Fingerprint], k: int) -> set[str]:
    # A share under a twentieth is mostly the prior's: it names no habit of this user.
    counts: Counter[str] = Counter()
    for row in rows:
        mix = settings_of(row)["request_mix"]
        counts.update(kind for kind, share in mix.items() if share >= 0.05)
    return {kind for kind, n in counts.items() if n >= k}


def _subjects(
    rows: list[Fingerprint],
    bins: dict[str, Bins],
    allowed: set[str],
    found: Evidence,
    settings: ProfileSettings,
    seed: int,
) -> list[Subject]:
    subjects = []
    for row in rows:
        texts = found.texts[row.user_id]
        names = privacy.own_names(texts, found.common, found.repos[row.user_id])
        subjects.append(
            Subject(
                user_id=row.user_id,
                levels=dict(levels_of(row, bins)),
                settings=settings_of(row, allowed),
                texts=texts,
                excerpts=redact.excerpts(texts, settings.excerpts, settings.excerpt_words, seed, row.user_id),
                names=sorted(names),
            )
        )
    return subjects


def _profiles(subjects: list[Subject], described: dict[str, Described]) -> list[Profile]:
    rows = []
    for subject in subjects:
        item = described[subject.user_id]
        settings_json = canonical_json(subject.settings)
        rows.append(
            Profile(
                profile_id=profile_id(item.text, settings_json),
                user_id=subject.user_id,
                niche=niche_of(subject.levels),
                text=item.text,
                settings_json=settings_json,
                audit_json=canonical_json(item.audit),
                fidelity=item.fidelity,
                weight=1.0,
            )
        )
    return rows


def _simulated(services: Services) -> list[str]:
    described = services.models.describe()
    return sorted(role for role in ("writer", "judge") if described[role]["simulated"])


def _counts(
    found: Evidence, split: dict[str, str], measured: Measured, base: set[str], profiles: list[Profile]
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
        "described_users": len(base),
        "profiles": len(profiles),
        "niches": len({row.niche for row in profiles}),
    }


def _details(
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
