"""From the text a model wrote to what a verifier judges: the one way, for every trainer.

Thinking is removed. Code is taken by `execution.extract_code` (last fenced block that defines the entry point). For
repositories the answer is a patch: the last fenced block that holds a unified diff, else the text from its first
`diff --git` on.
"""

import re

from autointeract.execution.extract import fenced, visible
from autointeract.records import PytestSpec, Submission, VerifierSpec

_DIFF = re.compile(r"^(?:diff --git |--- \S.*\n\+\+\+ \S)", re.MULTILINE)


def submission_of(spec: VerifierSpec, text: str) -> Submission:
    """What is judged under `spec`: the whole text (the verifier extracts the code), or the patch in it."""
    if isinstance(spec, PytestSpec):
        return Submission(patch=extract_patch(text) or "")
    return Submission(text=text)


def extract_patch(text: str) -> str | None:
    """The unified diff in a response, with a final newline; None if it holds none."""
    text = visible(text)
    for _, body in reversed(fenced(text)):
        if found := _DIFF.search(body):
            return _ended(body[found.start() :])
    # Outside fences prose may follow, and git refuses it; so only a text that begins with the diff counts.
    stripped = text.strip("\n")
    return _ended(stripped) if _DIFF.match(stripped) else None


def _ended(patch: str) -> str:
    return patch if patch.endswith("\n") else f"{patch}\n"
