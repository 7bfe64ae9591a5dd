"""The project's own JSON lines (docs/task-schema.json): one task an object.

    {"task_id", "statement", "reference", "assertions": [...], "entry_point"?, "interface"?, "facts"?, ...}

`facts` is a list of texts or of `{"id"?, "text", "span"?}`. `cases` (`[{"input", "output"}]`) in place of `assertions`
makes a program judged by its output; `verifier` (a whole spec of any kind) is taken as it is. Unknown keys are refused,
because a misspelt key would silently change what is verified.
"""

from typing import Any

from autointeract.records import AssertionsSpec, Case, Fact, StdioSpec, VerifierSpec, canonical_json, parse_spec
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.readers.assertions import check_assertions
from autointeract.tasks.readers.context import ReadContext, RowError, need_text, optional_text

KEYS = frozenset(
    {
        "task_id", "source", "license", "domain", "statement", "entry_point", "interface", "reference", "assertions",
        "cases", "verifier", "setup", "language", "checker", "time_limit_s", "memory_mb", "facts", "public_cases",
        "image", "repo", "meta",
    }
)  # fmt: skip


def read(row: dict[str, Any], context: ReadContext) -> Candidate | Refusal:
    """One own row as a candidate."""
    unknown = sorted(set(row) - KEYS)
    if unknown:
        raise RowError("bad_row", f"unknown keys {', '.join(unknown[:5])}; known: {', '.join(sorted(KEYS))}")
    spec = _spec(row, context)
    reference = row.get("reference")
    if isinstance(reference, str):
        reference = {"patch" if spec.kind == "pytest" else "code": reference}
    domain = row.get("domain") or ("swe" if spec.kind == "pytest" else "algorithmic")
    return Candidate(
        task_id=need_text(row, "task_id"), domain=domain, source=optional_text(row, "source") or context.label,
        license=optional_text(row, "license") or context.source.license, statement=need_text(row, "statement"),
        interface=optional_text(row, "interface"), entry_point=optional_text(row, "entry_point"),
        reference=reference or None, spec=spec, facts=_facts(row.get("facts"), row["statement"]),
        public_cases=row.get("public_cases"), image=row.get("image"), repo=row.get("repo"), meta=row.get("meta") or {},
    )  # fmt: skip


def _spec(row: dict[str, Any], context: ReadContext) -> VerifierSpec:
    settings = context.settings
    if row.get("verifier"):
        return parse_spec(canonical_json(row["verifier"]))
    memory = row.get("memory_mb") or settings.memory_mb
    if row.get("assertions"):
        assertions = check_assertions(row["assertions"])
        return AssertionsSpec(
            entry_point=row.get("entry_point"), assertions=assertions, setup=row.get("setup") or "",
            time_limit_s=row.get("time_limit_s") or settings.time_limit_s, memory_mb=memory,
        )  # fmt: skip
    if row.get("cases"):
        return StdioSpec(
            language=row.get("language") or "python", cases=[Case.model_validate(case) for case in row["cases"]],
            checker=row.get("checker"), time_limit_s=row.get("time_limit_s") or settings.case_time_limit_s,
            memory_mb=memory,
        )  # fmt: skip
    raise RowError("no_tests", "needs assertions, cases or a verifier with at least one test")


def _facts(value: Any, statement: str) -> list[Fact] | None:
    if not value:
        return None
    if not isinstance(value, list):
        raise RowError("bad_row", "facts: needs a list of texts or of objects with a text")
    facts = []
    for number, item in enumerate(value, 1):
        data = {"text": item} if isinstance(item, str) else dict(item) if isinstance(item, dict) else {}
        fact = Fact.model_validate({"id": f"f{number}", **data})
        if fact.span is None and fact.text in statement:
            start = statement.index(fact.text)
            fact = fact.model_copy(update={"span": (start, start + len(fact.text))})
        if fact.span is not None and not 0 <= fact.span[0] < fact.span[1] <= len(statement):
            raise RowError("bad_row", f"facts: span of {fact.id} lies outside the statement")
        facts.append(fact)
    if len({fact.id for fact in facts}) != len(facts):
        raise RowError("bad_row", "facts: ids are not unique")
    return facts
