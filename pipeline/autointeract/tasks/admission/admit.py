"""Admits one candidate or says why not, by running it: gold must score 1.0 and the empty state must not, every time.

Order of the checks is the order of their cost: the gold solution once, then everything else in one batch. A fault of
the sandbox decides nothing: the candidate stays unknown and is owed again by the next run.
"""

from fnmatch import fnmatchcase

from autointeract.execution import Execution
from autointeract.records import AssertionsSpec, PytestSpec, Submission, Verdict, VerifierSpec
from autointeract.tasks.admission.answers import Constant, code_submission, constants, empty, gold
from autointeract.tasks.admission.found import Admitted, Unknown, unknown
from autointeract.tasks.admission.repository import admit_repository, state_of
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.decompose import interface_of
from autointeract.tasks.decompose.interface import definitions, entry_point_of
from autointeract.tasks.readers.context import one_line
from autointeract.tasks.settings import TasksSettings


async def admit(candidate: Candidate, execution: Execution, settings: TasksSettings) -> Admitted | Refusal | Unknown:
    """Runs the candidate and decides."""
    prepared = prepare(candidate)
    if isinstance(prepared, Refusal):
        return prepared
    candidate, interface = prepared
    if isinstance(candidate.spec, PytestSpec):
        state = state_of(candidate)

        async def judge_suite(spec: PytestSpec, submissions: list[Submission]) -> list[Verdict]:
            return await execution.verify_many([(spec, one, state) for one in submissions])

        return await admit_repository(candidate, interface, candidate.spec, judge_suite, settings)
    spec = candidate.spec

    async def judge(submissions: list[Submission]) -> list[Verdict]:
        return await execution.verify_many([(spec, one, None) for one in submissions])

    first = (await judge([gold(candidate, 0)]))[0]
    problem = unknown([first]) or _gold_problem(candidate, first)
    if problem:
        return problem
    guesses = constants(candidate, settings.constants)
    again = range(1, settings.runs)
    batch = [gold(candidate, run) for run in again] + [empty(candidate, run) for run in range(settings.runs)]
    batch += [code_submission(guess.code, candidate.spec, 0) for guess in guesses[:1]]
    verdicts = await judge(batch)
    golds, rest = [first, *verdicts[: len(again)]], verdicts[len(again) :]
    empties, guessed = rest[: settings.runs], rest[settings.runs :]
    for guess in guesses[1:]:  # further constants only where they could beat the first
        best = max(verdict.score or 0.0 for verdict in guessed)
        if guess.share + guess.open_share > best:
            guessed += await judge([code_submission(guess.code, candidate.spec, 0)])
    problem = unknown([*golds, *empties, *guessed]) or _problem(
        candidate, golds, empties, list(zip(guesses, guessed, strict=False)), settings
    )
    if problem:
        return problem
    baseline = max((verdict.score or 0.0 for verdict in [*guessed, *empties]), default=0.0)
    verified = {
        "gold": [verdict.score for verdict in golds], "empty": [verdict.score for verdict in empties],
        "total": first.total, "trusted": first.trusted,
    }  # fmt: skip
    return Admitted(candidate=candidate, interface=interface, baseline=baseline, verified=verified)


def prepare(candidate: Candidate) -> tuple[Candidate, str] | Refusal:
    """The candidate with its entry point found, and its interface; refused where it cannot be verified at all."""
    spec = candidate.spec
    reference = candidate.reference or {}
    kind = "patch" if spec.kind == "pytest" else "code"
    if not reference.get(kind, "").strip():
        return candidate.refuse("no_reference", f"no gold {kind}: without it nothing can be verified")
    if isinstance(spec, AssertionsSpec):
        entry = candidate.entry_point or entry_point_of(spec, reference["code"])
        if entry is None:
            return candidate.refuse("no_entry_point", "the assertions call no function that the reference defines")
        if candidate.entry_point and definitions(reference["code"]) and entry not in definitions(reference["code"]):
            return candidate.refuse("broken", f"the reference does not define the entry point {one_line(entry, 80)}")
        spec = spec.model_copy(update={"entry_point": entry})
        candidate = candidate.model_copy(update={"spec": spec, "entry_point": entry})
    interface = candidate.interface or interface_of(
        candidate.statement, spec, reference.get("code"), candidate.entry_point, candidate.repo
    )
    if interface is None:
        return candidate.refuse("no_entry_point", "no interface can be told from statement, assertions and reference")
    return candidate, interface


def _gold_problem(candidate: Candidate, verdict: Verdict) -> Refusal | None:
    if verdict.status == "tampered":
        return candidate.refuse("tampered", "running the reference set off the tamper guards")
    if verdict.score is not None and verdict.score >= 1.0:
        return None
    states = [str(unit.get("status")) for unit in verdict.details]
    if verdict.status == "timeout" or "timeout" in states:
        at = states.index("timeout") if "timeout" in states else 0
        return candidate.refuse("slow", f"the reference runs out of time on test {at + 1} of {verdict.total}")
    if verdict.status != "ok":
        return candidate.refuse("broken", f"the reference cannot be run: {verdict.status}{_why(verdict)}")
    at = next((number for number, state in enumerate(states) if state != "passed"), 0)
    failed = verdict.total - verdict.passed
    shown = _unit(candidate.spec, at)
    return candidate.refuse("broken", f"the reference fails {failed} of {verdict.total} tests, first {shown}")


def _problem(
    candidate: Candidate, golds: list[Verdict], empties: list[Verdict], guessed: list[tuple[Constant, Verdict]],
    settings: TasksSettings,
) -> Refusal | None:  # fmt: skip
    if len({verdict.score for verdict in golds}) > 1 or len({verdict.score for verdict in empties}) > 1:
        scores = f"gold {[verdict.score for verdict in golds]}, empty {[verdict.score for verdict in empties]}"
        return candidate.refuse("flaky", f"equal runs give different scores: {scores}")
    if max((verdict.score or 0.0) for verdict in empties) >= 1.0:
        return candidate.refuse("trivial", "the empty state passes every test")
    allowed = any(fnmatchcase(candidate.task_id, pattern) for pattern in settings.allow_untrusted)
    if not all(verdict.trusted for verdict in golds) and not allowed:
        return candidate.refuse(
            "untrusted", "some test can only be judged inside the candidate's own process (allow_untrusted admits it)"
        )
    shown, best = "None", max((verdict.score or 0.0) for verdict in empties)
    for guess, verdict in guessed:
        if (verdict.score or 0.0) > best:
            shown, best = guess.shown, verdict.score or 0.0
    if best >= settings.max_baseline:
        answer = one_line(shown, 60)
        return candidate.refuse(
            "guessable", f"the constant answer {answer} scores {best:.2f}, the limit is {settings.max_baseline:.2f}"
        )
    return None


def _unit(spec: VerifierSpec, at: int) -> str:
    if isinstance(spec, AssertionsSpec) and at < len(spec.assertions):
        return f"`{one_line(spec.assertions[at], 120)}`"
    return f"number {at + 1}"


def _why(verdict: Verdict) -> str:
    for unit in verdict.details:
        for key in ("error", "message", "detail"):
            if unit.get(key):
                return f" ({one_line(str(unit[key]), 120)})"
    return ""
