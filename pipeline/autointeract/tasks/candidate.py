"""Candidate: a task as a reader found it, not yet verified. Refusal: why one cannot be used, by name.

Both are plain frozen data; a candidate's digest is the input digest of its journal line, so a changed row is verified
again and an unchanged one never is.
"""

from typing import Any, Literal

from autointeract.records import Fact, Record, VerifierSpec, digest
from autointeract.records.vocabulary import Domain

Reason = Literal[
    # found while reading
    "bad_json", "not_utf8", "bad_row", "missing_column", "bad_ground_truth", "bad_archive", "bad_assertion",
    "bad_patch", "no_tests", "no_reference", "no_statement", "too_large", "duplicate_id", "duplicate_content",
    "no_entry_point", "not_code", "no_image", "filtered",
    # found by running
    "broken", "flaky", "trivial", "guessable", "untrusted", "slow", "tampered",
]  # fmt: skip
"""Why a task is refused. `filtered` and `not_code` are no faults of the row: they are counted, not listed by name."""
UNLISTED: frozenset[str] = frozenset({"filtered", "not_code"})


class Refusal(Record):
    """One task that is not used.

    Attributes:
        name: its id, or where it stands (file and line) when it has none.
        reason: one word of `Reason`.
        detail: one line for people: what was found and, where something can be done, what.
    """

    name: str
    source: str = ""
    reason: Reason
    detail: str

    @property
    def line(self) -> str:
        """The refusal as one line."""
        return f"{self.name}: {self.reason}: {self.detail}"


class Candidate(Record):
    """One task before verification.

    Attributes:
        reference: `{"code": ...}` or `{"patch": ...}` (a patch that makes the buggy state good).
        facts, public_cases, interface, entry_point: null where the source has none: they are then derived.
        image: where the tests of a repository run; null for functions and programs.
        archive: where the archive of tests lies now; where a file lies is no part of the task.
        meta: what the pool's filters look at (strategy, patch size ...) and provenance; plain JSON data.
    """

    task_id: str
    domain: Domain
    source: str
    license: str | None = None
    statement: str
    interface: str | None = None
    entry_point: str | None = None
    reference: dict[str, str] | None = None
    spec: VerifierSpec
    facts: list[Fact] | None = None
    public_cases: list[str] | None = None
    image: str | None = None
    repo: str | None = None
    archive: str | None = None
    meta: dict[str, Any] = {}

    @property
    def digest(self) -> str:
        """Digest of everything the task is made of."""
        return digest(self.model_dump(mode="json", exclude={"archive"}))

    @property
    def content_digest(self) -> str:
        """Digest of what is asked and how it is judged, whatever its name."""
        # A SWE statement may be empty, so that repository, tests and reference belong to the content.
        return digest([self.statement, self.spec.model_dump(mode="json"), self.repo, self.reference])

    def refuse(self, reason: Reason, detail: str) -> Refusal:
        """A refusal of this candidate."""
        return Refusal(name=self.task_id, source=self.source, reason=reason, detail=detail)
