"""`calibrate`: the band on prompts that people bring."""

import asyncio
import json
from types import SimpleNamespace
from typing import Any

import pytest

from autointeract.engine import Engine, EngineSettings
from autointeract.errors import InputError, SandboxError
from autointeract.publish import export_stage
from autointeract.publish.settings import ExportSettings
from autointeract.records import PytestSpec, dump_spec, load_json
from autointeract.services import Services
from autointeract.synthesis import calibrate
from autointeract.synthesis.calibrate_rows import Prompts
from autointeract.synthesis.settings import BandSettings
from synthesis_world import InProcess, door, sample_tasks, workspace
from trajectory_rows import tool_prompt, trajectory

TASKS = sample_tasks(6)


def rows() -> list[dict]:
    made = []
    for number, task in enumerate(TASKS):
        said = "\n".join(fact.text for fact in task.facts)
        prompt = (
            f"write {task.interface}\n{said}"
            if number % 2
            else [{"role": "user", "content": f"write {task.interface}"}]
        )
        made.append({"prompt": prompt, "verifier_json": task.verifier_json})
    return made


async def run(path, where, execution: Any = None):
    async with door(where.root, 3, where.root / "tasks") as models:
        execution = execution or InProcess()
        services = Services(models=models, engine=Engine(EngineSettings()), execution=execution, seed=3)
        return await calibrate.run(path, BandSettings(), where, services)


@pytest.mark.parametrize("kind", ["jsonl", "parquet"])
async def test_rows_are_measured_and_sorted_out(tmp_path, kind):
    where = workspace(tmp_path / "w", TASKS)
    path = tmp_path / f"prompts.{kind}"
    if kind == "jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    else:
        import pyarrow as pa
        import pyarrow.parquet as pq

        texts = [{**row, "prompt": row["prompt"] if isinstance(row["prompt"], list) else
                  [{"role": "user", "content": row["prompt"]}]} for row in rows()]  # fmt: skip
        pq.write_table(pa.Table.from_pylist(texts), path)
    report = await run(path, where)
    found = list(where.dataset("calibrated", calibrate.Calibrated).rows())
    assert report.counts["rows"] == len(found) == 6 and report.counts["fault"] == 0
    assert {row.outcome for row in found} == {"too_easy", "too_hard"}  # all said at once, or nothing said
    for row in found:
        scores = [entry["verdict"]["score"] for entry in load_json(row.responses_json)]
        assert scores == [*row.weak_scores, *row.strong_scores]
    again = await run(path, where)
    assert again.usage["calls"] == 0 and again.counts == report.counts


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "holds no row"),
        ("not json\n", "line 1 is not JSON"),
        ("[1]\n", "row 1: a row is an object"),
        ('{"prompt": "x"}\n', "needs prompt and verifier_json"),
        ('{"prompt": [{"role": "assistant", "content": "x"}], "verifier": {}}\n', "does not end on a user turn"),
        ('{"prompt": [3], "verifier": {}}\n', "neither a text nor a list"),
        ('{"prompt": "x", "verifier": {"kind": "magic"}}\n', "verifier_json"),
    ],
)
def test_bad_files_are_named(tmp_path, text, message):
    path = tmp_path / "p.jsonl"
    path.write_text(text)
    with pytest.raises(InputError, match=message):
        list(Prompts(path))


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(Prompts(tmp_path / "none.jsonl"))


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """A workspace with accepted trajectories of both domains, exported in every format that holds prompts."""
    where = workspace(tmp_path_factory.mktemp("exported"), TASKS)
    rows = [trajectory(n, verifier_json=task.verifier_json) for n, task in enumerate(TASKS)]
    spec = PytestSpec(fail_to_pass=["t.py::test_a"], pass_to_pass=[])
    rows.append(trajectory(9, verifier_json=dump_spec(spec), domain="swe", image="shop", prompt=tool_prompt({"a": 1})))
    where.trajectories.write([rows], stage="synthesize", stage_digest="d", inputs={}, complete=True)
    settings = ExportSettings(formats=["rl", "verifiers", "messages"], rows_per_shard=2)
    asyncio.run(export_stage.run(settings, where, SimpleNamespace(seed=5)))  # type: ignore[arg-type]
    return where, {row.verifier_json: row.prompt for row in rows[:-1]}


@pytest.mark.parametrize("place", ["trajectories", "export/rl", "export/verifiers", "export/messages"])
def test_our_own_datasets_and_exports_are_read(exported, place):
    where, expected = exported
    prompts = Prompts(where.root / place)
    found = {verifier: prompt for prompt, verifier in prompts}
    assert found == expected and prompts.agents == 1


async def test_a_calibrated_export_leaves_agents_out_and_says_so(exported, tmp_path):
    where, expected = exported
    report = await run(where.root / "export" / "rl", workspace(tmp_path, TASKS))
    assert report.counts["rows"] == len(expected) and "need an agent" in report.notes[1]
    with pytest.raises(InputError, match="need an agent"):
        list(Prompts(where.root / "export" / "rl" / "tools"))


class Flaky(InProcess):
    """A sandbox that breaks a few times."""

    def __init__(self, breaks: int):
        super().__init__()
        self.breaks = breaks

    async def verify(self, spec: Any, submission: Any, state: Any = None):
        self.breaks -= 1
        if self.breaks >= 0:
            raise SandboxError("gone")
        return await super().verify(spec, submission, state)


async def test_a_broken_sandbox_is_a_fault_that_the_next_run_cures(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()))
    healthy = workspace(tmp_path / "healthy", TASKS)
    await run(path, healthy)
    where = workspace(tmp_path / "w", TASKS)
    report = await run(path, where, Flaky(3))
    assert 1 <= report.counts["fault"] == report.faults["sandbox"] <= 3 and "run again" in report.notes[-1]
    report = await run(path, where)
    assert report.counts["fault"] == 0 and not report.faults
    read = [list(w.dataset("calibrated", calibrate.Calibrated).rows()) for w in (where, healthy)]
    assert read[0] == read[1]
