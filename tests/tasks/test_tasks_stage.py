"""The stage on real sandboxes: what is admitted, what is refused and with which words, resume, order."""

from pathlib import Path

import pytest
from tests.tasks.task_rows import ASSERTIONS, REFERENCE, dolci, own

from autointeract.errors import ConfigError, InputError
from autointeract.records import parse_spec
from autointeract.tasks import stage
from autointeract.tasks.settings import PoolSettings, TasksSettings
from autointeract.workspace import Workspace


def settings(*paths: str, **changes) -> TasksSettings:
    return TasksSettings.model_validate({"sources": list(paths), "facts": "rules", **changes})


async def test_admits_good_and_refuses_bad_by_name_and_reason(jsonl, services, tmp_path):
    flaky = "import os\n\ndef marks(values):\n    return sum(v for v in values if v >= 0) + os.urandom(1)[0] % 2\n"
    source = jsonl(
        own(),
        dolci(solution=REFERENCE + "\n# other\n", prompt="user: Sum the marks of a whole class, losses left out."),
        own(task_id="wrong", statement="Wrong one.", reference="def marks(values):\n    return sum(values)\n"),
        own(task_id="stuck", statement="Stuck.", reference="def marks(values):\n    while True: pass\n"),
        own(task_id="flaky", statement="Flaky.", reference=flaky),
        own(task_id="empty", statement="Empty.", assertions=["assert marks([]) is None"], reference="def marks(v): 0"),
        own(task_id="guess", statement="Guess.", assertions=[*ASSERTIONS[:2], "assert marks([3]) == 3"]),
        own(task_id="names", statement="Names.", reference="def other(values):\n    return 1\n"),
        own(task_id="bare", statement="Bare.", reference=None),
    )  # fmt: skip
    workspace = Workspace(tmp_path / "ws")
    report = await stage.run(settings(source), workspace, services())
    rows = {row.task_id: row for row in workspace.tasks.rows()}
    assert set(rows) == {"test/marks", "dolci/marks"}
    assert report.complete and report.counts["tasks"] == 2
    refused = {item["name"]: item for item in report.details["refused"]}
    assert {name: item["reason"] for name, item in refused.items()} == {
        "wrong": "broken", "stuck": "slow", "flaky": refused["flaky"]["reason"], "empty": "trivial",
        "guess": "guessable", "names": "no_entry_point", "bare": "no_reference",
    }  # fmt: skip
    assert refused["flaky"]["reason"] in ("flaky", "broken")  # by luck it may fail at once
    assert "fails 2 of 5 tests, first `assert marks([-4, 2]) == 2`" in refused["wrong"]["detail"]
    assert any(note.startswith("wrong: broken: ") for note in report.notes)
    row = rows["test/marks"]
    assert row.entry_point == "marks" and row.interface == "`marks(values)`"
    assert [fact.text for fact in row.facts] == [
        "Add up the marks of a pupil.", "Marks below zero do not count.", "An empty list gives 0.",
        "marks([1, 2]) returns 3", "marks([-4, 2]) returns 2",
    ]  # fmt: skip
    assert row.public_cases == ASSERTIONS[:2]
    assert row.baseline_score == pytest.approx(0.2)
    assert parse_spec(row.verifier_json).kind == "assertions"
    assert row.reference == {"code": REFERENCE}


async def test_the_stored_verifier_gives_the_stored_scores_again(jsonl, services, tmp_path, execution):
    from autointeract.records import Submission

    workspace = Workspace(tmp_path / "ws")
    await stage.run(settings(jsonl(own())), workspace, services())
    row = next(iter(workspace.tasks.rows()))
    verdict = await execution.verify(row.verifier, Submission(text=f"```python\n{row.reference['code']}```"))
    assert verdict.score == 1.0 and verdict.trusted


async def test_second_run_reuses_lines_and_new_rows_cost_only_themselves(jsonl, services, tmp_path, monkeypatch):
    workspace = Workspace(tmp_path / "ws")
    many = [own(task_id=f"t{n}", statement=f"Sum of marks, variant {n}.") for n in range(6)]
    first = await stage.run(settings(jsonl(*many[:4])), workspace, services())
    before = [part.sha256 for part in workspace.tasks.manifest().parts]
    run = services()
    calls = []
    real = run.execution.verify_many
    monkeypatch.setattr(run.execution, "verify_many", lambda batch: calls.append(batch) or real(batch))
    again = await stage.run(settings(jsonl(*many[:4])), workspace, run)
    assert not calls and again.counts == first.counts
    assert [part.sha256 for part in workspace.tasks.manifest().parts] == before
    more = await stage.run(settings(jsonl(*many)), workspace, run)
    assert more.counts["tasks"] == 6 and len(calls) == 4  # two new tasks, two batches each


async def test_bytes_do_not_depend_on_concurrency_or_on_the_order_of_rows(jsonl, services, tmp_path):
    many = [own(task_id=f"t{n}", statement=f"Sum of marks, variant {n}.") for n in range(8)]
    shas = []
    for number, (rows, concurrency) in enumerate([(many, 1), (many[::-1], 7)]):
        workspace = Workspace(tmp_path / f"ws{number}")
        await stage.run(settings(jsonl(*rows)), workspace, services(concurrency=concurrency))
        shas.append([part.sha256 for part in workspace.tasks.manifest().parts])
    assert shas[0] == shas[1]


async def test_limit_keeps_the_shortest_prefix_and_a_higher_limit_keeps_its_tasks(jsonl, services, tmp_path):
    many = [own(task_id=f"t{n}", statement=f"Sum of marks, variant {n}.") for n in range(9)]
    workspace = Workspace(tmp_path / "ws")
    path = jsonl(*many)
    await stage.run(settings(path, pool=PoolSettings(limit=3).model_dump()), workspace, services())
    small = [row.task_id for row in workspace.tasks.rows()]
    await stage.run(settings(path, pool=PoolSettings(limit=5).model_dump()), workspace, services())
    large = [row.task_id for row in workspace.tasks.rows()]
    assert len(small) == 3 and len(large) == 5 and large[:3] == small


async def test_a_sandbox_fault_decides_nothing(jsonl, services, tmp_path, monkeypatch):
    from autointeract.errors import SandboxError
    from autointeract.records import Verdict

    workspace = Workspace(tmp_path / "ws")
    path = jsonl(own(), own(task_id="second", statement="Another sum."))
    run = services()
    real = run.execution.verify_many

    async def broken(batch):
        return [Verdict(score=None, status="fault", fault="sandbox", details=[{"message": "gone"}]) for _ in batch]

    monkeypatch.setattr(run.execution, "verify_many", broken)
    with pytest.raises(SandboxError, match="no task could be judged"):
        await stage.run(settings(path), workspace, run)
    monkeypatch.setattr(run.execution, "verify_many", real)
    report = await stage.run(settings(path), workspace, run)
    assert report.counts["tasks"] == 2 and not report.faults


async def test_clear_errors_for_sources(services, tmp_path: Path):
    workspace = Workspace(tmp_path / "ws")
    with pytest.raises(ConfigError, match=r"tasks\.sources is empty"):
        await stage.run(settings(), workspace, services())
    with pytest.raises(InputError, match=r"nowhere\.jsonl: no such file"):
        await stage.run(settings(str(tmp_path / "nowhere.jsonl")), workspace, services())
    (tmp_path / "none.jsonl").write_text("")
    with pytest.raises(InputError, match=r"none\.jsonl: holds no rows"):
        await stage.run(settings(str(tmp_path / "none.jsonl")), workspace, services())


async def test_the_hundred_real_problems(shared, services, tmp_path):
    workspace = Workspace(tmp_path / "ws")
    report = await stage.run(settings(str(shared / "tasks" / "humaneval_assertions.jsonl")), workspace, services())
    assert report.counts["candidates"] == 100
    assert report.counts["tasks"] + report.counts["refused"] == 100
    assert set(report.details["refused_by_reason"]) == {"guessable"}  # every refusal is explained, none is a failure
    assert len(report.details["refused"]) == report.counts["refused"] == 35
    assert all(row.baseline_score < 0.40 and row.facts and row.interface for row in workspace.tasks.rows())


async def test_the_bundled_tasks_are_all_admitted(root, services, tmp_path):
    workspace = Workspace(tmp_path / "ws")
    report = await stage.run(settings(str(root / "data" / "sample" / "tasks.jsonl")), workspace, services())
    assert report.counts["tasks"] == report.counts["candidates"] >= 40


async def test_a_stopped_run_goes_on_to_the_same_bytes(jsonl, services, tmp_path, monkeypatch):
    many = [own(task_id=f"t{n}", statement=f"Sum of marks, variant {n}.") for n in range(8)]
    path = jsonl(*many)
    whole, cut = Workspace(tmp_path / "whole"), Workspace(tmp_path / "cut")
    await stage.run(settings(path), whole, services())
    run = services(concurrency=2)
    real = run.execution.verify_many
    calls = []

    async def until(batch):
        calls.append(batch)
        if len(calls) == 4:
            run.engine.request_stop("signal")
        return await real(batch)

    monkeypatch.setattr(run.execution, "verify_many", until)
    first = await stage.run(settings(path), cut, run)
    assert not first.complete and 0 < first.counts["tasks"] < 8
    assert first.notes[-1] == "stopped early: signal; run again to go on"
    assert not cut.tasks.manifest().complete
    second = await stage.run(settings(path), cut, services())
    assert second.complete and second.counts["tasks"] == 8
    shas = [[part.sha256 for part in workspace.tasks.manifest().parts] for workspace in (whole, cut)]
    assert shas[0] == shas[1]


async def test_what_nobody_can_judge_now_is_named_and_tried_again(jsonl, services, tmp_path, monkeypatch):
    workspace = Workspace(tmp_path / "ws")
    path = jsonl(own(), own(task_id="other", statement="Another sum."))
    run = services()
    real = run.execution.verify_many

    async def missing(batch):
        if "archive" in calls or calls.append("archive"):
            return await real(batch)
        raise InputError("testlib.h is missing; set execution.testlib")

    calls: list[str] = []
    monkeypatch.setattr(run.execution, "verify_many", missing)
    report = await stage.run(settings(path), workspace, run)
    assert report.counts["tasks"] == 1 and report.faults == {"verifier": 1}
    assert any("not judged: testlib.h is missing" in note for note in report.notes)
    monkeypatch.setattr(run.execution, "verify_many", real)
    assert (await stage.run(settings(path), workspace, run)).counts["tasks"] == 2


def test_the_published_schema_names_the_readers_keys(root):
    import json

    from autointeract.tasks.readers.own import KEYS

    schema = json.loads((root / "docs" / "task-schema.json").read_text())
    assert set(schema["properties"]) == KEYS
