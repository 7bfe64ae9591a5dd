"""Programs judged by their output, on real sandboxes: Dolci `code_stdio` rows and LiveCodeBench-Pro problems."""

import json
import zipfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tests.tasks.task_rows import dolci, own, problem

from autointeract.engine import Engine, EngineSettings
from autointeract.execution import Execution, ExecutionSettings
from autointeract.tasks import stage
from autointeract.tasks.settings import TasksSettings
from autointeract.workspace import Workspace

DOUBLE = "print(2 * int(input()))\n"
CASES = [{"input": f"{n}\n", "output": f"{2 * n}\n"} for n in (3, 10, -4, 0, 8)]


async def test_programs(jsonl, services, tmp_path, execution):
    same = [{"input": f"{n}\n", "output": "YES\n" if n % 3 else "NO\n"} for n in range(6)]
    path = jsonl(
        dolci(dataset=["code_stdio"], ground_truth=[json.dumps(CASES)], solution=DOUBLE),
        dolci(id="wrong", prompt="W", dataset=["code_stdio"], ground_truth=[json.dumps(CASES)], solution="print(6)"),
        dolci(
            id="guess", prompt="G", dataset=["code_stdio"], ground_truth=[json.dumps(same)],
            solution="print('YES' if int(input()) % 3 else 'NO')",
        ),
        own(task_id="empty", assertions=None, cases=[{"input": "1\n", "output": "\n"}], reference="print()"),
    )  # fmt: skip
    workspace = Workspace(tmp_path / "ws")
    settings = TasksSettings.model_validate({"sources": [path], "facts": "rules"})
    report = await stage.run(settings, workspace, services())
    reasons = {item["name"]: item["reason"] for item in report.details["refused"]}
    assert reasons == {"wrong": "broken", "guess": "guessable", "empty": "trivial"}
    assert "constant answer YES" in next(note for note in report.notes if note.startswith("guess: "))
    (row,) = workspace.tasks.rows()
    assert row.interface.startswith("A Python 3 program that reads standard input")


def archives(folder: Path, answers: list[str], **members: str) -> str:
    with zipfile.ZipFile(folder / "2034A.zip", "w") as file:
        file.writestr("config.yaml", "time_limit: 1s\nmemory_limit: 128m\nsubtasks:\n- score: 100\n  n_cases: 4\n")
        for number, answer in enumerate(answers, 1):
            file.writestr(f"testdata/{number}.in", f"{number}\n")
            file.writestr(f"testdata/{number}.ans", answer)
        for name, text in members.items():
            file.writestr(name, text)
    return str(folder)


CPP = "#include <iostream>\nint main() { int n; std::cin >> n; std::cout << 2 * n; }\n"


async def lcb(tmp_path: Path, row: dict[str, Any], folder: str, **execution: Any):
    (tmp_path / "problems.jsonl").write_text(json.dumps(row) + "\n")
    workspace = Workspace(tmp_path / "ws")
    source = {"path": str(tmp_path / "problems.jsonl"), "archives": folder}
    settings = TasksSettings.model_validate({"sources": [source], "facts": "rules"})
    async with Execution(ExecutionSettings(lanes=1, **execution), blob_path=workspace.folder("blobs")) as runner:
        services: Any = SimpleNamespace(
            models=None, engine=Engine(EngineSettings()), execution=runner, seed=0, resume="auto", config_sha=""
        )
        report = await stage.run(settings, workspace, services)
    return report, workspace


async def test_a_problem_with_its_archive_becomes_a_blob_and_a_task(tmp_path, execution):
    folder = archives(tmp_path, [f"{2 * n}\n" for n in range(1, 5)])
    report, workspace = await lcb(tmp_path, problem(reference=CPP), folder)
    assert report.counts["tasks"] == 1, report.notes
    (row,) = workspace.tasks.rows()
    assert row.verifier.kind == "stdio_files" and (workspace.root / "blobs" / row.verifier.archive_sha256).is_file()
    assert str(tmp_path) not in row.model_dump_json()


async def test_constant_answers_to_a_problem(tmp_path, execution):
    code = '#include <cstdio>\nint main() { int n; std::scanf("%d", &n); std::puts(n > 3 ? "NO" : "YES"); }\n'
    folder = archives(tmp_path, ["YES\n", "YES\n", "YES\n", "NO\n"])
    report, workspace = await lcb(tmp_path, problem(reference=code), folder)
    (row,) = workspace.tasks.rows()  # all or nothing: three right cases of four are worth nothing
    assert row.baseline_score == 0.0 and report.counts["tasks"] == 1
