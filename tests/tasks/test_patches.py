"""Patches as data: size, refused kinds, and a reverse that git agrees with."""

import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.tasks.task_rows import BUG

from autointeract.errors import InputError
from autointeract.tasks.patches import file_diff, inspect, reverse


def test_size_and_files():
    facts = inspect(BUG)
    assert facts.files == ["pkg/area.py"] and facts.lines == 2


def test_reverse_is_its_own_inverse():
    assert reverse(reverse(BUG)) == BUG
    assert "-    return a + b\n+    return a * b" in reverse(BUG)


@pytest.mark.parametrize(
    ("patch", "words"),
    [
        ("", "not a unified diff"),
        ("hello\nworld", "not a unified diff"),
        (BUG.replace("b/pkg/area.py", "b/../x"), "not inside the repository"),
        (BUG.replace("a/pkg/area.py", "/etc/passwd"), "not inside the repository"),
        (BUG.replace("pkg/area.py", ".git/config"), "not inside the repository"),
        (BUG.replace("--- a/", "new file mode 120000\n--- a/"), "links"),
        ("diff --git a/x b/x\nGIT binary patch\nliteral 3\n", "binary"),
        ("diff --git a/x b/x\nBinary files a/x and b/x differ\n", "binary"),
        ("\n".join(BUG.splitlines()[:-1]), "middle of a hunk"),
    ],
)
def test_refused_kinds(patch, words):
    with pytest.raises(InputError, match=words):
        inspect(patch)


LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "-x\n", "+y\n", "--- z\n", "@@ q\n"]), max_size=8)


@settings(max_examples=40, deadline=None)
@given(LINES, LINES, st.booleans(), st.booleans())
def test_git_applies_a_diff_and_its_reverse(tmp_path_factory, old, new, cut_old, cut_new):
    before, after = "".join(old), "".join(new)
    before, after = before.rstrip("\n") if cut_old else before, after.rstrip("\n") if cut_new else after
    patch = file_diff("pkg/f.py", before, after)
    if not patch:
        assert before == after
        return
    folder = tmp_path_factory.mktemp("tree")

    def apply(text: str) -> None:
        done = subprocess.run(["git", "apply", "-"], input=text.encode(), cwd=folder, capture_output=True, check=False)
        assert done.returncode == 0, done.stderr.decode() + text

    def content() -> str:
        path = folder / "pkg" / "f.py"
        return path.read_text() if path.exists() else ""

    if before:
        (folder / "pkg").mkdir()
        (folder / "pkg" / "f.py").write_text(before)
    apply(patch)
    assert content() == after
    apply(reverse(patch))
    assert content() == before
