"""The last look before anything leaves this machine: no key, no token, no private value may be in the files.

Found are values shaped like well-known keys, the values of this process's own key variables, and the workspace's
pseudonym key. What is found is never printed.
"""

import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

_SHAPES = {
    "a private key": r"-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----",
    "an OpenAI-style key": r"(?<![A-Za-z0-9_-])sk-(?=[A-Za-z_-]*[0-9A-Z])[A-Za-z0-9_-]{16,}",
    "an AWS key": r"(?<![A-Z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Z0-9])",
    "a GitHub token": r"(?<![A-Za-z0-9_])(?:gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,})",
    "a Hub token": r"(?<![A-Za-z0-9_])hf_[A-Za-z0-9]{30,}",
    "a GitLab token": r"(?<![A-Za-z0-9_])glpat-[A-Za-z0-9_-]{20,}",
    "a Slack token": r"(?<![A-Za-z0-9_])xox[abeprs]-[A-Za-z0-9-]{10,}",
    "a Google key": r"(?<![A-Za-z0-9_])AIza[A-Za-z0-9_-]{35}",
    "a package registry token": r"(?<![A-Za-z0-9_])(?:npm_[A-Za-z0-9]{36}|pypi-[A-Za-z0-9_-]{40,})",
    "a signed web token": r"(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{10,}\.eyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
}
_SHAPE = re.compile("|".join(f"(?P<s{number}>{shape})" for number, shape in enumerate(_SHAPES.values())))
_NAMES = tuple(_SHAPES)
_VARIABLE = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD)$")
SHORTEST = 8
"""Values of variables shorter than this are no secrets but words."""


def own_secrets(environ: Mapping[str, str] = os.environ, key_file: Path | None = None) -> dict[str, str]:
    """`{value: what it is}` of this process's keys and of the workspace's pseudonym key."""
    found = {
        value: f"the value of {name}"
        for name, value in environ.items()
        if _VARIABLE.search(name.upper()) and len(value) >= SHORTEST
    }
    if key_file is not None and key_file.is_file():
        found[key_file.read_text(encoding="utf-8").strip()] = "the workspace's pseudonym key"
    return {value: name for value, name in found.items() if value}


def find_secrets(files: Iterable[Path], known: Mapping[str, str]) -> Iterator[str]:
    """`<file>, row <n>: looks like <what>` for the first secret of each row; never the secret itself."""
    for path in files:
        for number, text in _texts(path):
            match = _SHAPE.search(text)
            if match and match.lastgroup:
                yield f"{path.name}, row {number}: looks like {_NAMES[int(match.lastgroup[1:])]}"
            elif name := next((name for value, name in known.items() if value in text), None):
                yield f"{path.name}, row {number}: holds {name}"


def _texts(path: Path) -> Iterator[tuple[int, str]]:
    if path.suffix != ".parquet":
        with open(path, encoding="utf-8", newline="\n") as file:
            yield from ((number, _unescaped(line)) for number, line in enumerate(file))
        return
    number = 0
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=256):
            for row in batch.to_pylist():
                yield number, "\n".join(_strings(row))
                number += 1


def _unescaped(line: str) -> str:
    try:
        return "\n".join(_strings(json.loads(line)))
    except ValueError:
        return line


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield str(key)
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)
