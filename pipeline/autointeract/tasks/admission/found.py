"""What admission finds: `Admitted` (a row to be), or `Unknown` (the machinery failed, nothing is known)."""

from typing import Any

from autointeract.records import Fact, Record, SourceTask, Verdict, canonical_json, dump_spec
from autointeract.records.vocabulary import Boundary
from autointeract.tasks.candidate import Candidate
from autointeract.tasks.decompose import coverage, public_cases
from autointeract.tasks.readers.context import one_line


class Admitted(Record):
    """A verified candidate: its spec with verified test lists, its interface, and what the runs gave."""

    candidate: Candidate
    interface: str
    baseline: float | None
    verified: dict[str, Any]

    def row(self, facts: list[Fact], decomposed: str) -> SourceTask:
        """The task's row.

        Args:
            decomposed: where the facts come from (`given`, `rules`, `model`).
        """
        one = self.candidate
        public = one.public_cases
        if public is None:
            public = public_cases(one.statement, one.spec, one.entry_point)
        share = round(coverage(one.statement, facts), 4) if decomposed != "given" else None
        verified = {**self.verified, "facts": decomposed, "coverage": share, "meta": one.meta}
        return SourceTask(
            task_id=one.task_id, domain=one.domain, source=one.source, license=one.license, statement=one.statement,
            interface=self.interface, entry_point=one.entry_point, reference_json=canonical_json(one.reference),
            verifier_json=dump_spec(one.spec),
            facts_json=canonical_json([fact.model_dump(mode="json") for fact in facts]),
            public_cases_json=canonical_json(public), baseline_score=self.baseline, image=one.image, repo=one.repo,
            verified_json=canonical_json(verified),
        )  # fmt: skip


class Unknown(Record):
    """Nothing is known: the sandbox (or the verifier, or the provider) failed, not the task."""

    boundary: Boundary
    detail: str


def unknown(verdicts: list[Verdict]) -> Unknown | None:
    """Unknown as soon as one verdict is a fault."""
    for verdict in verdicts:
        if verdict.score is None:
            said = next((str(unit["message"]) for unit in verdict.details if unit.get("message")), verdict.status)
            return Unknown(boundary=verdict.fault or "sandbox", detail=one_line(said, 300))
    return None
