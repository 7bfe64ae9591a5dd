"""Stage `profile`: sessions and labels -> fingerprints, splits and the population of profiles.

In: datasets `sessions`, `labels`. Out: datasets `splits` (rows of kind user), `fingerprints` (all users), `profiles`
(train and val users and their variations; never test users). One journal line a described user, one a draft
and one an audit of a variation.
"""

import time
from collections import Counter
from collections.abc import Iterable
from typing import Any

from autointeract.records import Fingerprint, Profile, StageReport, canonical_json, digest
from autointeract.services import Services
from autointeract.users import audit, claims, diversify, phrases, privacy, profile_report, redact, splits, writer
from autointeract.users.archive import Archive
from autointeract.users.axes import axis_specs
from autointeract.users.described import Described, Subject, describe
from autointeract.users.evidence import Evidence, gather
from autointeract.users.fingerprints import measure, settings_of
from autointeract.users.niches import levels_of, make_bins, niche_of, shares
from autointeract.users.population import report
from autointeract.users.settings import ProfileSettings
from autointeract.workspace import PlannedItem, StageRun, Workspace
from autointeract.workspace.stage import ITEMS_PER_PART

PROMPTS = (writer.WRITE, audit.READ, audit.CHECK, diversify.VARY)


async def run(settings: ProfileSettings, workspace: Workspace, services: Services) -> StageReport:
    """Measures every user, describes the train and val users, and diversifies."""
    started = time.monotonic()
    scope = {
        **settings.result_view(), "seed": services.seed,
        "axes": digest([spec.model_dump() for spec in axis_specs().values()], 16),
        "phrases": digest(phrases.bank(), 16),
        "models": {role: services.models.identity(role) for role in ("writer", "judge")},
        "prompts": {item.name: item.digest for item in PROMPTS},
    }  # fmt: skip
    inputs = {name: getattr(workspace, name).manifest().content_digest for name in ("sessions", "labels")}
    with StageRun.open(workspace, "profile", scope, services.resume) as stage:
        write = {"stage": "profile", "stage_digest": stage.stage_digest, "inputs": inputs}
        found = gather(workspace)
        shares_of = {"train": settings.train, "val": settings.val, "test": 1 - settings.train - settings.val}
        split = splits.ensure(workspace, found.users, shares_of, services.seed)
        base = {user for user in found.users if split[user] != "test"}
        measured = measure(found.users, base, settings, services.seed)
        workspace.fingerprints.write([[measured.rows[user] for user in sorted(measured.rows)]], complete=True, **write)
        population = [measured.rows[user] for user in sorted(base & measured.rows.keys())]
        bins = make_bins(population, settings)
        levels = {user: dict(levels_of(row, bins)) for user, row in measured.rows.items()}
        subjects = _subjects(population, levels, found, settings, services.seed)
        described, stop = await _describe(stage, services, settings, subjects)
        real = _profiles([s for s in subjects if s.user_id in described], described)
        target = shares(row.niche for row in real)
        archive = Archive(real, target, settings.archive.population, settings.archive.elites, services.seed)
        fresh: dict[str, Any] = {}
        if stop is None and real and archive.population > archive.size:
            run_of = diversify.Diversify(stage, services, settings, archive, {s.user_id: s for s in subjects})
            stop = await run_of.run()
            if stop is None:
                fresh = await run_of.recheck()
        profiles = weigh(archive.profiles(), target)
        notes = {
            "bins": {axis: item.model_dump(mode="json") for axis, item in bins.items()},
            "simulated": _simulated(services),
        }
        workspace.profiles.write(_parts(profiles), complete=stop is None, notes=notes, **write)
    niches = {user: niche_of(levels[user]) for user in levels}
    held_out = {user for user in measured.rows if split[user] == "test"}
    match = report(
        profiles, measured.rows, levels, niches, held_out, services.seed, settings.splits, settings.permutations
    )
    return StageReport(
        stage="profile", counts=profile_report.counts(found, split, measured, described, profiles, archive),
        faults=profile_report.faults(described, archive),
        notes=[
            *claims.about_users(found, split, measured, settings), *claims.about_profiles(described, bins),
            *claims.about_population(archive, match, settings), *([f"stopped early: {stop.reason}"] if stop else []),
        ],
        usage=services.models.usage_report(),
        details={
            **profile_report.details(measured, bins, profiles, described, split), "population": match,
            "archive": profile_report.archive_details(archive, fresh),
        },
        seconds=time.monotonic() - started, complete=stop is None,
    )  # fmt: skip


async def _describe(
    stage: StageRun, services: Services, settings: ProfileSettings, subjects: list[Subject]
) -> tuple[dict[str, Described], Any]:
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
    return {i.key.removeprefix("user:"): Described.model_validate(v) for i, v in stage.finished(plan)}, stop


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
    rows: list[Fingerprint], levels: dict[str, dict[str, str]], found: Evidence, settings: ProfileSettings, seed: int
) -> list[Subject]:
    allowed = _shared_intents(rows, settings.k_anonymity)
    subjects = []
    for row in rows:
        texts = found.texts[row.user_id]
        names = privacy.own_names(texts, found.common, found.repos[row.user_id])
        subjects.append(
            Subject(
                user_id=row.user_id, levels=levels[row.user_id], settings=settings_of(row, allowed), texts=texts,
                excerpts=redact.excerpts(texts, settings.excerpts, settings.excerpt_words, seed, row.user_id),
                names=sorted(names),
            )
        )  # fmt: skip
    return subjects


def _parts(profiles: list[Profile]) -> list[list[Profile]]:
    starts = range(0, max(len(profiles), 1), ITEMS_PER_PART)
    return [profiles[start : start + ITEMS_PER_PART] for start in starts]


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
