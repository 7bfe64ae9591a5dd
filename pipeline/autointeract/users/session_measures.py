"""What only whole sessions show: their number of user turns, how early requirements come, what they cover. No model."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from autointeract.records import Session, TurnLabel, derive_seed
from autointeract.users import rules
from autointeract.users import similarity as sim
from autointeract.users.corpus import of_session
from autointeract.users.reveal import mean_curve, requirement_clauses, reveal_curve
from autointeract.users.settings import RealismSettings
from autointeract.users.surface import content_words, count_words
from autointeract.users.turns import TypedTurn


def compare_sessions(
    sessions: Sequence[Session], talks: Mapping[str, Any], max_turns: int, seed: int, settings: RealismSettings
) -> dict[str, Any]:
    """[2] turns a session, [11] area between reveal curves, [16] coverage and precision of what real sessions asked.

    `turns_p` and `reveal_p` swap a session and its simulated twin. Lengths are cut at `max_turns` on both sides. The
    floor of `turns_w1` is between random halves of the real sessions.
    """
    real = {row.session_id: [t.text for t in of_session(row)][:max_turns] for row in sessions}
    other = {name: [m["content"] for m in talks[name]["messages"] if m["role"] == "user"] for name in real}
    lengths = {name: float(len(texts)) for name, texts in real.items()}
    theirs = {name: float(len(texts)) for name, texts in other.items()}
    names = sorted(real)

    def halves(a: set[Any], b: set[Any]) -> float:
        return sim.wasserstein([lengths[n] for n in a], [lengths[n] for n in b], 1.0)

    drawn = [[curve_of(side[name]) for name in names] for side in (real, other)]
    curves = [mean_curve(side) for side in drawn]
    area = _area(drawn[0], drawn[1])
    covered, precise = [], []
    for name in names:
        wanted = _asked(real[name][1:])
        said = _asked(other[name][1:])
        if wanted:
            covered.append(len(wanted & said) / len(wanted))
        if said:
            precise.append(len(wanted & said) / len(said))
    return {
        "turns_mean": [round(float(np.mean(list(side.values()))), 3) for side in (lengths, theirs)],
        "turns_w1": round(sim.wasserstein(lengths.values(), theirs.values(), 1.0), 6),
        "turns_w1_floor": sim.floor(halves, names, settings.floor_splits, derive_seed("turns", seed)),
        "turns_p": swapped_p(
            [lengths[n] for n in names], [theirs[n] for n in names], lambda a, b: sim.wasserstein(a, b, 1.0),
            settings.permutations, derive_seed("turns_p", seed),
        ),
        "reveal_p": swapped_p(drawn[0], drawn[1], _area, settings.permutations, derive_seed("reveal_p", seed)),
        "closed": round(sum(bool(talks[name]["closed"]) for name in names) / max(len(names), 1), 4),
        "reveal_curves": curves, "reveal_area": round(area, 6) if area is not None else None,
        "asked_covered": round(float(np.mean(covered)), 4) if covered else None,
        "asked_precision": round(float(np.mean(precise)), 4) if precise else None,
    }  # fmt: skip


def swapped_p(
    real: Sequence[Any], other: Sequence[Any], measure: Callable[[Any, Any], float | None], permutations: int, seed: int
) -> float | None:
    """p of a distance between paired lists, either side of each pair swapped or not; null where there is none."""
    actual = measure(real, other)
    if actual is None:
        return None
    generator = np.random.default_rng(seed)
    hits = 0
    for _ in range(permutations):
        swaps = generator.random(len(real)) < 0.5
        a = [y if swap else x for x, y, swap in zip(real, other, swaps, strict=True)]
        b = [x if swap else y for x, y, swap in zip(real, other, swaps, strict=True)]
        hits += (measure(a, b) or 0.0) >= actual - 1e-12
    return round((1 + hits) / (permutations + 1), 6)


def _area(real: list[list[float]], other: list[list[float]]) -> float | None:
    curves = mean_curve(real), mean_curve(other)
    return float(np.abs(np.array(curves[0]) - np.array(curves[1])).mean()) if all(curves) else None


def curve_of(texts: Sequence[str]) -> list[float]:
    """The reveal curve of a conversation's user turns."""
    turns = [
        TypedTurn(index=k, number=k, text=text, kind="human", before="", acted=True, reactive=k > 0)
        for k, text in enumerate(texts)
    ]
    labels = {}
    for turn in turns:
        label = rules.label(turn)
        labels[turn.index] = TurnLabel(
            session_id="", turn_index=turn.index, intent=label.intent, reaction=label.reaction,
            specificity=label.specificity, words=count_words(turn.text), labeller="rules",
        )  # fmt: skip
    return reveal_curve(turns, labels)


def _asked(texts: Sequence[str]) -> set[str]:
    return {word for text in texts for clause in requirement_clauses(text) for word in clause & content_words(text)}
