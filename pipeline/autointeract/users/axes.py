"""The five behavior axes as profiles/axes.toml defines them: unit, scale into [0, 1], cut points, words for each
level.
"""

import math
import tomllib
from functools import cache
from typing import Literal

from pydantic import Field, ValidationError

from autointeract import assets
from autointeract.errors import ConfigError
from autointeract.records import Record
from autointeract.records.vocabulary import AXES

Level = Literal["low", "mid", "high", "unknown"]
LEVELS: tuple[Level, ...] = ("low", "mid", "high")


class AxisSpec(Record):
    """One axis.

    Attributes:
        kind: "rate" (share of counted turns) or "mean" (of a number over them).
        scale: the value's range that maps to 0..1 in settings; `log` maps logarithmically.
        cuts: fixed cut points between low, mid and high, in the axis's unit.
        low, mid, high: what a user of this level does, in words.
    """

    name: str
    counts: str
    unit: str
    kind: Literal["rate", "mean"]
    scale: tuple[float, float]
    log: bool = False
    cuts: tuple[float, float] = Field()
    low: str
    mid: str
    high: str

    def to_setting(self, value: float) -> float:
        """The value on the scale of profile settings, in [0, 1], to four decimals."""
        low, high = self.scale
        if self.log:
            low, high, value = math.log1p(low), math.log1p(high), math.log1p(max(value, 0.0))
        return round(min(max((value - low) / (high - low), 0.0), 1.0), 4)


@cache
def axis_specs() -> dict[str, AxisSpec]:
    """The axes in the order of `vocabulary.AXES`.

    Raises:
        ConfigError: profiles/axes.toml is damaged, not UTF-8 or does not define exactly the five axes.
    """
    path = assets.path("profiles", "axes.toml")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        specs = {name: AxisSpec(name=name, **table) for name, table in data.items()}
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, ValidationError, TypeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    if set(specs) != set(AXES):
        raise ConfigError(f"{path}: must define exactly the axes {', '.join(AXES)}")
    for spec in specs.values():
        if not spec.cuts[0] < spec.cuts[1] or not spec.scale[0] < spec.scale[1]:
            raise ConfigError(f"{path}: {spec.name}: cuts and scale must rise")
    return {name: specs[name] for name in AXES}


def level_of(value: float, cuts: tuple[float, float], known: bool = True) -> Level:
    """The level of a value: low below the first cut, high from the second on; unknown where the axis is not known."""
    if not known:
        return "unknown"
    return "low" if value < cuts[0] else "high" if value >= cuts[1] else "mid"
