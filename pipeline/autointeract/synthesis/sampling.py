"""Sampling: which task meets which user in which scenario.

Every task gets its own seeded order of profiles and of scenarios, so that a draw depends on that task alone: new tasks
or new profiles cost only themselves. Within a task profiles are drawn without replacement until exhausted, by their
weight in the population or uniformly over niches; scenarios likewise, so that they stay balanced.
"""

import math
from collections import Counter
from collections.abc import Sequence

from autointeract.records import Profile, Record, SourceTask, digest, rng
from autointeract.records.vocabulary import Scenario
from autointeract.synthesis.scenarios import eligible
from autointeract.synthesis.settings import SynthesisSettings


class Item(Record):
    """One item of the plan.

    Attributes:
        profile_id: "" in the ablation without user models.
        null_arm: also re-rolled without guidance. full: gets the full diagnosis.
    """

    item_id: str
    task_id: str
    profile_id: str
    prompt_id: str
    scenario: Scenario
    draw: int
    null_arm: bool
    full: bool


def plan_items(
    tasks: Sequence[SourceTask], profiles: Sequence[Profile], prompt_id: str, settings: SynthesisSettings, seed: int
) -> list[Item]:
    """The seeded, ordered list of items: every task's first draw, then every task's second draw, and so on."""
    usable = [
        (task, names)
        for task in tasks
        if task.domain in settings.domains and (names := eligible(task, settings.scenarios))
    ]
    usable.sort(key=lambda pair: digest(["order", seed, pair[0].task_id]))
    weights = _weights(profiles, settings.pairing)
    draws = settings.draws if settings.items is None else max(settings.draws, -(-settings.items // max(len(usable), 1)))
    orders = [(task, _scenarios(task.task_id, names, seed), _profiles(task.task_id, profiles, weights, seed))
              for task, names in usable]  # fmt: skip
    items = [
        _item(
            task.task_id,
            users[draw % len(users)] if users else "",
            prompt_id,
            names[draw % len(names)],
            draw,
            settings,
            seed,
        )
        for draw in range(draws)
        for task, names, users in orders
    ]
    return items[: settings.items]


def _item(
    task_id: str, profile_id: str, prompt_id: str, scenario: str, draw: int, settings: SynthesisSettings, seed: int
) -> Item:
    item_id = digest([task_id, profile_id, prompt_id, scenario, draw], 24)
    return Item(
        item_id=item_id, task_id=task_id, profile_id=profile_id, prompt_id=prompt_id, scenario=scenario, draw=draw,  # type: ignore[arg-type]
        null_arm=rng("null", seed, item_id).random() < settings.null_share,
        full=rng("full", seed, item_id).random() < settings.full_share,
    )  # fmt: skip


def _scenarios(task_id: str, names: list[str], seed: int) -> list[str]:
    order = list(names)
    rng("scenario", seed, task_id).shuffle(order)
    return order


def _weights(profiles: Sequence[Profile], pairing: str) -> dict[str, float]:
    if pairing == "population":
        return {profile.profile_id: profile.weight for profile in profiles}
    sizes = Counter(profile.niche for profile in profiles)
    return {profile.profile_id: 1 / sizes[profile.niche] for profile in profiles}


def _profiles(task_id: str, profiles: Sequence[Profile], weights: dict[str, float], seed: int) -> list[str]:
    """Weighted order without replacement (Efraimidis and Spirakis 2006: sort by log(u) / w)."""

    def rank(profile: Profile) -> tuple[float, str]:
        draw = rng("profile", seed, task_id, profile.profile_id).random()
        return -math.log(max(draw, 1e-300)) / weights[profile.profile_id], profile.profile_id

    return [profile.profile_id for profile in sorted(profiles, key=rank)]
