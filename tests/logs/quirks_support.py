"""Helpers of the tests of quirks: what a reader hears in a small file written by the test itself."""

import json
from pathlib import Path
from typing import Any

from autointeract.logs.event import RawSession
from autointeract.logs.opening import open_log
from autointeract.records.vocabulary import TYPED_KINDS

ACTS = frozenset({"interrupt", "approval", "command", "button"})


def sessions(folder: Path, content: Any) -> list[RawSession]:
    """The sessions of a file: text as it is, a list of rows line by line, anything else as one JSON document."""
    if isinstance(content, list):
        content = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in content)
    path = folder / "log"
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    log = open_log(path, path.name, 1 << 24, trace=True)
    assert not log.reason, log.reason
    return list(log.sessions)


def typed(found: list[RawSession]) -> list[str]:
    """The words a person typed, in order; those of a refusal begin with "rejection: "."""
    events = [event for raw in found for event in raw.human_turns()]
    return [("" if event.kind == "human" else f"{event.kind}: ") + event.text.strip() for event in events]


def acts(found: list[RawSession]) -> list[str]:
    """The kinds of the acts without free text, in order."""
    return [event.kind for raw in found for event in raw.events if event.kind in ACTS - TYPED_KINDS]
