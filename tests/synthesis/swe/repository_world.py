"""A repository task small enough to be read at a glance, a workbench in a folder, and a verifier that runs it here.

Only for code written here: nothing is isolated.
"""

import asyncio
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from autointeract.records import PytestSpec, SourceTask, Verdict, canonical_json, dump_spec
from autointeract.synthesis.swe.workbench import Ran, Session

GOOD = "def clamp(value, low, high):\n    if value < low:\n        return low\n    return min(value, high)\n"
BAD = GOOD.replace("min(value, high)", "max(value, high)")
FILES = {
    "calc.py": GOOD, "other.py": "def twice(x):\n    return x + x\n",
    "tests/test_clamp.py": "from calc import clamp\ndef test_high(): assert clamp(9, 1, 5) == 5\n",
    "tests/test_twice.py": "from other import twice\ndef test_twice(): assert twice(2) == 4\n",
}  # fmt: skip
STATEMENT = (
    "clamp gives values above the upper bound. It should never return more than high. Values below low are right."
)


@lru_cache
def diff(before: str, after: str, name: str = "calc.py") -> str:
    """A git diff of one file."""
    with tempfile.TemporaryDirectory() as folder:
        root = tree(Path(folder), {name: before})
        (root / name).write_text(after)
        return git(root, "diff")


def git(root: Path, *words: str, data: str | None = None) -> str:
    """Runs git; fails loudly."""
    names = ["-c", "user.name=x", "-c", "user.email=x@localhost"]
    done = subprocess.run(["git", *names, *words], cwd=root, capture_output=True, text=True, input=data, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr)
    return done.stdout


def tree(root: Path, files: dict[str, str]) -> Path:
    """A committed tree."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "x")
    return root


def task(task_id: str = "repo/clamp", image: str = "shop") -> SourceTask:
    """The task: the image is clean, `start_patch` makes the bug."""
    spec = PytestSpec(fail_to_pass=["tests/test_clamp.py::test_high"], pass_to_pass=["tests/test_twice.py::test_twice"])
    facts = [{"id": f"f{n}", "text": f"{text.strip()}."} for n, text in enumerate(STATEMENT.split(".")) if text.strip()]
    return SourceTask(
        task_id=task_id, domain="swe", source="test", license="MIT", statement=STATEMENT, interface="the repository",
        reference_json=canonical_json({"patch": diff(BAD, GOOD), "start_patch": diff(GOOD, BAD)}),
        verifier_json=dump_spec(spec), facts_json=canonical_json(facts), image=image, repo="shop",
    )  # fmt: skip


class FolderSession:
    """A session in a folder."""

    def __init__(self, state: str, hidden: Sequence[str]):
        self.root = Path(tempfile.mkdtemp(prefix="bench-"))
        tree(self.root, FILES)
        if state:
            git(self.root, "apply", "-", data=state)
        for name in hidden:
            (self.root / name).unlink()
        self.hidden = list(hidden)
        git(self.root, "add", "-A")
        self.base = git(self.root, "write-tree").strip()

    async def run(self, command: str, seconds: float, chars: int) -> Ran:
        """Runs a command in the folder."""
        words = ["bash", "-c", command]
        done = await asyncio.to_thread(
            subprocess.run, words, cwd=self.root, capture_output=True, text=True, check=False
        )
        return Ran(output=(done.stdout + done.stderr)[:chars], code=done.returncode)

    async def patch(self) -> str:
        """Changes since the session began."""
        return self._diff(self.base)

    async def state(self) -> str:
        """Changes against the clean tree."""
        return self._diff("HEAD")

    def _diff(self, base: str) -> str:
        git(self.root, "add", "-A")
        return git(self.root, "diff", "--cached", base, "--", ".", *(f":(exclude){name}" for name in self.hidden))

    async def close(self) -> None:
        """Removes the folder."""
        shutil.rmtree(self.root, ignore_errors=True)


class FolderBench:
    """Sessions in folders; counts them."""

    def __init__(self) -> None:
        self.opened: list[str] = []

    async def open(self, image: str, state: str, hidden: Sequence[str], memory_mb: int) -> Session:
        """A session."""
        self.opened.append(state)
        return FolderSession(state, hidden)


class RunsTests:
    """Judges patches by running the functions here."""

    async def verify(self, spec: Any, submission: Any, state: Any = None) -> Verdict:
        """1.0 when clamp and twice are right."""
        with tempfile.TemporaryDirectory() as folder:
            root = tree(Path(folder), FILES)
            try:
                for patch in (state.repo_state, submission.patch or ""):
                    if patch.strip():
                        git(root, "apply", "-", data=patch)
            except RuntimeError as error:
                details = [{"status": "error", "message": str(error)}]
                return Verdict(score=0.0, total=1, status="patch_refused", details=details)
            names: dict[str, Any] = {}
            exec((root / "calc.py").read_text() + (root / "other.py").read_text(), names)
            fixed = names["clamp"](9, 1, 5) == 5 and names["clamp"](0, 1, 5) == 1
            return Verdict(score=float(fixed), passed=int(fixed), total=1, details=[{"status": "passed"}])
