"""The few statistics of the page: a share with its interval, and the difference of two arms on the same items."""

import math

from autointeract.records import Record, derive_seed

Z95 = 1.959963984540054
RESAMPLES = 4000


class Interval(Record):
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


def wilson(hits: int, of: int) -> Interval:
    """A share with its Wilson score interval (Wilson 1927); [0, 1] where there is no evidence."""
    if of == 0:
        return Interval(value=0.0, low=0.0, high=1.0)
    share, z2 = hits / of, Z95**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = Z95 * math.sqrt(share * (1 - share) / of + z2 / (4 * of * of)) / (1 + z2 / of)
    return Interval(value=share, low=max(0.0, middle - half), high=min(1.0, middle + half))


def paired_difference(first: list[bool], second: list[bool], seed: int) -> Interval:
    """Mean of `first - second` over the same items, with a percentile bootstrap over items.

    The difference of an item is -1, 0 or 1, so a resample is one multinomial draw.
    """
    import numpy as np

    gaps = [int(a) - int(b) for a, b in zip(first, second, strict=True)]
    if not gaps:
        return Interval(value=0.0, low=-1.0, high=1.0)
    counts = np.array([gaps.count(-1), gaps.count(0), gaps.count(1)])
    draws = np.random.default_rng(derive_seed(seed, "arms")).multinomial(len(gaps), counts / len(gaps), RESAMPLES)
    means = np.sort((draws[:, 2] - draws[:, 0]) / len(gaps))
    return Interval(
        value=sum(gaps) / len(gaps),
        low=float(means[int(0.025 * RESAMPLES)]),
        high=float(means[int(0.975 * RESAMPLES) - 1]),
    )
