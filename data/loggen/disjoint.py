"""Proof that the parts of the wording (train, tuning, heldout) are disjoint. In: the banks. Out: problems and counts.

Templates are compared as lists of words (lower case, punctuation and register dropped, a slot counts as a word), over
all banks together: a template moved to another bank would still give the label away by its other meaning.

- No template may occur in two parts, nor twice in one part of one bank.
- No run of four words (`RUN`) of `heldout` may occur in another part. Between `train` and `tuning`, which predate this
  rule and may both be looked at, such runs are only counted.
- The parts of a bank have the same size, give or take `SLACK`, and each reaction at least `LEAST` templates a part.

Shared by all parts on purpose, so no evidence for a label: what fills the slots (things, paths, requirements, numbers).
"""

import re
from itertools import combinations

from . import wording as words

RUN = 4
LEAST = 12
SLACK = 3


def tokens(template):
    """The words of a template, with slots as words; the register mark is dropped."""
    text = template[2:] if template[:2] in ("T:", "L:") else template
    return tuple(re.findall(r"\{\w\}|[\w']+", text.lower()))


def runs(wanted, size=RUN):
    """Every run of `size` words in any of these token tuples."""
    return {words_[i : i + size] for words_ in wanted for i in range(len(words_) - size + 1)}


def worded(templates):
    """Token tuples of the templates that hold a word of their own: a bare slot is no wording."""
    return [found for found in map(tokens, templates) if any(word[0] != "{" for word in found)]


def compare(banks):
    """(problems, measured) of `banks`: {bank: {part: [template]}} with the parts of `words.HALVES`."""
    problems, measured = [], {"templates": {}, "sizes": {}, "shared templates": {}, f"shared runs of {RUN} words": {}}
    pooled = {half: [] for half in words.HALVES}
    for name, parts in banks.items():
        if missing := set(words.HALVES) - set(parts):
            problems.append(f"bank {name}: no {', '.join(sorted(missing))} part")
            continue
        sizes = {half: len(parts[half]) for half in words.HALVES}
        measured["sizes"][name] = list(sizes.values())
        if max(sizes.values()) - min(sizes.values()) > SLACK:
            problems.append(f"bank {name}: the parts differ in size: {sizes}")
        if name.startswith("reactions.") and min(sizes.values()) < LEAST:
            problems.append(f"bank {name}: a part has fewer than {LEAST} templates: {sizes}")
        for half in words.HALVES:
            found = worded(parts[half])
            if len(set(found)) < len(found):
                problems.append(f"bank {name}: a template occurs twice in {half}")
            pooled[half] += found
    for half in words.HALVES:
        measured["templates"][half] = len(pooled[half])
    for one, other in combinations(words.HALVES, 2):
        pair = f"{one} and {other}"
        same = sorted(set(pooled[one]) & set(pooled[other]))
        common = sorted(runs(pooled[one]) & runs(pooled[other]))
        measured["shared templates"][pair] = len(same)
        measured[f"shared runs of {RUN} words"][pair] = len(common)
        problems += [f"{pair} share the template {' '.join(found)!r}" for found in same]
        if "heldout" in (one, other):
            problems += [f"{pair} share the words {' '.join(found)!r}" for found in common]
    return problems, measured


def check_wording():
    """(problems, measured) of every bank of wording.toml that has parts."""
    return compare(words.halved_banks())
