"""Measured levels in words: reads profiles/phrases.toml and says a user's settings, with seeded choices of wording.

`card` needs no model: it serves instances (the profile of a user's other sessions) and stands in where a written
profile cannot pass the privacy check. `read_levels` goes the other way: which level a text says for each axis, by
nearness of its sentences to the bank's; the simulated auditor reads with it.
"""

import re
import tomllib
from functools import cache
from random import Random
from typing import Any

from autointeract import assets
from autointeract.errors import ConfigError
from autointeract.records.vocabulary import AXES
from autointeract.users.axes import LEVELS

_CHOICE = re.compile(r"\{([^{}]*)\}")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_COMMON = frozenset(
    "the a an and or of to in is are with for as at by it not no what that which be does do".split()  # noqa: SIM905
)
_NEAR = 0.34
"""Least overlap of content words for a sentence to count as saying a level."""


@cache
def bank() -> dict[str, Any]:
    """The phrase bank.

    Raises:
        ConfigError: profiles/phrases.toml is damaged or lacks an axis, a level or a style entry.
    """
    path = assets.path("profiles", "phrases.toml")
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
        for axis in AXES:
            for level in LEVELS:
                if not data[axis][level]:
                    raise KeyError(f"{axis}.{level}")
        if not data["style"]["requests"] or not data["requests"]["create"]:
            raise KeyError("requests")
    except (tomllib.TOMLDecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    return data


def expand(template: str, random: Random, **given: str) -> str:
    """One wording of a template: `{a|b}` is a choice, `{name}` a given word."""

    def pick(match: re.Match[str]) -> str:
        inner = match.group(1)
        return given[inner] if inner in given else random.choice(inner.split("|"))

    return _CHOICE.sub(pick, template)


def sentences_for(levels: dict[str, str], settings: dict[str, Any], random: Random) -> list[str]:
    """Sentences that say the known levels, then style, pace and requests as `settings` has them."""
    data = bank()
    found = [expand(random.choice(data[axis][levels[axis]]), random) for axis in AXES if levels[axis] in LEVELS]
    found += [expand(random.choice(data["style"][key]), random) for key in _style_keys(settings)]
    mix = settings.get("request_mix") or {}
    named = [
        kind
        for kind in sorted(mix, key=lambda kind: (-mix[kind], kind))
        if kind in data["requests"] and mix[kind] >= 0.15
    ]
    if named:
        kinds = [data["requests"][kind] for kind in named[:2]]
        found.append(expand(random.choice(data["style"]["requests"]), random, list=" and to ".join(kinds)))
    return found


def card(levels: dict[str, str], settings: dict[str, Any], random: Random) -> str:
    """A whole profile text from numbers alone."""
    found = sentences_for(levels, settings, random)
    return " ".join(found) if found else "Nothing is known about this user's habits; behave as an average user would."


def read_levels(text: str) -> dict[str, str]:
    """The level that the text says for each axis, "unknown" where it says none."""
    best: dict[str, tuple[float, str]] = {}
    for sentence in _SENTENCE.split(text):
        words = _content(sentence)
        if not words:
            continue
        score, axis, level = max(
            (len(words & option) / len(words), axis, level) for axis, level, option in _index()
        )  # fmt: skip
        if axis in AXES and score >= _NEAR and score > best.get(axis, (0.0, ""))[0]:
            best[axis] = (score, level)
    return {axis: best[axis][1] if axis in best else "unknown" for axis in AXES}


def _style_keys(settings: dict[str, Any]) -> list[str]:
    style = settings.get("style") or {}
    reveal = (settings.get("reveal") or {}).get("first_turn")
    keys = []
    for name, high, low, cuts in (
        ("lowercase_start", "lowercase", "capitals", (0.3, 0.6)), ("polite", "polite", "plain", (0.08, 0.3)),
        ("question", "question", "statement", (0.15, 0.45)), ("code_fence", "code", "", (0.0, 0.25)),
        ("no_final_mark", "unpunctuated", "", (0.0, 0.65)),
    ):  # fmt: skip
        value = style.get(name)
        if value is not None:
            key = high if value >= cuts[1] else low if value < cuts[0] else ""
            keys += [key] if key else []
    if reveal is not None:
        keys += ["early"] if reveal >= 0.75 else ["late"] if reveal < 0.5 else []
    return keys


def _content(sentence: str) -> frozenset[str]:
    return frozenset(re.findall(r"[a-z]{2,}", sentence.lower())) - _COMMON


@cache
def _index() -> list[tuple[str, str, frozenset[str]]]:
    # Each template counts with all its alternatives: a sentence made from it overlaps fully.
    entries = []
    for name, table in bank().items():
        if name == "requests":
            continue
        for level, templates in table.items():
            for template in templates:
                entries.append((name, level, _content(template)))
    return entries
