"""Which behavior prompt to use: the best candidates meet fresh samples, then one is chosen, then the test users speak.

A score that chose a candidate flatters it (winner's curse), so the finalists are scored again on validation instances
with samples that no one has seen, and the choice rests on those alone. Test users decide nothing.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from autointeract.records import Record
from autointeract.users.cases import Cases
from autointeract.users.gepa_run import Lineage
from autointeract.users.instances import Instance
from autointeract.users.rollout import Rollout
from autointeract.users.scores import mean, paired_gain

Sample = Callable[[str, list[Instance], int], Awaitable[dict[str, Rollout]]]


class Choice(Record):
    """The outcome.

    Attributes:
        selected: text of the prompt to use.
        fresh: mean of fresh validation scores, by text.
        gains: per finalist, validation and test gain over the seed with intervals by user.
    """

    selected: str
    fresh: dict[str, float | None]
    gains: dict[str, dict[str, Any]]
    tests: dict[str, float | None]


async def choose(lineage: Lineage, cases: Cases, sample: Sample, finalists: int, samples: int, seed: int) -> Choice:
    """Scores the best candidates and the seed again, chooses, and shows the gain on test users.

    Args:
        sample: rollouts of a text on instances with sample number k (0 = the one optimisation saw).
    """
    seed_text = lineage.nodes[0].text
    ranked = sorted(lineage.nodes[1:], key=lambda node: (-node.val, node.prompt_id))[:finalists]
    texts = list(dict.fromkeys([seed_text, *(node.text for node in ranked)]))
    val, test = cases.of("val"), cases.of("test")
    fresh: dict[str, list[dict[str, Rollout]]] = {
        text: [await sample(text, val, k) for k in range(1, samples + 1)] for text in texts
    }
    means = {text: mean([s for rolls in fresh[text] for s in _scores(rolls)]) for text in texts}
    selected = max(texts, key=lambda text: (means[text] if means[text] is not None else -1.0, text == seed_text))
    # Test rollouts decide nothing, so their first sample is as good as any; more samples quieten the simulator's luck.
    held = {text: _merged([await sample(text, test, k) for k in range(samples + 1)]) for text in texts}
    gains = {
        text: {
            "val_fresh": paired_gain(val, _merged(fresh[text]), _merged(fresh[seed_text]), seed),
            "test": paired_gain(test, held[text], held[seed_text], seed),
        }
        for text in texts[1:]
    }
    tests = {text: mean(_scores(held[text])) for text in texts}
    return Choice(selected=selected, fresh=means, gains=gains, tests=tests)


def _scores(rolls: dict[str, Rollout]) -> list[float]:
    return [rolls[key].score or 0.0 for key in sorted(rolls) if rolls[key].score is not None]


def _merged(samples: Sequence[dict[str, Rollout]]) -> dict[str, Rollout]:
    """One rollout an instance with the mean of its samples' scores."""
    found: dict[str, Rollout] = {}
    for key in sorted(samples[0]) if samples else []:
        values = [rolls[key].score for rolls in samples if key in rolls]
        known = [value for value in values if value is not None]
        found[key] = samples[0][key].model_copy(update={"score": mean(known)})
    return found
