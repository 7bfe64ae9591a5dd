"""The command line: quick to answer, light to import, one clear line and the right code for every mistake."""

import subprocess
import sys

import pytest

HEAVY = [
    "litellm",
    "gepa",
    "datasets",
    "pandas",
    "sklearn",
    "scipy",
    "matplotlib",
    "dspy",
    "torch",
    "aiohttp",
    "pyarrow",
    "pydantic",
]


def cli(*words, cwd=None):
    return subprocess.run(
        [sys.executable, "-m", "autointeract", *words], capture_output=True, text=True, cwd=cwd, timeout=100
    )


def test_help_imports_nothing_heavy():
    code = (
        "import sys\nsys.argv = ['autointeract', '--help']\nfrom autointeract.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.strip().endswith("[]"), done.stdout[-300:]
    assert "synthesize" in done.stdout


def test_importing_the_package_touches_no_logging_and_nothing_heavy():
    code = (
        "import logging, sys\nlogging.basicConfig()\nbefore = list(logging.root.handlers)\nimport autointeract\n"
        f"assert logging.root.handlers == before\nprint([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100)
    assert done.stdout.strip() == "[]", done.stderr


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["label", "-c", "engine.concurency=1"], 2, "did you mean 'engine.concurrency'"),
        (["label", "-c", "nowhere.toml"], 2, "does not exist"),
        (["status", "-w", "nowhere"], 2, "no workspace at nowhere"),
        (["label", "-w", "empty"], 2, "no dataset 'sessions'"),
        (["label", "-w", "empty", "--resume", "sometimes"], 2, "sometimes"),
        (["no-such-stage"], 2, "No such command"),
    ],
)
def test_mistakes_get_one_clear_line(tmp_path, words, code, text):
    done = cli(*words, cwd=tmp_path)
    assert done.returncode == code, done.stderr
    assert text in done.stderr
    assert "Traceback" not in done.stderr
