"""The SWE task maker: bugs are what they are called, sources are never run, and (on Docker) instances verify."""

import ast
import io
import os
import subprocess
import tarfile
from types import SimpleNamespace

import libcst as cst
import pytest
from tests.tasks.swe_packages import CLOCK, SHELF, write

from autointeract.engine import Engine, EngineSettings
from autointeract.errors import InputError
from autointeract.execution import Execution, ExecutionSettings
from autointeract.tasks import stage
from autointeract.tasks.commands import make_swe
from autointeract.tasks.maker import image as images
from autointeract.tasks.maker.bugs import find_bugs, source_files
from autointeract.tasks.maker.modifiers import MODIFIERS
from autointeract.tasks.maker.settings import MakerSettings
from autointeract.tasks.maker.sources import open_package
from autointeract.tasks.maker.statement import issue_text
from autointeract.tasks.maker.suite import SuiteRun
from autointeract.tasks.patches import inspect, reverse
from autointeract.tasks.settings import TasksSettings
from autointeract.workspace import Workspace


def modified(strategy: str, code: str) -> list[str]:
    module = cst.parse_module(code)
    found = []

    class Visitor(cst.CSTVisitor):
        def on_visit(self, node: cst.CSTNode) -> bool:
            wrong = MODIFIERS[strategy](node)
            if wrong is not None:
                changed = module.deep_replace(node, wrong)  # type: ignore[arg-type]
                assert isinstance(changed, cst.Module)
                ast.parse(changed.code)
                found.append(changed.code)
            return True

    module.visit(Visitor())
    return found


@pytest.mark.parametrize(
    ("strategy", "code", "wrong"),
    [
        ("func_pm_op_change", "x = a + b", ["x = a - b"]),
        ("func_pm_op_change", "x += a and b", ["x -= a and b", "x += a or b"]),
        ("func_pm_op_swap", "x = a - b * 2", ["x = (b * 2) - a"]),
        ("func_pm_op_swap", "x = a + b", []),
        ("func_pm_flip_operators", "x = a < b", ["x = a >= b"]),
        ("func_pm_flip_operators", "x = a not in b", ["x = a in b"]),
        ("func_pm_flip_operators", "x = a < b < c", []),
        ("func_pm_off_by_one", "x = a <= b", ["x = a < b"]),
        ("func_pm_op_change_const", "x = 9 + 0x1f", ["x = 10 + 0x1f"]),
        ("func_pm_ctrl_invert_if", "if a or b: c()", ["if not (a or b): c()"]),
        ("func_pm_ctrl_invert_if", "if not a: c()", ["if a: c()"]),
        ("func_pm_ctrl_invert_if", "x = a if b else c", ["x = c if b else a"]),
        ("func_pm_remove_cond", "if a:\n    b()\n", ["if a:\n    pass\n"]),
        ("func_pm_remove_cond", "if a:\n    b()\nelse:\n    c()\n", ["if a:\n    b()\n"]),
        ("func_pm_remove_assign", "x += 1\n", ["pass\n"]),
        ("func_pm_remove_loop", "for a in b:\n    c()\n", ["for a in b:\n    c()\n    break\n"]),
        ("func_pm_swap_args", "f(a, b, c=1)", ["f(b, a, c=1)"]),
        ("func_pm_swap_args", "f(a, a)", []),
        ("func_pm_swap_args", "f(a, *b)", []),
    ],
)
def test_each_modifier_makes_its_bug(strategy, code, wrong):
    assert modified(strategy, code) == wrong


def test_bugs_are_seeded_distinct_and_in_functions_of_the_source_alone(tmp_path):
    root = write(SHELF, tmp_path / "shelf")
    assert [path.name for path in source_files(root)] == ["tinyshelf.py"]
    bugs = list(find_bugs(root, 1, 3))
    assert bugs == list(find_bugs(root, 1, 3)) != list(find_bugs(root, 2, 3))
    assert len({bug.patch for bug in bugs}) == len(bugs) > 10
    assert len({bug.strategy for bug in bugs[:6]}) == 6  # kinds are taken in turn
    assert max(sum(bug.function == one.function for bug in bugs) for one in bugs) <= 3
    for bug in bugs:
        assert inspect(bug.patch).files == ["tinyshelf.py"]
        for patch in (bug.patch, reverse(bug.patch)):
            subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=root, check=True, capture_output=True)


def test_a_checkout_is_copied_without_what_is_no_source(tmp_path):
    origin = write({**CLOCK, ".venv/x.py": "", "__pycache__/y.py": "", "dist/z.py": ""}, tmp_path / "origin")
    (origin / "link.py").symlink_to("/etc/passwd")
    package = open_package(str(origin), tmp_path / "work")
    assert (package.name, package.version, package.license, package.owner) == ("tinyclock", "1.2", "MIT", "local")
    names = {path.relative_to(package.root).as_posix() for path in package.root.rglob("*") if path.is_file()}
    assert names == set(CLOCK)
    again = open_package(str(write(CLOCK, tmp_path / "other")), tmp_path / "work2")
    assert again.commit == package.commit and package.repo_key == f"local__tinyclock.{package.commit}"


def test_an_sdist_is_unpacked_and_never_run(tmp_path):
    write(SHELF, tmp_path / "tinyshelf-0.3")
    with tarfile.open(tmp_path / "tinyshelf-0.3.tar.gz", "w:gz") as tar:
        tar.add(tmp_path / "tinyshelf-0.3", "tinyshelf-0.3")
        evil = tarfile.TarInfo("tinyshelf-0.3/link.py")
        evil.type, evil.linkname = tarfile.SYMTYPE, "/etc/passwd"
        tar.addfile(evil)
    package = open_package(str(tmp_path / "tinyshelf-0.3.tar.gz"), tmp_path / "work")
    assert (package.name, package.version, package.license) == ("tinyshelf", "0.3", "BSD")
    assert not (package.root / "link.py").exists()


@pytest.mark.parametrize("kind", ["missing", "empty", "broken", "traversal"])
def test_bad_sources_are_refused_by_name(tmp_path, kind):
    path = tmp_path / "x-1.tar.gz"
    if kind == "empty":
        path = tmp_path / "folder"
        (path / "sub").mkdir(parents=True)
        (path / "readme.txt").write_text("no code")
    elif kind == "broken":
        path.write_bytes(b"\x1f\x8b not a gzip")
    elif kind == "traversal":
        with tarfile.open(path, "w:gz") as tar:
            info = tarfile.TarInfo("../evil.py")
            info.size = 1
            tar.addfile(info, io.BytesIO(b"x"))
    with pytest.raises(InputError, match=path.name.replace(".", r"\.")):
        open_package(str(path), tmp_path / "work")
    assert not (tmp_path / "evil.py").exists()


def test_the_issue_names_behaviour_and_neither_tests_nor_the_fix(tmp_path):
    root = write(CLOCK, tmp_path / "clock")
    bug = next(bug for bug in find_bugs(root, 0, 5) if bug.function == "clamp")
    text = issue_text(
        bug, SuiteRun(tests={"tests/test_span.py::test_clamp": "failed"}), ["tests/test_span.py::test_clamp"]
    )
    assert "`tinyclock.span.clamp`" in text and "at least `low` and at most `high`" in text
    assert "test" not in text and "operator" not in text
    fixed = [line[1:].strip() for line in bug.patch.splitlines() if line.startswith("-") and line[1:2] != "-"]
    assert not any(line in text for line in fixed)


@pytest.mark.docker
@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_two_packages_give_twenty_verified_instances(docker_engine, tmp_path):
    execution = ExecutionSettings(backend="docker", docker_host=docker_engine, swe_lanes=2)
    out = tmp_path / "swe.jsonl"
    sources = [str(write(CLOCK, tmp_path / "clock")), str(write(SHELF, tmp_path / "shelf"))]
    made = MakerSettings(count=10, per_function=6, max_flipped_share=0.7)
    try:
        lines = await make_swe(sources, out, made, execution)
    except Exception as error:
        if "sandbox build" in str(error) and os.environ.get("AUTOINTERACT_REQUIRE_DOCKER") != "1":
            pytest.skip(f"no base image: {error}")
        raise
    assert len(out.read_text().splitlines()) >= 20, lines
    workspace = Workspace(tmp_path / "ws")
    settings = TasksSettings.model_validate({"sources": [str(out)], "facts": "rules"})
    async with Execution(execution) as runner:
        services = SimpleNamespace(
            models=None, engine=Engine(EngineSettings(concurrency=4)), execution=runner, seed=0, resume="auto",
            config_sha="",
        )  # fmt: skip
        report = await stage.run(settings, workspace, services)  # type: ignore[arg-type]
    assert report.counts["tasks"] >= 20, report.notes
    for row in workspace.tasks.rows():
        assert row.domain == "swe" and row.image and row.facts and "start_patch" in row.reference
        assert row.image.startswith(images.NAMESPACE)
