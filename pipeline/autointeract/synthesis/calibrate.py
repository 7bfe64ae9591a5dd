"""`calibrate`: the band alone, for prompts that people already have; nothing is simulated.

In: a JSONL or Parquet file of rows with a prompt and a verifier. Out: the dataset `calibrated`, one row each: both
solvers' scores, and whether the row lies in the band. Resumable like every stage.

A row needs
    prompt          a text, or a list of `{"role", "content"}` that ends on a user turn
    verifier_json   a verifier spec as JSON text (or `verifier`: the same as an object)
    image, repo_state   only for verifiers of kind pytest, whose prompts need an agent: refused here
"""

import json
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from autointeract.errors import InputError, WorkspaceError
from autointeract.models import Call
from autointeract.models.simulated import solvers  # noqa: F401 - registers responders
from autointeract.records import (
    Message,
    StageReport,
    Submission,
    Verdict,
    canonical_json,
    clean_text,
    digest,
    dump_spec,
    parse_spec,
)  # fmt: skip
from autointeract.records.message import MESSAGE
from autointeract.records.row import FLOATS, TEXT, Row
from autointeract.services import Services
from autointeract.synthesis import difficulty
from autointeract.synthesis.settings import BandSettings
from autointeract.synthesis.usage import UsedTokens
from autointeract.workspace import PlannedItem, StageRun, Workspace

OUTCOMES = ("keep", "too_easy", "too_hard", "fault")


class Calibrated(Row):
    """One row of the file, measured.

    Attributes:
        row_id: digest of prompt and verifier.
        outcome: "keep", "too_easy", "too_hard", or "fault" (a score is unknown; `fault` names who failed).
        responses_json: every response with its verdict.
    """

    SCHEMA: ClassVar[pa.Schema] = pa.schema(
        [
            ("row_id", TEXT), ("outcome", pa.string()), ("fault", pa.string()), ("prompt", pa.list_(MESSAGE)),
            ("verifier_json", TEXT), ("weak_scores", FLOATS), ("strong_scores", FLOATS), ("responses_json", TEXT),
            ("usage_json", TEXT),
        ]
    )  # fmt: skip

    row_id: str
    outcome: str
    fault: str | None = None
    prompt: list[Message]
    verifier_json: str
    weak_scores: list[float] = []
    strong_scores: list[float] = []
    responses_json: str = "[]"
    usage_json: str = "{}"


async def run(path: Path, band: BandSettings, workspace: Workspace, services: Services) -> StageReport:
    """Measures every row of the file.

    Raises:
        InputError: the file cannot be read, or a row is unusable (named by its number).
        WorkspaceError: simulated solvers without an answer book.
    """
    started = time.monotonic()
    simulated = any(services.models.endpoint(role).simulated for role in ("weak", "strong"))
    if simulated and not workspace.tasks.exists():
        raise WorkspaceError(
            "simulated solvers answer from the workspace's dataset `tasks`, and there is none: run `tasks` first, or "
            "name real models for weak and strong"
        )
    rows = {row.row_id: row for row in read(path)}
    plan = [PlannedItem(key=row_id, input_digest=row_id) for row_id in rows]
    models = {role: services.models.identity(role) for role in ("weak", "strong")}
    view = {"band": band.result_view(), "seed": services.seed, "models": models}
    with StageRun.open(workspace, "calibrate", view, services.resume) as stage:

        async def work(item: PlannedItem) -> dict[str, Any]:
            return (await _measure(rows[item.key], band, services)).model_dump(mode="json")

        def done(item: PlannedItem, value: dict[str, Any]) -> None:
            stage.journal.put(item.key, item.input_digest, value)

        owed = stage.owed(plan)
        stop = await services.engine.map(owed, work, done, total=len(owed))
        counts: Counter[str] = Counter()

        def measured(value: dict[str, Any]) -> Iterator[Calibrated]:
            row = Calibrated.model_validate(value)
            counts[row.outcome] += 1
            yield row

        dataset = workspace.dataset("calibrated", Calibrated)
        stage.compact(plan, dataset, measured, inputs={"file": digest(list(rows))}, complete=stop is None)
    return StageReport(
        stage="calibrate", complete=stop is None, seconds=time.monotonic() - started,
        counts={"rows": len(plan), **{name: counts[name] for name in OUTCOMES}},
        notes=[f"{counts['keep']} of {len(plan)} rows lie in the band"], usage=services.models.usage_report(),
    )  # fmt: skip


async def _measure(row: Calibrated, band: BandSettings, services: Services) -> Calibrated:
    spec = parse_spec(row.verifier_json)
    used = UsedTokens()

    async def judge(submission: Submission, _: Call) -> Verdict:
        return await services.execution.verify(spec, submission)

    scores: dict[str, difficulty.SolverScores] = {}
    outcome, fault = "keep", None
    for solver, kind in (("weak", "too_easy"), ("strong", "too_hard")):
        name: difficulty.Solver = "weak" if solver == "weak" else "strong"
        call = Call(item=row.row_id, purpose=f"calibrate.{solver}")
        draw = difficulty.programs(services.models, name, row.prompt, judge, call, used)
        scores[solver] = await difficulty.sample(name, draw, band)
        if scores[solver].fault:
            outcome, fault = "fault", scores[solver].fault
        elif difficulty.fails(name, scores[solver].scores, band):
            outcome = kind
        if outcome != "keep":
            break
    empty = difficulty.SolverScores()
    weak, strong = scores["weak"], scores.get("strong", empty)
    return row.model_copy(
        update={
            "outcome": outcome, "fault": fault, "weak_scores": weak.scores, "strong_scores": strong.scores,
            "responses_json": canonical_json([*weak.responses, *strong.responses]),
            "usage_json": canonical_json(used.view()),
        }
    )  # fmt: skip


def read(path: Path) -> Iterator[Calibrated]:
    """The rows of a file, unmeasured, each once.

    Raises:
        InputError: names the file and the row.
    """
    if not path.is_file():
        raise InputError(f"{path}: no such file; calibrate reads one JSONL or Parquet file")
    number = 0
    for number, data in enumerate(_raw(path), 1):
        yield _row(data, f"{path}: row {number}")
    if not number:
        raise InputError(f"{path}: holds no row")


def _raw(path: Path) -> Iterator[Any]:
    if path.suffix == ".parquet":
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(path) as file:
                for batch in file.iter_batches(batch_size=256):
                    yield from batch.to_pylist()
        except (OSError, pa.ArrowInvalid) as error:
            raise InputError(f"{path}: not a Parquet file ({error})") from error
        return
    with open(path, "rb") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                try:
                    yield json.loads(line)
                except ValueError as error:
                    raise InputError(f"{path}: line {number} is not JSON ({error})") from error


def _row(data: Any, where: str) -> Calibrated:
    if not isinstance(data, dict):
        raise InputError(f"{where}: a row is an object with prompt and verifier_json")
    raw, spec = data.get("prompt"), data.get("verifier_json") or data.get("verifier")
    if raw is None or spec is None:
        raise InputError(
            f"{where}: needs prompt and verifier_json (or verifier); has {', '.join(sorted(map(str, data)))}"
        )
    turns = [{"role": "user", "content": raw}] if isinstance(raw, str) else raw
    try:
        prompt = [Message.model_validate({k: v for k, v in turn.items() if v is not None}) for turn in turns]
        prompt = [turn.model_copy(update={"content": clean_text(turn.content)}) for turn in prompt]
    except (ValueError, AttributeError, TypeError) as error:
        raise InputError(f"{where}: prompt is neither a text nor a list of role and content") from error
    if not prompt or prompt[-1].role != "user":
        raise InputError(f"{where}: the prompt does not end on a user turn")
    try:
        parsed = parse_spec(spec if isinstance(spec, str) else json.dumps(spec))
    except InputError as error:
        raise InputError(f"{where}: {error}") from error
    if parsed.kind == "pytest":
        raise InputError(f"{where}: repository tasks need an agent; calibrate measures prompts answered by one reply")
    verifier = dump_spec(parsed)
    row_id = digest([[turn.to_openai() for turn in prompt], verifier], 24)
    return Calibrated(row_id=row_id, outcome="fault", prompt=prompt, verifier_json=verifier)
