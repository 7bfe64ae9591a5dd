"""SourceTask: a verified task. It is in a workspace only if its gold solution scores 1.0 and its empty state does
not.
"""

from typing import Any, ClassVar

import pyarrow as pa

from autointeract.records.row import TEXT, Record, Row, load_json
from autointeract.records.verifier import VerifierSpec, parse_spec
from autointeract.records.vocabulary import Domain


class Fact(Record):
    """One atomic requirement of a task. `span` = [start, end) in the statement, where there is one."""

    id: str
    text: str
    span: tuple[int, int] | None = None


class SourceTask(Row):
    """One task with its executable verifier.

    Attributes:
        interface: what a solver must know to be judged at all: function name and signature, or the I/O format.
        reference_json: `{"code": ...}` or `{"patch": ...}`. Private. With `start_patch`, the state a solver begins with
            is that diff on the image's clean tree (SWE-smith's bug); without, it is the image's tree itself.
        facts_json: list of `Fact`; together they cover the statement.
        verifier_json: a `VerifierSpec`. Private.
        public_cases_json: cases that the statement itself shows; they are not secrets.
        baseline_score: best score of a constant answer, in [0, 1].
        verified_json: what admission found (gold and empty scores, counts, image).
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("task_id", TEXT), ("domain", pa.string()), ("source", TEXT), ("license", TEXT), ("statement", TEXT),
            ("interface", TEXT), ("entry_point", TEXT), ("reference_json", TEXT), ("verifier_json", TEXT),
            ("facts_json", TEXT), ("public_cases_json", TEXT), ("baseline_score", pa.float64()), ("image", TEXT),
            ("repo", TEXT), ("verified_json", TEXT),
        ]
    )  # fmt: skip

    task_id: str
    domain: Domain
    source: str
    license: str | None = None
    statement: str
    interface: str
    entry_point: str | None = None
    reference_json: str
    verifier_json: str
    facts_json: str = "[]"
    public_cases_json: str = "[]"
    baseline_score: float | None = None
    image: str | None = None
    repo: str | None = None
    verified_json: str = "{}"

    @property
    def verifier(self) -> VerifierSpec:
        """The parsed verifier."""
        return parse_spec(self.verifier_json)

    @property
    def facts(self) -> list[Fact]:
        """The parsed facts, in the order of the statement."""
        return [Fact.model_validate(fact) for fact in load_json(self.facts_json, [])]

    @property
    def reference(self) -> dict[str, Any]:
        """The gold solution: `{"code": ...}` or `{"patch": ...}`."""
        return load_json(self.reference_json, {})

    @property
    def public_cases(self) -> list[str]:
        """Cases that the statement shows (assertion texts, or inputs for programs)."""
        return load_json(self.public_cases_json, [])
