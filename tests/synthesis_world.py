"""A small world for tests of synthesis: tasks, profiles, a workspace, an execution without a sandbox, a stage run.

`InProcess` runs code in this very process, under an alarm: only for code written here (the sample tasks and their
mutants). The real sandboxes have their own tests.
"""

import ast
import contextlib
import io
import json
import signal
from functools import lru_cache
from pathlib import Path
from typing import Any

import hypothesis

from autointeract.engine import Engine, EngineSettings
from autointeract.execution.extract import extract_code
from autointeract.models.door import Models
from autointeract.models.settings import ModelsSettings, RoleSettings
from autointeract.records import (
    AssertionsSpec,
    Message,
    Profile,
    SourceTask,
    StageReport,
    Verdict,
    canonical_json,
    digest,
    dump_spec,
)  # fmt: skip
from autointeract.services import Services
from autointeract.synthesis import stage
from autointeract.synthesis.generator import Cast
from autointeract.synthesis.sampling import Item
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.workspace import Workspace

hypothesis.settings.register_profile("unhurried", deadline=None)
hypothesis.settings.load_profile("unhurried")  # no timed asserts: machines are shared

ROOT = Path(__file__).resolve().parent.parent


class InProcess:
    """Judges assertions here; counts what it really ran."""

    def __init__(self) -> None:
        self.ran = 0

    async def verify(self, spec: Any, submission: Any, state: Any = None) -> Verdict:
        """The share of assertions that pass."""
        code = extract_code(submission.text or "", spec.entry_point)
        if code is None:
            return Verdict(score=0.0, total=len(spec.assertions), status="no_code")
        self.ran += 1
        passed = _judge(code, tuple(spec.assertions))
        details = [{"status": "passed" if good else "failed"} for good in passed]
        return Verdict(score=sum(passed) / len(passed), passed=sum(passed), total=len(passed), details=details)

    async def close(self) -> None:
        """Nothing to give back."""


@lru_cache(maxsize=4096)
def _judge(code: str, assertions: tuple[str, ...]) -> list[bool]:
    results = []
    for assertion in assertions:
        try:
            with _alarm(0.2), contextlib.redirect_stdout(io.StringIO()):
                names: dict[str, Any] = {}
                exec(compile(ast.parse(code), "candidate", "exec"), names)
                exec(assertion, names)
            results.append(True)
        except BaseException:
            results.append(False)
    return results


@contextlib.contextmanager
def _alarm(seconds: float):
    def ring(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, ring)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, 0.05)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def sample_tasks(count: int | None = None) -> list[SourceTask]:
    """The bundled sample tasks."""
    lines = (ROOT / "data" / "sample" / "tasks.jsonl").read_text(encoding="utf-8").splitlines()
    return [task_of(json.loads(line)) for line in lines][:count]


def task_of(data: dict[str, Any], **changes: Any) -> SourceTask:
    """A task from the sample format."""
    spec = AssertionsSpec(entry_point=data["entry_point"], assertions=data["assertions"])
    fields: dict[str, Any] = {
        "task_id": data["task_id"], "domain": "algorithmic", "source": data.get("source", "test"), "license": "MIT",
        "statement": data["statement"], "interface": data["interface"], "entry_point": data["entry_point"],
        "reference_json": canonical_json({"code": data["reference"]}), "verifier_json": dump_spec(spec),
        "facts_json": canonical_json(data["facts"]), "public_cases_json": canonical_json(data["public_cases"]),
    }  # fmt: skip
    return SourceTask(**(fields | changes))


TASK = {
    "task_id": "t/fee", "statement": "Compute the fee. Stays below 3 hours are free. The fee never exceeds 90.",
    "interface": "`fee(hours: int, rate: int) -> int`", "entry_point": "fee",
    "reference": "def fee(hours, rate):\n    if hours < 3:\n        return 0\n"
                 "    capped_total = min(hours * rate, 90)\n    return capped_total\n",
    "assertions": [f"assert fee({hours}, {rate}) == {0 if hours < 3 else min(hours * rate, 90)}"
                   for hours, rate in [(1, 7), (3, 5), (4, 9), (50, 11), (2, 90), (10, 8)]],
    "facts": [{"id": "f1", "text": "Compute the fee as hours times rate."},
              {"id": "f2", "text": "Stays below 3 hours are free."},
              {"id": "f3", "text": "The fee never exceeds 90."}],
    "public_cases": ["assert fee(3, 5) == 15"],
}  # fmt: skip
"""A task small enough to be read at a glance."""


def profiles(count: int = 4) -> list[Profile]:
    """Profiles of different habits."""
    made = []
    for number in range(count):
        settings = {
            "vagueness": number / max(count - 1, 1), "pushback": 0.3, "requirement_change": 0.2,
            "verbosity": (number % 3) / 2, "expertise": 0.5, "reveal": {"first_turn": 0.6}, "style": {},
        }  # fmt: skip
        text = f"Developer {number} writes short messages."
        made.append(
            Profile(
                profile_id=digest([text, settings], 16),
                user_id=f"u{number}",
                niche=f"mid/low/low/low/{number % 2}",
                text=text,
                settings_json=canonical_json(settings),
                weight=1 / count,
            )
        )
    return made


def workspace(path: Path, tasks: list[SourceTask] | None = None) -> Workspace:
    """A workspace with tasks and profiles."""
    made = Workspace(path)
    if not made.tasks.exists():
        made.tasks.write(
            [tasks if tasks is not None else sample_tasks(8)], stage="tasks", stage_digest="t", inputs={}, complete=True
        )
        made.profiles.write([profiles()], stage="profile", stage_digest="p", inputs={}, complete=True)
    return made


def door(folder: Path, seed: int = 3, book: Path | None = None, **roles: str) -> Models:
    """Models: simulated, except the roles named here."""
    settings = ModelsSettings(
        default=RoleSettings(model="simulated/default"),
        **{role: RoleSettings(model=name) for role, name in roles.items()},  # type: ignore[arg-type]
    )
    return Models(settings, folder=folder, seed=seed, answer_book=book)


async def run_stage(
    where: Workspace, settings: SynthesisSettings, *, concurrency: int | None = 8, resume: Any = "auto",
    execution: Any = None, models: Models | None = None, seed: int = 3, engine: Engine | None = None,
) -> StageReport:  # fmt: skip
    """One run of the stage `synthesize`."""
    judge: Any = execution or InProcess()
    async with models or door(where.root, seed, where.root / "tasks") as opened:
        services = Services(
            models=opened, engine=engine or Engine(EngineSettings(concurrency=concurrency)), execution=judge,
            seed=seed, resume=resume, config_sha="c",
        )  # fmt: skip
        return await stage.run(settings, where, services)


def cast(task: SourceTask | None = None, scenario: str = "clarify_after_solution", **changes: Any) -> Cast:
    """Who plays in one item."""
    task = task or task_of(TASK)
    profile = profiles()[0]
    fields: dict[str, Any] = {
        "item_id": "item", "task_id": task.task_id, "profile_id": profile.profile_id, "prompt_id": "p",
        "scenario": scenario, "draw": 0, "null_arm": False, "full": False,
    }  # fmt: skip
    return Cast(Item(**(fields | changes)), task, profile, "Play a developer.")


def dataset_bytes(where: Workspace) -> dict[str, bytes]:
    """Every Parquet file of what the stage writes, by name."""
    return {
        f"{name}/{path.name}": path.read_bytes()
        for name in ("attempts", "trajectories")
        for path in sorted((where.root / name).glob("*.parquet"))
    }


def user(text: str) -> Message:
    """A user turn."""
    return Message(role="user", content=text)


def assistant(text: str) -> Message:
    """An assistant turn."""
    return Message(role="assistant", content=text)
