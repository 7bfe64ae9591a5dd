"""What `learn-prompt` leaves: one BehaviorPrompt row a candidate, and the sentences that say what it may not claim."""

from collections.abc import Sequence
from typing import Any

from autointeract import prompts
from autointeract.models import Usage
from autointeract.records import BehaviorPrompt, canonical_json
from autointeract.users import scores
from autointeract.users.candidates import prompt_id
from autointeract.users.cases import MIN_VAL_USERS, Cases
from autointeract.users.choose import Choice
from autointeract.users.gepa_run import Lineage
from autointeract.users.reliability import sentence
from autointeract.users.rollout import Rollout
from autointeract.users.settings import LearnPromptSettings

WEAK_GAP = 0.2
"""A judge that separates the real turn from a stranger's by less than this is not to be relied on."""


def rows_of(
    cases: Cases, rollouts: dict[str, Rollout], lineage: Lineage | None, choice: Choice | None,
    settings: LearnPromptSettings,
) -> list[BehaviorPrompt]:  # fmt: skip
    """The seed first, then the accepted candidates; exactly one is selected."""
    seed_text = prompts.load("behavior", ()).text
    selected = choice.selected if choice is not None else seed_text
    found = scores.split_scores(cases.instances, rollouts)
    info = {
        "optimizer": settings.optimizer, "selected": selected == seed_text,
        "aspects": scores.aspect_means(list(rollouts.values())),
        "instances": {name: len(cases.of(name)) for name in ("train", "val", "test")},
        "usage": sum((item.usage for item in rollouts.values()), Usage()).model_dump(),
        **_fresh(choice, seed_text),
    }  # fmt: skip
    rows = [
        BehaviorPrompt(
            prompt_id=prompt_id(seed_text), text=seed_text, train_score=found["train"], val_score=found["val"],
            test_score=found["test"], optimizer_json=canonical_json(info),
        )
    ]  # fmt: skip
    nodes = lineage.nodes if lineage is not None else []
    seen = {seed_text}
    for place, node in enumerate(nodes):
        if node.text in seen or lineage is None:
            continue
        seen.add(node.text)
        info = {
            "optimizer": settings.optimizer, "selected": node.text == selected, "changes": node.changes,
            "found_after": node.found_after, "front": lineage.front[place], **_fresh(choice, node.text),
        }  # fmt: skip
        rows.append(
            BehaviorPrompt(
                prompt_id=node.prompt_id, text=node.text, val_score=node.val,
                parent_id=nodes[node.parent].prompt_id if node.parent is not None else None,
                test_score=choice.tests.get(node.text) if choice else None, optimizer_json=canonical_json(info),
            )
        )  # fmt: skip
    return rows


def learn_notes(
    cases: Cases, checks: dict[str, Any], lineage: Lineage | None, choice: Choice | None, settings: LearnPromptSettings,
    stop: Any,
) -> list[str]:  # fmt: skip
    """What a reader must know."""
    notes = []
    if not cases.instances:
        notes.append("no real turn reacts to an agent here: the behavior prompt cannot be scored and is used as it is")
    for name in ("val", "test"):
        users = {item.user_id for item in cases.of(name) if item.user_id}
        unknown = {item.session_id for item in cases.of(name) if not item.user_id}
        if cases.instances and len(users) < 5:
            more = f" and {len(unknown)} sessions of nobody known" if unknown else ""
            notes.append(
                f"{name} instances come from {len(users)} user{'' if len(users) == 1 else 's'}{more}: the score says "
                "nothing about people in general"
            )
    if cases.lent:
        notes.append(
            f"validation has fewer than {MIN_VAL_USERS} users of its own: {cases.lent} sessions of training users were "
            "lent to it (they teach nothing); test stays people nobody has seen"
        )
    if cases.alone:
        notes.append(
            f"{cases.alone} of {len(cases.instances)} instances carry no profile: their user has no other session"
        )
    if cases.dropped:
        notes.append(f"{cases.dropped} instances dropped: their real turn recurs almost word for word in another split")
    if said := sentence(checks):
        notes.append(said)
    elif cases.instances and stop is None:
        notes.append("the judge was not checked (learn_prompt.judge_checks = 0): do not rely on its scores")
    gap = checks.get("gap")
    if gap is not None and gap < WEAK_GAP:
        notes.append(
            f"the judge separates the real turn from another user's by only {gap:.2f}: do not rely on its scores"
        )
    if settings.optimizer != "none" and lineage is None and stop is None:
        notes.append("nothing was optimised: there are no training or no validation instances")
    if settings.metric_calls < len(cases.of("val")) + 2 * (2 * settings.minibatch) and settings.optimizer != "none":
        notes.append(
            f"a budget of {settings.metric_calls} rollouts cannot finish two iterations: validation takes "
            f"{len(cases.of('val'))}, an iteration {2 * settings.minibatch}"
        )
    if lineage is not None and choice is not None:
        notes += _gain_notes(lineage, choice)
    if stop is not None:
        notes.append(f"stopped early: {stop.reason}")
    return notes


def _gain_notes(lineage: Lineage, choice: Choice) -> Sequence[str]:
    if choice.selected == lineage.nodes[0].text:
        return [
            f"{len(lineage.nodes) - 1} candidates were accepted; none beat the seed prompt on fresh samples: the seed "
            "prompt stays"
        ]
    test = choice.gains[choice.selected]["test"]
    if test["mean"] is None:
        return ["the selected prompt could not be tried on held-out users: there are none"]
    text = f"the selected prompt scores {test['mean']:+.3f} against the seed on held-out users"
    if test["low"] is None:
        return [f"{text}; one user gives no interval, so no gain is claimed"]
    text += f" (90 % interval {test['low']:+.3f} to {test['high']:+.3f}, {test['users']} users)"
    return [text if test["low"] > 0 else f"{text}: no gain is claimed"]


def _fresh(choice: Choice | None, text: str) -> dict[str, Any]:
    if choice is None or text not in choice.fresh:
        return {}
    return {"val_fresh": choice.fresh[text], **({"gains": choice.gains[text]} if text in choice.gains else {})}
