"""Are planted traits recovered? Spearman by axis, wording and number of sessions, on generated logs.

    python benchmarks/users_recovery.py --users 200 --sessions 6

The sentences on which reactions are trained (data/reactions) were written without reading the generator's. How well
they carry over was measured on `train` and `tuning` wording while they grew. `heldout` wording is disjoint from both,
was written by somebody who had seen neither cues nor sentences, and nothing but these figures was looked at: the
figures that count.
`realised` compares with what a generated user happened to do: a trait cannot be recovered better than the
generator realised it in so few turns (`ceiling`).
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from scipy.stats import spearmanr

from autointeract.engine import Engine, EngineSettings
from autointeract.logs import stage as ingest
from autointeract.logs.settings import LogsSettings
from autointeract.models import Models, ModelsSettings
from autointeract.records.vocabulary import AXES
from autointeract.users import label_stage
from autointeract.users.evidence import gather
from autointeract.users.fingerprints import measure
from autointeract.users.niches import levels_of, make_bins
from autointeract.users.settings import LabelSettings, ProfileSettings
from autointeract.workspace import Workspace

ROOT = Path(__file__).resolve().parent.parent
REALISED = {
    "expertise": "technical", "vagueness": "specificity", "pushback": "pushback",
    "requirement_change": "requirement_change", "verbosity": "words",
}  # fmt: skip


def rho(left: list[float], right: list[float]) -> float:
    """Spearman's rank correlation."""
    found: Any = spearmanr(left, right)
    return float(found.statistic)


async def label(folder: Path, logs: Path) -> Workspace:
    """Ingests and labels by rules."""
    space = Workspace(folder, configured_key="recovery")
    settings = ModelsSettings.model_validate({"default": {"model": "simulated/default"}})
    async with Models(settings, folder=folder, seed=0) as door:
        tools = SimpleNamespace(models=door, engine=Engine(EngineSettings()), seed=0, resume="auto")
        await ingest.run(LogsSettings(paths=[str(logs)]), space, tools)  # type: ignore[arg-type]
        await label_stage.run(LabelSettings(), space, tools)  # type: ignore[arg-type]
    return space


def recovery(space: Workspace, logs: Path, counts: list[int]) -> list[dict]:
    """One row an axis and number of sessions."""
    traits = json.loads((logs / "traits.json").read_text())["users"]
    owner = {name: user for user, data in traits.items() for name in data["sessions"]}
    found = gather(space)
    who = {user: next(owner[n] for n in owner if n in rows[0].session_id) for user, rows in found.users.items()}
    rows = []
    for count in counts:
        some = {user: rows[:count] for user, rows in found.users.items()}
        measured = measure(some, set(some), ProfileSettings(), seed=0, resamples=100)
        bins = make_bins(measured.rows.values(), ProfileSettings(bins="quantile"))
        users = sorted(measured.rows)
        for place, axis in enumerate(AXES):
            values = [measured.rows[user].axes[place].value for user in users]
            planted = [traits[who[user]]["traits"][axis] for user in users]
            happened = [traits[who[user]]["realised"][REALISED[axis]] for user in users]
            cuts = sorted(planted)[len(planted) // 3], sorted(planted)[2 * len(planted) // 3]
            true = ["low" if v < cuts[0] else "high" if v >= cuts[1] else "mid" for v in planted]
            read = [levels_of(measured.rows[user], bins)[axis] for user in users]
            known = [(a, b) for a, b in zip(true, read, strict=True) if b != "unknown"]
            rows.append(
                {
                    "axis": axis, "sessions": count, "users": len(users), "known": len(known),
                    "planted": round(rho(values, planted), 3),
                    "realised": round(abs(rho(values, happened)), 3),
                    "ceiling": round(abs(rho(planted, happened)), 3),
                    "level_agreement": round(sum(a == b for a, b in known) / max(len(known), 1), 3),
                    "opposite_levels": round(sum({a, b} == {"low", "high"} for a, b in known) / max(len(known), 1), 3),
                }
            )  # fmt: skip
    return rows


def main() -> None:
    """Prints the table and, with --json, writes it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--sessions", type=int, default=6)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    table = defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for wording in ("train", "tuning", "heldout"):
            logs = Path(folder) / wording
            numbers = {"users": args.users, "sessions": args.sessions, "seed": args.seed, "split": wording, "out": logs}
            options = [part for name, value in numbers.items() for part in (f"--{name}", str(value))]
            command = [sys.executable, str(ROOT / "data" / "generate_logs.py"), *options]
            subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
            space = asyncio.run(label(Path(folder) / f"ws-{wording}", logs))
            counts = sorted({1, 2, 3, args.sessions})
            table[wording] = recovery(space, logs, [n for n in counts if n <= args.sessions])
    print(f"{'wording':8} {'axis':19} sessions  planted realised ceiling  levels opposite known")
    for wording, rows in table.items():
        for row in rows:
            print(
                f"{wording:8} {row['axis']:19} {row['sessions']:8} {row['planted']:8.3f} {row['realised']:8.3f} "
                f"{row['ceiling']:7.3f} {row['level_agreement']:7.3f} {row['opposite_levels']:8.3f} {row['known']:5}"
            )
    if args.json:
        args.json.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
