"""Conformance: our exports and rewards inside the trainers themselves, each in a virtual environment of its own.

    python tests/conformance/run.py                 # everything
    python tests/conformance/run.py trl verl        # some
    python tests/conformance/run.py --export data/runs/demo/export     # and do the loaders find all rows of this one

Each check gets a fresh export of the same rows, an `autointeract` installed from its wheel, and no GPU. Environments
are made once and kept under $XDG_CACHE_HOME/autointeract/conformance, named after the digest of their requirements.
Exits with 1 when a check fails; what a trainer printed is shown only then.
"""

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
CHECKS = ("trl", "verl", "verifiers", "skyrl")
TIME_LIMIT_S = 900


def main() -> int:
    """Runs the checks named on the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checks", nargs="*", choices=[*CHECKS, []], help="default: all")
    parser.add_argument("--export", type=Path, help="an export (--format all) whose rows each loader must find, too")
    options = parser.parse_args()
    names = options.checks or list(CHECKS)
    failed = []
    with tempfile.TemporaryDirectory(prefix="autointeract-conformance-") as folder:
        work = Path(folder)
        site = install(work / "site", ["."])
        run([sys.executable, str(HERE / "make_export.py"), str(work)], work, {"PYTHONPATH": str(ROOT)})
        for name in names:
            began = time.monotonic()
            python = environment(name)
            if name == "verifiers":
                install(site, ["environments/autointeract"])
            env = trainer_env(site, work)
            steps = [[str(HERE / f"check_{name}.py"), str(work)]]
            if options.export and name != "skyrl":
                steps.append([str(HERE / "check_rows.py"), name, str(options.export.resolve()), str(work)])
            done = [run([str(python), *step], work, env, check=False) for step in steps]
            ok = not any(step.returncode for step in done)
            print(f"{'PASS' if ok else 'FAIL'} {name:<10} {time.monotonic() - began:6.1f} s", flush=True)
            for step in done:
                for line in step.stdout.splitlines():
                    if line.startswith("- "):
                        print(f"     {line}", flush=True)
                if step.returncode:
                    print(step.stdout[-6000:], step.stderr[-6000:], sep="\n", flush=True)
            if not ok:
                failed.append(name)
    print(f"{len(names) - len(failed)} passed, {len(failed)} failed")
    return 1 if failed else 0


def environment(name: str) -> Path:
    """The interpreter of the trainer's environment, made when it is not there."""
    requirements = HERE / "requirements" / f"{name}.txt"
    mark = hashlib.sha256(requirements.read_bytes()).hexdigest()[:16]
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = cache / "autointeract" / "conformance" / f"{name}-{mark}"
    python = folder / "bin" / "python"
    if not (folder / ".ready").exists():
        print(f"making the environment of {name} (minutes, once) ...", flush=True)
        subprocess.run([sys.executable, "-m", "venv", "--clear", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", "-r", str(requirements)], check=True)
        (folder / ".ready").touch()
    return python


def install(site: Path, projects: list[str]) -> Path:
    """Builds wheels of our own projects and unpacks them into `site`: what a user of the trainer would install."""
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--no-build-isolation", "--target", str(site)]
    subprocess.run([*command, *(str(ROOT / project) for project in projects)], check=True, cwd=ROOT)
    return site


def trainer_env(site: Path, work: Path) -> dict[str, str]:
    """No network, no GPU, no telemetry, no home of the person who runs this."""
    return {
        "PYTHONPATH": str(site), "HF_HUB_OFFLINE": "1", "HF_HOME": str(work / "hf"), "CUDA_VISIBLE_DEVICES": "",
        "VERL_FORCE_DEVICE": "cpu", "TOKENIZERS_PARALLELISM": "false", "RAY_USAGE_STATS_ENABLED": "0",
        "WANDB_MODE": "disabled", "OPENAI_API_KEY": "unused", "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
    }  # fmt: skip


def run(command: list[str], work: Path, extra: dict[str, str], check: bool = True) -> subprocess.CompletedProcess[str]:
    """Runs one step in `work` and keeps what it prints."""
    try:
        done = subprocess.run(
            command, cwd=work, env={**os.environ, **extra}, capture_output=True, text=True, timeout=TIME_LIMIT_S
        )
    except subprocess.TimeoutExpired as error:
        text = error.stdout.decode(errors="replace") if isinstance(error.stdout, bytes) else str(error.stdout)
        done = subprocess.CompletedProcess(command, 124, text, f"no end after {TIME_LIMIT_S} s")
    if check and done.returncode:
        print(done.stdout, done.stderr, sep="\n", file=sys.stderr)
        raise SystemExit(1)
    return done


if __name__ == "__main__":
    sys.exit(main())
