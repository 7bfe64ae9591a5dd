"""The last look before a trajectory is written: an independent pass over the finished row.

It shares no code with the checks made during synthesis, so that one mistake does not pass twice. A row that does not
pass is not written; the stage reports it as a fault of the evaluator.
"""

import re
from itertools import pairwise

from autointeract.records import AssertionsSpec, PytestSpec, SourceTask, StdioSpec, Trajectory, load_json
from autointeract.synthesis.settings import SynthesisSettings

_BLANK = re.compile(r"\s+")
_NAME = re.compile(r"\w*[A-Za-z]\w*_\w*|\w*_\w*[A-Za-z]\w*")
NAME_CHARS = 8
"""A name with an underscore of this many characters that only private text has is a leak in a user turn (ours)."""
LINE_CHARS = 24
"""A line of the reference of this many characters (without blanks) in a user turn is a leak (ours)."""


def problems(row: Trajectory, task: SourceTask, settings: SynthesisSettings) -> list[str]:
    """What is wrong with the row; empty when it may be written. Never quotes private text."""
    found: list[str] = []
    roles = [message.role for message in row.prompt if message.role in ("user", "assistant")]
    if not roles or roles[-1] != "user" or row.prompt[-1].role != "user":
        found.append("the prompt does not end on a user turn")
    if any(a == b == "user" for a, b in pairwise(roles)):
        found.append("two user turns in a row")
    if row.verifier_json != task.verifier_json:
        found.append("the verifier is not the source task's")
    if not (len(row.weak_scores) == len(row.strong_scores) == settings.band.samples):
        found.append("samples are missing")
    users = _tight("\n".join(message.content for message in row.prompt if message.role == "user"))
    public = _tight("\n".join([task.statement, task.interface, *task.public_cases]))
    assistants = _tight("\n".join(message.content for message in row.prompt if message.role != "user"))
    for line in _reference_lines(task):
        tight = _tight(line)
        if len(tight) >= LINE_CHARS and tight in users and tight not in public and tight not in assistants:
            found.append("a line of the reference is visible")
    found += _cases(row, task, settings, users, public)
    guidance = _tight(str(load_json(row.guidance, {}).get("text", "")) if row.guidance else "")
    if len(guidance) >= LINE_CHARS and guidance in users:
        found.append("the guidance is visible")
    if _private_names(row, task):
        found.append("a private name is visible")
    if re.search(r"</?(think|thinking|reasoning)>", "\n".join(message.content for message in row.prompt)):
        found.append("reasoning is visible")
    return list(dict.fromkeys(found))


def _reference_lines(task: SourceTask) -> list[str]:
    """Every line of a program and of private notes; of a patch those that it adds."""
    lines: list[str] = []
    for name, value in task.reference.items():
        if name == "patch":
            added = [line for line in str(value).splitlines() if line.startswith("+") and not line.startswith("+++")]
            lines += [line[1:] for line in added]
        elif name != "start_patch":  # the repository as the assistant finds it
            lines += str(value).splitlines()
    return lines


def _private_names(row: Trajectory, task: SourceTask) -> set[str]:
    """Names that the user says, that the reference, the tests or the guidance have, and that nobody could know."""
    said = [message.content for message in row.prompt if message.role == "user"]
    heard = [message.content for message in row.prompt if message.role != "user"]
    facts = [fact.text for fact in task.facts]
    patch = [line for line in str(task.reference.get("patch", "")).splitlines() if not line.startswith("+")]
    shown = load_json(row.checks_json, {}).get("revealed_cases", [])
    known = "\n".join([task.statement, task.interface, *task.public_cases, *facts, *heard, *patch, *shown])
    private = [*_reference_lines(task), *_test_texts(task), *map(str, load_json(row.guidance or "{}", {}).values())]
    names = {name for text in private for name in _NAME.findall(text) if len(name) >= NAME_CHARS and name not in known}
    return names & {name for text in said for name in _NAME.findall(text)}


def _test_texts(task: SourceTask) -> list[str]:
    spec = task.verifier
    if isinstance(spec, PytestSpec):
        return [*(name.rpartition("::")[2] for name in spec.fail_to_pass), spec.test_patch]
    if isinstance(spec, AssertionsSpec):
        return [spec.setup, *spec.assertions]
    return [text for case in spec.cases for text in (case.input, case.output)] if isinstance(spec, StdioSpec) else []


def _cases(row: Trajectory, task: SourceTask, settings: SynthesisSettings, users: str, public: str) -> list[str]:
    spec = task.verifier
    if isinstance(spec, StdioSpec):
        inputs = [_tight(case.input) for case in spec.cases]
        seen = any(len(text) >= LINE_CHARS and text in users and text not in public for text in inputs)
        return ["a hidden case is visible"] if seen else []
    if not isinstance(spec, AssertionsSpec):
        return []
    shown = 0
    for text in spec.assertions:
        left, found, right = _tight(text).removeprefix("assert").partition("==")
        if _tight(text) in public or (found and _both(public, left, right)):
            continue
        shown += _both(users, left, right) if found else left in users
    allowed = 0
    if row.scenario == "bug_iteration":
        allowed = max(1, min(settings.checks.max_revealed_cases, len(spec.assertions) // 5))
    return ["more cases are visible than allowed"] if shown > allowed else []


def _both(text: str, left: str, right: str) -> bool:
    return any(right in text[m.end() : m.end() + len(right) + 30] for m in re.finditer(re.escape(left), text))


def _tight(text: str) -> str:
    return _BLANK.sub("", text).replace('"', "'")
