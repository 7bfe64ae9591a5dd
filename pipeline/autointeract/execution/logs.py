"""Reads test outcomes out of pytest's own log, for datasets that only have logs (SWE-smith's shape).

Never used for scores: a log is what the judged code printed. Our verdicts come from repository.py's own report.
"""

import re

START, END = ">>>>> Start Test Output", ">>>>> End Test Output"
_WORDS = "PASSED|FAILED|ERROR|SKIPPED|XFAIL|XPASS"
_AFTER = re.compile(
    rf"^(?:\[gw\d+\]\s+(?:\[\s*\d+%\]\s+)?)?(\S*::.*?|\S+\.py)\s+({_WORDS})(?:\s+\[\s*\d+%\])?\s*(?:\(.*\))?$"
)
_BEFORE = re.compile(rf"^(?:\[gw\d+\]\s+(?:\[\s*\d+%\]\s+)?)?({_WORDS})\s+(\S*::.*?|\S+\.py)(?:\s+-\s.*)?$")


def parse_pytest_log(text: str) -> dict[str, str] | None:
    """Node id -> PASSED, FAILED, ERROR, SKIPPED, XFAIL or XPASS; the last word on a test counts.

    Lines of `-v`, of `-rA` and of xdist are understood, ids with spaces too (SWE-smith's expression misses those).

    Returns:
        None if the log has one of SWE-smith's markers but not both in order: the run did not end.
    """
    if START in text or END in text:
        start, end = text.find(START), text.rfind(END)
        if start < 0 or end < start:
            return None
        text = text[start + len(START) : end]
    found: dict[str, str] = {}
    for line in text.splitlines():
        line = re.sub(r"\x1b\[[0-9;]*m", "", line).strip()
        if match := _BEFORE.match(line):
            found[match[2]] = match[1]
        elif match := _AFTER.match(line):
            found[match[1]] = match[2]
    return found
