"""The archive of profiles, near-duplicates, and the population they make."""

import json
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from users_support import models, parts, population, services, workspace

from autointeract.models.simulated.scripted import say_json, script
from autointeract.records import Profile, canonical_json
from autointeract.users import label_stage, phrases, profile_stage
from autointeract.users.archive import Archive
from autointeract.users.audit import agreement
from autointeract.users.diversify import far_threshold
from autointeract.users.neardup import SimilarTexts
from autointeract.users.settings import ArchiveSettings, LabelSettings, ProfileSettings

NICHES = ["low/low/low/low/low", "high/low/low/low/low", "mid/low/low/low/low"]


def profile(number: int, niche: str, fidelity: float = 1.0, **fields: object) -> Profile:
    data = {"profile_id": f"p{number}", "user_id": f"u{number}", "niche": niche, "text": f"text {number}",
            "settings_json": canonical_json({"expertise": number}), "fidelity": fidelity, "weight": 1.0}  # fmt: skip
    return Profile.model_validate({**data, **fields})


def archive(size: int = 30, elites: int = 3) -> Archive:
    real = [profile(k, NICHES[k % 3]) for k in range(6)]
    return Archive(real, {NICHES[0]: 0.5, NICHES[1]: 0.3, NICHES[2]: 0.2}, size, elites, seed=1)


def child_of(parent: Profile, number: int, fidelity: float = 1.0) -> Profile:
    return parent.model_copy(update={"profile_id": f"c{number}", "text": f"child {number}", "generation": 1,
                                     "parent_id": parent.profile_id, "fidelity": fidelity})  # fmt: skip


def test_asks_go_where_the_share_is_missing_and_fill_the_population() -> None:
    box = archive(size=60)
    while asks := box.ask(8):
        for ask in asks:
            box.tell(ask, "kept", child_of(box.find(ask.parent_id), ask.number))
    sizes = {niche: len(rows) for niche, rows in box.members.items()}
    assert box.size == 60
    assert sizes == {NICHES[0]: 30, NICHES[1]: 18, NICHES[2]: 12}


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(["kept", "duplicate", "private", "unfaithful"]), min_size=1, max_size=80),
    st.integers(1, 9),
)
def test_bookkeeping_survives_any_outcomes(outcomes: list[str], batch: int) -> None:
    box = archive(size=40)
    queue = list(outcomes)
    while queue and (asks := box.ask(min(batch, len(queue)))):
        for ask in asks:
            outcome = queue.pop()
            child = child_of(box.find(ask.parent_id), ask.number) if outcome == "kept" else None
            box.tell(ask, outcome, child)  # type: ignore[arg-type]
    assert box.size <= 40 and set(box.members) == set(NICHES)
    assert [item.number for item in box.log] == list(range(len(box.log)))


def test_a_child_may_not_change_settings_niche_or_user() -> None:
    box = archive()
    ask = box.ask(1)[0]
    parent = box.find(ask.parent_id)
    for change in ({"settings_json": "{}"}, {"niche": "unknown/low/low/low/low"}, {"user_id": "someone"}):
        with pytest.raises(ValueError, match="keeps its parent's"):
            archive().tell(ask, "kept", child_of(parent, 1).model_copy(update=change))


def test_a_full_niche_keeps_the_more_faithful_and_never_drops_real_ones() -> None:
    real = [profile(0, NICHES[0])]
    box = Archive(real, {NICHES[0]: 1.0}, population=3, elites=1, seed=0)
    for number, fidelity in enumerate((0.8, 0.9)):
        ask = box.ask(1)[0]
        assert box.tell(ask, "kept", child_of(real[0], number, fidelity)).outcome == "kept"
    assert not box.ask(1)
    late = box.log[0].model_copy()
    ask = archive().ask(1)[0].model_copy(update={"niche": NICHES[0], "parent_id": "p0"})
    assert box.tell(ask, "kept", child_of(real[0], 7, 0.7)).outcome == "crowded"
    found = box.tell(ask, "kept", child_of(real[0], 8, 1.0))
    assert found.replaced == "c0" and real[0] in box.profiles() and late.outcome == "kept"


def test_agrees_with_ribs_on_coverage_and_qd_score() -> None:
    ribs = pytest.importorskip("ribs.archives", reason="dev-only cross-check: pip install ribs")
    levels = ("low", "mid", "high", "unknown")
    theirs = ribs.CategoricalArchive(solution_dim=(), categories=[levels] * 5, solution_dtype=object)
    box = archive(size=60, elites=30)
    for row in box.profiles():
        theirs.add_single(row.text, row.fidelity, row.niche.split("/"))
    while asks := box.ask(5):
        for ask in asks:
            child = child_of(box.find(ask.parent_id), ask.number, 0.5 + ask.number % 5 / 10)
            box.tell(ask, "kept", child)
            theirs.add_single(child.text, child.fidelity, child.niche.split("/"))
    assert box.stats()["qd_score"] == pytest.approx(float(theirs.stats.qd_score))
    assert box.stats()["niches"] == theirs.stats.num_elites


def test_near_duplicates_are_found_among_many() -> None:
    texts = [f"Writes {k} short lines and asks about topic {k * 7} every so often in turn {k}." for k in range(700)]
    box = SimilarTexts(texts)
    for text in texts:
        box.add(box.vector(text))
    for k in (0, 31, 32, 500, 699):
        score, place = box.best(box.vector(texts[k]))
        assert place == k and score == pytest.approx(1.0, abs=1e-5)
    assert box.best(box.vector("zebra quantum xylophone"))[0] < 0.1
    assert SimilarTexts([]).best(SimilarTexts([]).vector("a b")) == (0.0, -1)


def test_far_threshold_needs_real_texts() -> None:
    assert far_threshold(["a b c"] * 4, 5) is None
    same = far_threshold([f"writes short lines number {k}" for k in range(8)], 5)
    assert same is not None and 0 < same < 1


@settings(deadline=None)
@given(st.sampled_from(["low", "mid", "high"]), st.integers(0, 200), st.integers(0, 4))
def test_phrases_say_their_level(level: str, seed: int, place: int) -> None:
    from autointeract.records import rng
    from autointeract.records.vocabulary import AXES

    levels = {axis: "unknown" for axis in AXES} | {AXES[place]: level}
    read = phrases.read_levels(phrases.card(levels, {}, rng(seed)))
    assert read == levels and agreement(levels, read) == 1.0


def test_agreement_by_hand() -> None:
    base = {
        "expertise": "low",
        "vagueness": "mid",
        "pushback": "high",
        "requirement_change": "unknown",
        "verbosity": "low",
    }
    read = {**base, "vagueness": "high", "pushback": "low", "requirement_change": "mid"}
    assert agreement(base, read) == pytest.approx((1 + 0.5 + 0 + 0 + 1) / 5)


async def grow(path, rows, settings, concurrency=8, **roles):
    space = workspace(path, rows)
    async with models(space.root, **roles) as door:
        tools = services(door, concurrency=concurrency)
        await label_stage.run(LabelSettings(), space, tools)
        return space, await profile_stage.run(settings, space, tools)


WANT = ProfileSettings(resamples=60, splits=10, permutations=20, archive=ArchiveSettings(population=60, batch=16))


async def test_population_inherits_settings_and_is_reproducible(tmp_path) -> None:
    rows = population(10, 4)
    a, report = await grow(tmp_path / "a", rows, WANT, concurrency=1)
    b, _ = await grow(tmp_path / "b", rows, WANT, concurrency=32)
    assert parts(a.root / "profiles") == parts(b.root / "profiles")
    kept = {row.profile_id: row for row in a.profiles.rows()}
    children = [row for row in kept.values() if row.generation > 0]
    assert report.counts["profiles"] == 60 and children
    observed = {row.niche for row in kept.values() if row.generation == 0}
    for row in children:
        root = row
        while root.parent_id and root.parent_id in kept:
            root = kept[root.parent_id]
        assert row.settings_json == root.settings_json and row.niche in observed
    assert sum(row.weight for row in kept.values()) == pytest.approx(1.0)
    real = Counter(row.niche for row in kept.values() if row.generation == 0)
    weight: Counter[str] = Counter()
    for row in kept.values():
        weight[row.niche] += row.weight  # type: ignore[assignment]
    for niche, n in real.items():
        assert weight[niche] == pytest.approx(n / sum(real.values()))


async def test_resume_after_a_stop_gives_the_same_population(tmp_path) -> None:
    rows = population(8, 4)
    whole, _ = await grow(tmp_path / "whole", rows, WANT)
    space = workspace(tmp_path / "cut", rows)
    async with models(space.root) as door:
        tools = services(door)
        await label_stage.run(LabelSettings(), space, tools)
        calls = 0
        put = type(tools.engine).map

        async def stopping(self, items, work, done, total=None):
            nonlocal calls
            calls += 1
            if calls == 4:
                self.request_stop("test")
            return await put(self, items, work, done, total)

        tools.engine.map = stopping.__get__(tools.engine)
        first = await profile_stage.run(WANT, space, tools)
        assert not first.complete
        again = await profile_stage.run(WANT, space, services(door))
    assert again.complete
    assert parts(space.root / "profiles") == parts(whole.root / "profiles")


async def test_a_writer_that_always_says_the_same_leaves_niches_without_child(tmp_path) -> None:
    rows = population(6, 4)
    with script("writer", [say_json({"text": "Writes a few words at a time. Rarely objects."})]):
        space, report = await grow(tmp_path / "w", rows, WANT, writer={"model": "scripted/writer"})
    assert report.complete and report.counts["profiles"] < 60
    assert any("hold no accepted variation" in note or "population stopped at" in note for note in report.notes)
    assert json.loads((space.root / "profiles" / "manifest.json").read_text())["notes"]["simulated"] == ["judge"]
