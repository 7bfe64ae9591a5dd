"""`calibrate`: the band on prompts that people bring."""

import json

import pytest

from autointeract.engine import Engine, EngineSettings
from autointeract.errors import InputError
from autointeract.records import load_json
from autointeract.services import Services
from autointeract.synthesis import calibrate
from autointeract.synthesis.settings import BandSettings
from synthesis_world import InProcess, door, sample_tasks, workspace

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


async def run(path, where):
    async with door(where.root, 3, where.root / "tasks") as models:
        execution: object = InProcess()
        services = Services(models=models, engine=Engine(EngineSettings()), execution=execution, seed=3)  # type: ignore[arg-type]
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
        list(calibrate.read(path))


def test_missing_file(tmp_path):
    with pytest.raises(InputError, match="no such file"):
        list(calibrate.read(tmp_path / "none.jsonl"))
