"""`calibrate`: the band alone, for prompts that people already have; nothing is simulated.

In: prompts with verifiers (`calibrate_rows`). Out: the dataset `calibrated`, one row each: both solvers' scores, and
whether the row lies in the band. Resumable like every stage; rows whose scores a provider or a sandbox left unknown are
taken up again by the next run.
"""

import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from autointeract.errors import ProviderError, SandboxError, SandboxUnavailableError, WorkspaceError
from autointeract.models import Call
from autointeract.models.simulated import solvers  # noqa: F401 - registers responders
from autointeract.records import (
    Message,
    StageReport,
    Submission,
    Verdict,
    canonical_json,
    digest,
    parse_spec,
)  # fmt: skip
from autointeract.records.message import MESSAGE
from autointeract.records.row import FLOATS, TEXT, Row
from autointeract.records.vocabulary import INFRASTRUCTURE
from autointeract.services import Services
from autointeract.synthesis import difficulty
from autointeract.synthesis.calibrate_rows import Prompts
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
    """Measures every row of a file, or of a folder of files.

    Raises:
        InputError: nothing can be read, or a row is unusable (named by its number).
        WorkspaceError: simulated solvers without an answer book.
    """
    started = time.monotonic()
    simulated = any(services.models.endpoint(role).simulated for role in ("weak", "strong"))
    if simulated and not workspace.tasks.exists():
        raise WorkspaceError(
            "simulated solvers answer from the workspace's dataset `tasks`, and there is none: run `tasks` first, or "
            "name real models for weak and strong"
        )
    prompts = Prompts(path)
    rows: dict[str, Calibrated] = {}
    for prompt, verifier in prompts:
        row_id = digest([[turn.to_openai() for turn in prompt], verifier], 24)
        rows[row_id] = Calibrated(row_id=row_id, outcome="fault", prompt=prompt, verifier_json=verifier)
    plan = [PlannedItem(key=row_id, input_digest=row_id) for row_id in rows]
    models = {role: services.models.identity(role) for role in ("weak", "strong")}
    view = {"band": band.result_view(), "seed": services.seed, "models": models}
    with StageRun.open(workspace, "calibrate", view, services.resume) as stage:

        async def work(item: PlannedItem) -> dict[str, Any]:
            return (await _measure(rows[item.key], band, services)).model_dump(mode="json")

        def done(item: PlannedItem, value: dict[str, Any]) -> None:
            stage.journal.put(item.key, item.input_digest, value)

        left = {item.key for item in stage.owed(plan)}
        left |= {item.key for item, value in stage.finished(plan) if value.get("fault") in INFRASTRUCTURE}
        owed = [item for item in plan if item.key in left]
        wanted = max(64, 2 * services.models.most_in_flight(("weak", "strong")))
        stop = await services.engine.map(owed, work, done, total=len(owed), wanted=wanted)
        counts: Counter[str] = Counter()
        faults: Counter[str] = Counter()

        def measured(value: dict[str, Any]) -> Iterator[Calibrated]:
            row = Calibrated.model_validate(value)
            counts[row.outcome] += 1
            if row.outcome == "fault":
                faults[row.fault or "unknown"] += 1
            yield row

        dataset = workspace.dataset("calibrated", Calibrated)
        stage.compact(plan, dataset, measured, inputs={"file": digest(list(rows))}, complete=stop is None)
    return StageReport(
        stage="calibrate", complete=stop is None, seconds=time.monotonic() - started,
        counts={"rows": len(plan), **{name: counts[name] for name in OUTCOMES}},
        notes=_notes(counts, faults, prompts.agents, len(plan), stop.reason if stop else None),
        faults=dict(sorted(faults.items())), usage=services.models.usage_report(),
    )  # fmt: skip


def _notes(counts: Counter[str], faults: Counter[str], agents: int, rows: int, stopped: str | None) -> list[str]:
    notes = [f"{counts['keep']} of {rows} rows lie in the band"]
    if agents:
        notes.append(f"{agents} rows are repository tasks, which need an agent: left out")
    if broken := sum(count for name, count in faults.items() if name in INFRASTRUCTURE):
        notes.append(f"{broken} scores are unknown, a sandbox or a provider failed: run again to take them up")
    if stopped:
        notes.append(f"stopped early: {stopped}; run again to go on")
    return notes


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
        try:
            scores[solver] = await difficulty.sample(name, draw, band)
        except SandboxUnavailableError:
            raise
        except (ProviderError, SandboxError) as error:
            boundary = "provider" if isinstance(error, ProviderError) else "sandbox"
            scores[solver] = difficulty.SolverScores(fault=boundary, detail=str(error)[:300])
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
