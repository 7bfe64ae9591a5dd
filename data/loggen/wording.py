"""Loads wording.toml, the template banks. Out: the banks as module constants, `HALVES`, `halves_of`, `bank`.

Holds no wording itself.
"""

import tomllib
from pathlib import Path

HALVES = ("train", "tuning", "heldout")  # the parts of every bank, in the order in which `all` reads them
SPLITS = (*HALVES, "all")
_BANKS = tomllib.loads((Path(__file__).parent / "wording.toml").read_text(encoding="utf-8"))


def _by_register(table):
    """{technical?: value} of a table with the keys technical and lay."""
    return {True: table["technical"], False: table["lay"]}


REACTIONS, OPENINGS, VAGUE_OPENINGS = _BANKS["reactions"], _BANKS["openings"], _BANKS["vague_openings"]
FACT_SENTENCES, FILLER_LEADS = _BANKS["fact_sentences"], _BANKS["filler_leads"]
FILLER = {
    (technical, specific): table["specific" if specific else "loose"]
    for technical, table in _by_register(_BANKS["filler"]).items()
    for specific in (True, False)
}
PRONOUNS, GOALS = _BANKS["pronouns"], _by_register(_BANKS["goals"])
PROJECTS = {name: _by_register(table) for name, table in _BANKS["projects"].items()}
RULES, SOFT_CHANGES = _BANKS["rules"], _BANKS["soft_changes"]
TRACES, SNIPPETS = _BANKS["traces"], _BANKS["snippets"]
FAILURE_DETAILS = {half: _by_register(table) for half, table in _BANKS["failure_details"].items()}
POLITE_HEADS, POLITE_TAILS = _BANKS["polite_heads"], _BANKS["polite_tails"]
QUESTION_HEADS, QUESTION_TAILS = _BANKS["question_heads"], _BANKS["question_tails"]
FOREIGN, ASSISTANT = _BANKS["foreign"], _BANKS["assistant"]
IMPERATIVES = frozenset(_BANKS["imperatives"])
THOUGHTS, REMINDERS = _BANKS["thoughts"], _BANKS["reminders"]


def halves_of(split):
    """The parts of a bank that a split reads: one of `HALVES`, or every one for `all`. ValueError for another name."""
    if split not in SPLITS:
        raise ValueError(f"split must be one of {', '.join(SPLITS)}, not {split!r}")
    return HALVES if split == "all" else (split,)


def bank(block, split):
    """Templates of a bank as (register, text) pairs, register T, L or empty; `split` as in `halves_of`."""
    lines = [line for half in halves_of(split) for line in block[half]]
    return [(line[0], line[2:]) if line[:2] in ("T:", "L:") else ("", line) for line in lines]


def halved_banks(node=None, path=""):
    """{dotted name: {part: [template]}} of every bank that has parts; registers inside a part are put together."""
    found, node = {}, _BANKS if node is None else node
    if "train" in node:
        return {path: {half: _lines(part) for half, part in node.items()}}
    for name, inner in node.items():
        if isinstance(inner, dict):
            found |= halved_banks(inner, f"{path}.{name}" if path else name)
    return found


def _lines(part):
    return part if isinstance(part, list) else [line for inner in part.values() for line in inner]
