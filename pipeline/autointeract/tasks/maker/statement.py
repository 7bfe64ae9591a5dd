"""The issue text of a made bug: what the function is for and how it now behaves, by rules.

It names behaviour alone: neither a test, nor a line of the fix, nor the kind of change. A package's own documentation
string is what a user of it would quote.
"""

import re

from autointeract.tasks.maker.bugs import Bug
from autointeract.tasks.maker.suite import SuiteRun

MAX_DOC_CHARS = 1200


def issue_text(bug: Bug, broken: SuiteRun, flipped: list[str]) -> str:
    """The problem statement.

    Args:
        broken, flipped: the run with the bug and the tests that flipped; only whether they fail or crash is told.
    """
    module = re.sub(r"(/__init__)?\.py$", "", re.sub(r"^(src|lib)/", "", bug.path)).replace("/", ".")
    crashed = any(broken.tests.get(test) == "error" for test in flipped)
    name = bug.function.rsplit(".", 1)[-1]
    kind = "is set up wrongly" if name == "__init__" else "does not give what it should"
    lines = [f"`{module}.{bug.function}` {kind}.", ""]
    lines.append(f"The signature is `{_flat(bug.signature)}` and it must stay as it is.")
    doc = _documentation(bug.docstring)
    if doc:
        lines += ["", "Its documentation says:", "", *[f"> {line}".rstrip() for line in doc.splitlines()]]
    symptom = (
        "With the current version the code around it cannot even be set up."
        if crashed
        else "With the current version some calls give a wrong result or raise where they should not."
    )
    lines += ["", symptom, "Other behaviour of the package is right and has to stay unchanged."]
    return "\n".join(lines)


def _documentation(docstring: str) -> str:
    text = "\n".join(line.strip() for line in docstring.strip().splitlines())
    if len(text) <= MAX_DOC_CHARS:
        return text
    cut = text.rfind("\n\n", 0, MAX_DOC_CHARS)
    return text[: cut if cut > 0 else MAX_DOC_CHARS].rstrip()


def _flat(text: str) -> str:
    return " ".join(text.split())
