"""Which seed a command runs with: the one that was given, else the one its workspace was made with."""

import json
from pathlib import Path
from typing import Any

from autointeract.config import Settings

_NEWEST_FIRST = ("synthesize", "tasks", "learn-prompt", "profile", "label", "realism")

_NOTHING_DRAWN = frozenset({"ingest", "push"})


def seeds(root: Path) -> dict[str, int]:
    """The seed of each stage that has a journal in the workspace, latest stage of the flow first."""
    found = {name: _seed_of(root / "journal" / f"{name}.jsonl") for name in _NEWEST_FIRST}
    return {name: seed for name, seed in found.items() if seed is not None}


def with_seed(settings: Settings, stages: list[str]) -> tuple[Settings, str | None]:
    """Settings with the seed to use, and a line where that needs one.

    A seed that was given is used; a line says where the workspace was made with another (a stage whose own journal has
    another refuses by itself). Without one, the workspace's is used, that of the stage itself first.
    """
    made = seeds(Path(settings.workspace))
    if not made or _NOTHING_DRAWN.issuperset(stages):
        return settings, None
    stage = next((name for name in stages if name in made), next(iter(made)))
    if "seed" not in settings.model_fields_set:
        if made[stage] == settings.seed:
            return settings, None
        line = f"seed {made[stage]}: that of {stage} in this workspace (none was given)"
        return settings.model_copy(update={"seed": made[stage]}), line
    others = {name: seed for name, seed in made.items() if seed != settings.seed}
    if not others:
        return settings, None
    names = ", ".join(f"{name} {seed}" for name, seed in others.items())
    return settings, f"seed {settings.seed} was given, but this workspace was made with: {names}"


def seed_line(root: Path) -> str | None:
    """For `status`."""
    made = seeds(root)
    if not made:
        return None
    if len(set(made.values())) == 1:
        return str(next(iter(made.values())))
    return ", ".join(f"{name} {seed}" for name, seed in made.items())


def _seed_of(path: Path) -> int | None:
    try:
        with open(path, "rb") as file:
            data: Any = json.loads(file.readline())
        seed = data["item"]["header"]["settings"]["seed"]
        return seed if isinstance(seed, int) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None
