"""Loads wording.toml, the template banks. Out: the banks as module constants, and `bank`. Holds no wording itself."""

import tomllib
from pathlib import Path

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


def bank(block, split):
    """Templates of a bank as (register, text) pairs, register T, L or empty; `split` is train, heldout or all."""
    halves = ["train", "heldout"] if split == "all" else [split]
    lines = [line for half in halves for line in block[half]]
    return [(line[0], line[2:]) if line[:2] in ("T:", "L:") else ("", line) for line in lines]
