"""The lot itself: what one file says of others stays true."""

import re
import tomllib
from collections import Counter
from pathlib import Path


def test_test_modules_have_names_of_their_own(root):
    names = Counter(path.name for path in (root / "tests").rglob("test_*.py"))
    assert [name for name, count in names.items() if count > 1] == []


def test_every_dependency_is_in_the_lock_that_make_setup_installs(root):
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["pipeline"], *extras["dev"]]
    locked = {_name(line) for line in (root / "requirements" / "dev.txt").read_text().split("\n") if "==" in line}
    assert [line for line in wanted if _name(line) not in locked] == []
    core = {_name(line) for line in (root / "requirements" / "core.txt").read_text().split("\n") if "==" in line}
    assert [line for line in project["dependencies"] if _name(line) not in core] == []


def test_links_between_pages_lead_somewhere(root):
    for page in [root / "README.md", *(root / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)", page.read_text()):
            if not target.startswith("http"):
                assert (page.parent / target).exists(), f"{page.relative_to(root)} -> {target}"


def test_no_file_grows_past_two_nouns(root):
    long = {
        str(path.relative_to(root)): lines
        for path in (root / "pipeline").rglob("*.py")
        if (lines := path.read_text().count("\n")) > 400 and path.name != "lexicon.py"  # a table of words
    }
    assert long == {}


def test_every_package_opens_with_its_contract(root):
    bare = [str(path) for path in (root / "pipeline").rglob("*.py") if not _opens_with_docstring(path)]
    assert bare == []


def _opens_with_docstring(path: Path) -> bool:
    return path.read_text().lstrip().startswith('"""')


def _name(line: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", line.strip())
    return re.sub(r"[-_.]+", "-", found.group()).lower() if found else ""
