"""The pool: filters, caps, order; duplicates in the spool; statistics; stored tasks run again."""

from tests.tasks.task_rows import ASSERTIONS, BUG, SMITH_ID, own, smith

from autointeract.execution import Execution
from autointeract.tasks import stage
from autointeract.tasks.candidate import Candidate, Refusal
from autointeract.tasks.commands import stats_lines, verify
from autointeract.tasks.pool import ordered, passes
from autointeract.tasks.readers import read_source
from autointeract.tasks.settings import PoolSettings, SourceSettings, TasksSettings
from autointeract.tasks.spool import Spool
from autointeract.workspace import Workspace

SETTINGS = TasksSettings()


def read(jsonl, *rows) -> list[Candidate | Refusal]:
    return list(read_source(SourceSettings(path=jsonl(*rows)), SETTINGS))


def strategy(name: str) -> dict:
    return smith(instance_id=SMITH_ID.replace("func_pm_op_change", name))


def test_function_level_filter(jsonl):
    names = ["func_pm_op_change", "lm_rewrite", "func_basic", "func_pm_class_rm_base", "combine_file", "class_basic"]
    rows = [*(strategy(name) for name in names), smith(instance_id="octo__shapes.1fd52536.pr_12")]
    kept = [item for item in read(jsonl, *rows) if isinstance(passes(item, PoolSettings()), Candidate)]  # type: ignore[arg-type]
    assert [item.meta["strategy"] for item in kept if isinstance(item, Candidate)] == names[:3]


def test_patch_and_suite_sizes(jsonl):
    (one,) = read(jsonl, smith())
    assert isinstance(one, Candidate)
    assert isinstance(passes(one, PoolSettings(max_patch_lines=1)), Refusal)
    assert isinstance(passes(one, PoolSettings(max_tests=1)), Refusal)
    two = BUG + BUG.replace("area.py", "other.py")
    (wide,) = read(jsonl, smith(patch=two))
    assert isinstance(wide, Candidate) and isinstance(passes(wide, PoolSettings()), Refusal)
    assert isinstance(passes(wide, PoolSettings(max_patch_files=2)), Candidate)


def test_order_is_seeded_stable_and_capped(jsonl, tmp_path):
    rows = [smith(instance_id=SMITH_ID + str(n), problem_statement=f"Issue {n}.") for n in range(12)]
    rows += [smith(instance_id=f"octo__rings.1fd52536.func_basic__{n}", problem_statement=f"{n}") for n in range(3)]

    def ids(seed: int, chosen: list, **pool) -> list[str]:
        with Spool(tmp_path) as spool:
            spool.add(read(jsonl, *chosen))
            return [entry.task_id for entry in ordered(spool.entries, PoolSettings(**pool), seed)]

    whole = ids(0, rows)
    assert len(whole) == 15 and whole != ids(1, rows) and whole == ids(0, rows[::-1])
    fewer = ids(0, rows[:9])
    assert [name for name in whole if name in fewer] == fewer
    capped = ids(0, rows, per_repo=2)
    assert len(capped) == 4 and [name for name in whole if name in capped] == capped


def test_second_ids_and_second_contents_are_refused(jsonl, tmp_path):
    rows = [own(), own(), own(statement="Other words."), own(task_id="twin")]
    with Spool(tmp_path) as spool:
        spool.add(read(jsonl, *rows))
        assert [entry.task_id for entry in spool.entries] == ["test/marks"]
        assert [refusal.reason for refusal in spool.refusals] == ["duplicate_id", "duplicate_id", "duplicate_content"]
        assert "the same task" in spool.refusals[0].detail and "another task" in spool.refusals[1].detail
        assert "test/marks" in spool.refusals[2].detail
        assert spool.read(spool.entries[0]).statement == own()["statement"]
    assert not list(tmp_path.glob("tmp*"))


async def test_stats_and_verify(jsonl, services, tmp_path, execution: Execution):
    workspace = Workspace(tmp_path / "ws")
    settings = TasksSettings.model_validate(
        {"sources": [jsonl(own(), own(task_id="bad", statement="Bad.", reference="def marks(v): return 1"))]}
    ).model_copy(update={"facts": "rules"})
    report = await stage.run(settings, workspace, services())
    workspace.save_report(report)
    lines = stats_lines(workspace)
    assert lines[0] == "tasks: 1" and f"tests a task: median {len(ASSERTIONS)}, 5 to 5" in lines
    assert any(line.startswith("  bad: broken: the reference fails") for line in lines)
    checks = [check async for check in verify(settings, workspace, execution)]
    assert [check.line for check in checks] == ["test/marks: holds"]
