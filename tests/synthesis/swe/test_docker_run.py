"""The stage on repository tasks with real containers: the same bytes at any concurrency, killed or not."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from repository_world import task

from autointeract.execution import Execution, ExecutionSettings
from autointeract.records import Submission, load_json, parse_spec
from autointeract.records.verifier import State
from autointeract.synthesis.settings import SynthesisSettings
from autointeract.workspace import Workspace
from synthesis_world import dataset_bytes, run_stage, workspace

pytestmark = pytest.mark.docker
SETTINGS = SynthesisSettings.model_validate(
    {"rounds": 1, "draws": 2, "max_user_turns": 3, "null_share": 0.5, "confirm_share": 0, "full_share": 0,
     "swe": {"steps": 12}}
)  # fmt: skip
TESTS = Path(__file__).resolve().parents[2]


async def whole_run(folder: Path, image: str, concurrency: int):
    """The stage with real containers for agents and for verdicts."""
    where = workspace(folder, [task(image=image)])
    settings = ExecutionSettings(backend="docker", lanes=1, swe_lanes=2)
    async with Execution(settings, cache_path=folder / "verdicts.sqlite", blob_path=folder / "blobs") as execution:
        report = await run_stage(where, SETTINGS, concurrency=concurrency, execution=execution)
    return where, report


@pytest.fixture(scope="module")
def made(image, tmp_path_factory):
    """One finished run, one item at a time."""
    return asyncio.run(whole_run(tmp_path_factory.mktemp("made"), image, 1))


async def test_scores_are_those_that_verifying_again_gives(made, image):
    where, report = made
    rows = list(where.attempts.rows())
    assert report.counts["items"] == 2 and not report.faults.get("sandbox")
    answers = [
        (row, entry) for row in rows for entry in load_json(row.responses_json) if entry.get("patch") is not None
    ]
    assert answers
    spec = parse_spec(task(image=image).verifier_json)
    async with Execution(ExecutionSettings(backend="docker", lanes=1)) as execution:
        for row, entry in answers[:4]:
            state = State(image=image, repo_state=row.repo_state or "")
            verdict = await execution.verify(spec, Submission(patch=entry["patch"]), state)
            assert verdict.score == entry["verdict"]["score"]


async def test_bytes_do_not_depend_on_concurrency(made, image, tmp_path):
    where, _ = await whole_run(tmp_path, image, 4)
    assert dataset_bytes(where) == dataset_bytes(made[0])


async def test_killed_and_resumed_gives_the_same_bytes(made, image, tmp_path):
    code = (
        f"import asyncio, os, signal, sys\nsys.path[:0] = {[str(TESTS), str(TESTS / 'synthesis' / 'swe')]!r}\n"
        "from pathlib import Path\nfrom autointeract.workspace.journal import Journal\nimport test_docker_run as here\n"
        "put = Journal.put\n"
        "def dying(self, *args):\n    put(self, *args); os.kill(os.getpid(), signal.SIGKILL)\n"
        "Journal.put = dying\n"
        f"asyncio.run(here.whole_run(Path({str(tmp_path)!r}), {image!r}, 2))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env={**os.environ}, capture_output=True, timeout=300, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr.decode()[-2000:]
    lines = Workspace(tmp_path).journal_path("synthesize").read_bytes().splitlines()
    assert len(lines) == 2 and json.loads(lines[0])["item"]["header"]  # and one finished attempt
    where, _ = await whole_run(tmp_path, image, 3)
    assert dataset_bytes(where) == dataset_bytes(made[0])
