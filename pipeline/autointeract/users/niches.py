"""Niches: which combinations of levels exist among real users, and how large each is.

A niche is the five levels joined by "/". Cut points are terciles of the known users' values, or the fixed ones of
profiles/axes.toml while users are too few; both are stored with the profiles. Only niches seen among real users exist.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from autointeract.records import Fingerprint, Record
from autointeract.records.vocabulary import AXES
from autointeract.users.axes import axis_specs, level_of
from autointeract.users.settings import ProfileSettings


class Bins(Record):
    """Cut points of one axis and where they come from ("quantile" or "fixed")."""

    cuts: tuple[float, float]
    source: str
    users: int


def make_bins(fingerprints: Iterable[Fingerprint], settings: ProfileSettings) -> dict[str, Bins]:
    """Cut points of every axis from the population's users (never test users)."""
    values: dict[str, list[float]] = {axis: [] for axis in AXES}
    for row in fingerprints:
        for item in row.axes:
            if item.known:
                values[item.axis].append(item.value)
    bins = {}
    for axis, spec in axis_specs().items():
        known = sorted(values[axis])
        cuts, source = spec.cuts, "fixed"
        enough = len(known) >= (settings.quantile_users if settings.bins == "auto" else 3)
        if settings.bins != "fixed" and enough:
            low, high = _quantile(known, 1 / 3), _quantile(known, 2 / 3)
            if high > low:
                cuts, source = (low, high), "quantile"
        bins[axis] = Bins(cuts=cuts, source=source, users=len(known))
    return bins


def levels_of(row: Fingerprint, bins: Mapping[str, Bins]) -> dict[str, str]:
    """The level of each axis."""
    return {item.axis: level_of(item.value, bins[item.axis].cuts, item.known) for item in row.axes}


def niche_of(levels: Mapping[str, str]) -> str:
    """The niche's name: the levels in the order of `vocabulary.AXES`."""
    return "/".join(levels[axis] for axis in AXES)


def shares(niches: Iterable[str]) -> dict[str, float]:
    """Share of real users in each observed niche."""
    counts = Counter(niches)
    total = sum(counts.values())
    return {name: counts[name] / total for name in sorted(counts)}


def _quantile(values: list[float], q: float) -> float:
    place = q * (len(values) - 1)
    below = int(place)
    above = min(below + 1, len(values) - 1)
    return round(values[below] + (values[above] - values[below]) * (place - below), 6)
