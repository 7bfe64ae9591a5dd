"""Runs a repository's tests on a patched tree: prepared by trusted code, run confined, reported on a pipe of ours.

`prepare` runs in the forked process before it is confined: it copies the clean tree (without .git, which may hold the
fix) to a bounded tmpfs, applies the diffs, puts every test file and every file that steers pytest back to its clean
state, removes what was added beside them, and plants sentinel tests. `run` runs confined and becomes the test command.
Python 3.10 or later of the task's own image; standard library only.
"""

import ast
import contextlib
import fnmatch
import os
import re
import shlex
import shutil
import socket
import subprocess

import confine
import wire

CLEAN, TREE, PLUGIN = "/.clean", "/testbed", "autointeract_report"
READY = ".autointeract-ready"
STEERING = ("conftest.py", "pytest.ini", ".pytest.ini", "pytest.toml", ".pytest.toml", "tox.ini", "setup.cfg",
            "pyproject.toml", "sitecustomize.py", "usercustomize.py", "*.pth", ".coveragerc")  # fmt: skip
"""Files that steer pytest or the interpreter: restored, and removed where the clean tree has none."""
SHADOWS = ("pytest", "_pytest", "py", "pluggy", "iniconfig", "packaging", "unittest", "doctest", "sitecustomize",
           "usercustomize", "coverage", "xdist", "exceptiongroup", "tomli", "builtins", PLUGIN)  # fmt: skip
"""Modules of the test machinery that must not come from the repository unless its clean tree has them."""
TEST_DIRS = ("test", "tests", "testing")
_job = {}


def prepare(ctl, *_):
    """Builds the tree from the job on `ctl`: `{repo_state, patch, files, sentinels, command, ...}`."""
    _job.update(wire.receive(socket.socket(fileno=os.dup(ctl))))
    try:
        _build()
    except Refused as refused:
        _job["refused"] = str(refused)


def run(ctl, stdin, stdout, stderr, report):
    """Becomes the test command; the job's refusal, if any, is told on `ctl` instead."""
    link = socket.socket(fileno=ctl)
    wire.send(link, {"refused": _job.get("refused")})
    link.close()
    if "refused" in _job:
        return
    for number, stream in enumerate((stdin, stdout, stderr)):
        os.dup2(stream, number)
    os.set_inheritable(report, True)
    confine.close_others([report])
    os.chdir(TREE)
    environment = _environment(report)
    os.execvpe(_job["argv"][0], _job["argv"], environment)


class Refused(Exception):
    """The diff cannot be used; the message says why."""


def _environment(report):
    path = os.environ.get("PATH", "/usr/bin:/bin")
    for folder in ("/opt/miniconda3/envs/testbed/bin", "/opt/venv/bin", f"{TREE}/.venv/bin"):
        if os.path.isdir(folder):
            path = f"{folder}:{path}"
    environment = {**os.environ, "PATH": path, "PYTEST_ADDOPTS": f"-p {PLUGIN} -p no:cacheprovider --maxfail=0 --tb=no",
                   "PYTHONPATH": ":".join([_job["plugin_dir"], *_job["site"]]),
                   "AUTOINTERACT_REPORT_FD": str(report), **_job["environment"]}  # fmt: skip
    return environment


def _build():
    if not os.path.exists(f"{CLEAN}/{READY}") and _job["need_ready"]:
        raise OSError("the clean tree is not ready")
    if _job["mount"]:
        options = f"size={_job['disk_mb']}m,nr_inodes={_job['inodes']},mode=0755".encode()
        confine.check(confine.libc.mount(b"tmpfs", TREE.encode(), b"tmpfs", 6, options), "mount tree")
    for name in sorted(os.listdir(CLEAN)):
        if name not in (".git", READY):
            _run("cp", "-dR", "--preserve=mode,timestamps", f"{CLEAN}/{name}", TREE)
    _drop_caches()
    for what in ("repo_state", "patch"):
        if _job[what].strip():
            _apply(_job[what], what)
    _restore()
    if _job["test_patch"].strip():  # tests that the image does not hold yet; after all that is the solver's
        _apply(_job["test_patch"], "test_patch")
    for sentinel in _job["sentinels"]:
        _plant(**sentinel)
    _protect()
    os.makedirs(_job["plugin_dir"], 0o755, exist_ok=True)
    with open(f"{_job['plugin_dir']}/{PLUGIN}.py", "w", encoding="utf-8") as file:
        file.write(_job["plugin"])
    os.chmod(file.name, 0o644)
    _job["argv"] = command_line(_job["command"], _job["files"])
    if _job["mount"]:  # one uid: the clean tree, which holds the fix, must go out of sight
        confine.check(confine.libc.mount(b"tmpfs", CLEAN.encode(), b"tmpfs", 7, b"size=4k"), "hide the clean tree")


def _run(*command, text=None):
    return subprocess.run(
        command, cwd=TREE, input=text, capture_output=True, check=False, env={**os.environ, "HOME": "/nonexistent"}
    )


def _drop_caches():
    for folder, names, _ in os.walk(TREE):
        for name in [name for name in names if name == "__pycache__"]:
            shutil.rmtree(os.path.join(folder, name), ignore_errors=True)
            names.remove(name)


def _apply(diff, what):
    check_paths(diff)
    text = diff if diff.endswith("\n") else diff + "\n"
    git = ("git", "apply", "--whitespace=nowarn")
    patch = ("patch", "--batch", "--fuzz=5", "-p1", "--no-backup-if-mismatch", "-i", "-")
    ways = [(*git, "-"), (*git, "--ignore-whitespace", "-"), patch]  # SWE-smith's order
    said = b""
    for data in dict.fromkeys((text, text.replace("\r\n", "\n"))):
        for way in ways:
            if shutil.which(way[0]) is None:
                continue
            if way[0] == "patch" and _run(*way, "--dry-run", text=data.encode("utf-8", "surrogateescape")).returncode:
                continue  # unlike git, patch leaves half of a diff behind
            ended = _run(*way, text=data.encode("utf-8", "surrogateescape"))
            if ended.returncode == 0:
                return
            said = said or ended.stderr
    raise Refused(f"the {what} does not apply: {said.decode(errors='replace')[:300]}")


def check_paths(diff):
    """Raises Refused for a diff that touches .git, leaves the tree, or makes links or submodules."""
    for line in diff.splitlines():
        if re.match(r"(?:new file mode|new mode|old mode|index \S+) ?1[26]0000|index \S+ 1[26]0000", line):
            raise Refused("the diff makes or changes a symbolic link or a submodule")
        found = re.match(r'(?:---|\+\+\+|rename from|rename to|copy from|copy to) "?(?:[ab]/)?([^\t"]*)', line)
        names = [found[1]] if found else []
        if line.startswith("diff --git "):
            names += [re.sub(r'^"?[ab]/', "", part) for part in line[11:].split(" ")]
        for name in names:
            parts = name.strip().split("/")
            if name.strip() == "/dev/null" or name.startswith("/dev/null"):
                continue
            if ".." in parts or ".git" in parts or name.startswith("/"):
                raise Refused(f"the diff touches {name[:100]!r}")


def _steers(path):
    name = path.rsplit("/", 1)[-1]
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in STEERING)


def _shadow(path):
    parts = path.split("/")
    inside = [part for part in parts if part not in ("src", "lib")]
    if any(part.endswith((".egg-info", ".dist-info")) for part in parts):
        return True
    return bool(inside) and len(parts) - len(inside) == parts.index(inside[0]) and inside[0].split(".")[0] in SHADOWS


def _restore():
    """Test files, steering files and shadowing modules are as in the clean tree; what was added there is gone."""
    folders = {os.path.dirname(name) for name in _job["files"]} - {""}
    test_files = set(_job["files"])

    def ours(path):
        parts = path.split("/")
        if path in test_files or _steers(path) or _shadow(path):
            return True
        if any(part in TEST_DIRS for part in parts[:-1]):
            return True
        name = parts[-1]
        return os.path.dirname(path) in folders and (name.startswith("test_") or name.endswith("_test.py"))

    for path in _files(TREE):
        if ours(path) and not os.path.lexists(f"{CLEAN}/{path}"):
            os.unlink(f"{TREE}/{path}")
    for path in _files(CLEAN):
        if ours(path):
            target = f"{TREE}/{path}"
            for parent in _parents(path):
                if os.path.lexists(f"{TREE}/{parent}") and not os.path.isdir(f"{TREE}/{parent}"):
                    os.unlink(f"{TREE}/{parent}")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if os.path.isdir(target) and not os.path.islink(target):
                shutil.rmtree(target)
            with contextlib.suppress(FileNotFoundError):
                os.unlink(target)
            shutil.copy2(f"{CLEAN}/{path}", target, follow_symlinks=False)


def _parents(path):
    parts = path.split("/")[:-1]
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]


def _files(root):
    for folder, names, files in os.walk(root):
        names[:] = [name for name in names if name not in (".git", "__pycache__")]
        below = os.path.relpath(folder, root)
        for name in files:
            if name != READY:
                yield name if below == "." else f"{below}/{name}"


def _plant(file, code, where):
    """Puts `code` before a top-level definition of a test file, `where` in [0, 1) of the way down."""
    path = f"{TREE}/{file}"
    try:
        with open(path, encoding="utf-8") as source:
            text = source.read()
        tree = ast.parse(text)
    except (OSError, SyntaxError, ValueError):
        return
    starts = [
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        for node in tree.body
        if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef))
    ]
    lines = text.splitlines(keepends=True)
    at = starts[int(where * len(starts))] - 1 if starts else len(lines)
    os.unlink(path)  # a fresh file: the old one may be a link
    with open(path, "w", encoding="utf-8") as target:
        target.write("".join([*lines[:at], "\n" if at == len(lines) else "", code, "\n\n", *lines[at:]]))


def _protect():
    """Everything belongs to this process's user; others may add files, but not change or remove any that is there."""
    for folder, _, files in os.walk(TREE):
        os.chmod(folder, 0o1777)
        for name in files:
            path = os.path.join(folder, name)
            if not os.path.islink(path):
                os.chmod(path, 0o755 if os.stat(path).st_mode & 0o100 else 0o644)


def command_line(command, files):
    """The argument vector that runs `command` on `files`."""
    if re.search(r"&&|\|\||[;|<>`$]", command):
        return ["sh", "-c", f'{command} "$@"', "sh", *files]
    words = shlex.split(command)
    if words and re.fullmatch(r"[A-Za-z_]\w*=.*", words[0]):
        words = ["env", *words]
    return [*words, *files]
