"""Exit codes of stages that end with nothing, and the seed that a command runs with."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.trajectory_rows import trajectory

from autointeract.records import StageReport
from autointeract.workspace import PlannedItem, StageRun, Workspace

TASK = {
    "task_id": "t/one", "statement": "Write `area(w, h)`. It gives the area of a rectangle. Negative sides count as 0.",
    "reference": "def area(w, h):\n    return max(w, 0) * max(h, 0)\n",
    "assertions": ["assert area(2, 3) == 6", "assert area(-1, 3) == 0", "assert area(5, 5) == 25",
                   "assert area(1, 7) == 7", "assert area(4, 2) == 8"],
}  # fmt: skip


def cli(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "autointeract", *words], capture_output=True, text=True, cwd=cwd, timeout=100
    )


def made_with(seed: int, folder: Path, rows: int = 3) -> Workspace:
    """A workspace whose synthesize stage ran with `seed`."""
    workspace = Workspace(folder / "w")
    with StageRun.open(workspace, "synthesize", {"seed": seed}) as stage:
        stage.journal.put("a", "b", {})
        plan = [PlannedItem(key="a", input_digest="b")]
        found = [trajectory(number) for number in range(rows)]
        stage.compact(plan, workspace.trajectories, lambda _: found, inputs={})
    return workspace


def test_tasks_of_which_none_is_admitted_end_with_2_and_the_reasons(tmp_path):
    (tmp_path / "t.jsonl").write_text(json.dumps({**TASK, "reference": "def area(w, h):\n    return 1\n"}) + "\n")
    done = cli("tasks", "-c", 'tasks.sources=["t.jsonl"]', "-w", "w", cwd=tmp_path)
    assert done.returncode == 2
    assert "t/one: broken" in done.stdout
    assert done.stderr.startswith("autointeract: tasks: no task was admitted")
    assert Workspace(tmp_path / "w").tasks.manifest().rows == 0
    (tmp_path / "t.jsonl").write_text(json.dumps(TASK) + "\n")
    again = cli("tasks", "-c", 'tasks.sources=["t.jsonl"]', "-w", "w", cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")


def test_an_export_of_nothing_ends_with_2(tmp_path):
    made_with(0, tmp_path, rows=0)
    done = cli("export", "-w", "w", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (2, "autointeract: export: the files hold no row\n")


def test_every_exit_code_is_in_the_table_of_the_docs(root):
    from autointeract import errors

    kinds = [kind for kind in vars(errors).values() if isinstance(kind, type) and hasattr(kind, "exit_code")]
    codes = {kind.exit_code for kind in kinds} | {0}
    table = re.findall(r"^\| (\d) \|", (root / "docs/how-to/cron.md").read_text(), re.M)
    assert {int(code) for code in table} == codes


@pytest.mark.parametrize(
    ("words", "seed", "said"),
    [
        ([], 41, "seed 41: that of synthesize in this workspace (none was given)"),
        (["-c", "seed=41"], 41, ""),
        (["--seed", "5"], 5, "seed 5 was given, but this workspace was made with: synthesize 41"),
    ],
)
def test_export_takes_the_seed_of_the_run_it_exports(tmp_path, words, seed, said):
    made_with(41, tmp_path)
    done = cli("export", "-w", "w", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert json.loads((tmp_path / "w/export/manifest.json").read_text())["seed"] == seed
    assert said in done.stdout and ("seed" in done.stdout) == bool(said)


def test_status_says_the_seed(tmp_path):
    made_with(41, tmp_path)
    assert "seed           41\n" in cli("status", "-w", "w", cwd=tmp_path).stdout


def test_status_says_what_went_wrong(tmp_path):
    workspace = made_with(0, tmp_path)
    workspace.save_report(StageReport(stage="synthesize", faults={"sandbox": 2}, complete=False))
    (tmp_path / "w/stages/tasks.json").write_text("{")
    said = cli("status", "-w", "w", cwd=tmp_path).stdout
    assert "synthesize     faults: 2 sandbox (the sandbox broke: no score, never a wrong answer)" in said
    assert "synthesize     stopped early: run the same command again" in said
    assert "tasks          its report is damaged" in said


def test_a_stage_on_what_another_left_unfinished_says_so(tmp_path):
    workspace = made_with(0, tmp_path)
    rows = list(workspace.trajectories.rows())
    assert "works on what there is" not in cli("export", "-w", "w", cwd=tmp_path).stdout
    workspace.trajectories.write([rows[:2]], stage="synthesize", stage_digest="d", inputs={}, complete=False)
    done = cli("export", "-w", "w", cwd=tmp_path)
    assert done.returncode == 0
    assert "export works on what there is: trajectories (synthesize) stopped early" in done.stdout
