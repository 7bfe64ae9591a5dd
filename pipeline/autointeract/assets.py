"""Finds the files that people edit: prompts/, profiles/ and sandbox/.

In a checkout they lie at the top level; in a wheel they lie inside the package as `_assets/`. Callers never care.
"""

from pathlib import Path

from autointeract.errors import ConfigError

_PACKAGE = Path(__file__).resolve().parent
_ROOTS = (_PACKAGE / "_assets", _PACKAGE.parent.parent)


def path(*parts: str) -> Path:
    """The existing file or folder `parts` (for example `path("prompts", "user_turn.md")`).

    Raises:
        ConfigError: it is in neither place; the message names both.
    """
    for root in _ROOTS:
        found = root.joinpath(*parts)
        if found.exists():
            return found
    tried = " or ".join(str(root.joinpath(*parts)) for root in _ROOTS)
    raise ConfigError(f"asset {'/'.join(parts)!r} not found: looked for {tried}; reinstall autointeract")
