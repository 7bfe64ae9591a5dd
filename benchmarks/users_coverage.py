"""Do the 90 % intervals cover, and do niches match? Generated users, whose true values are known.

    python benchmarks/users_coverage.py --users 200 --wording heldout

Truth, on each axis's own scale: what the generator's own labels give for that user in the long run. For pushback and
requirement change that is the planted rate itself; for the other axes the mean over `--long` further sessions of the
same user, which no estimate sees (so the truth has an error of its own: with 12 sessions against 150 a perfect interval
covers 88.7 %, not 90).

Labels: `perfect` are the generator's, which tests the intervals alone; `rules` is what a user gets, after ingestion.
Niches: levels of the estimates against levels of the truth, each cut at its own terciles; kappa is Cohen's. `joint` is
the share of users whose whole niche is right; `chance` what independent draws of the same niches would give.
"""

import argparse
import asyncio
import json
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

from users_recovery import ROOT, label

from autointeract.records import Session, Turn, TurnLabel
from autointeract.records.vocabulary import AXES
from autointeract.users.agreement import cohen_kappa
from autointeract.users.evidence import gather
from autointeract.users.fingerprints import Measured, measure
from autointeract.users.measures import SessionEvidence, session_evidence
from autointeract.users.niches import levels_of, make_bins
from autointeract.users.settings import ProfileSettings
from autointeract.users.turns import typed_turns

sys.path.insert(0, str(ROOT / "data"))
PLANTED = ("pushback", "requirement_change")
COUNTS = (3, 6, 12)


def planned(person: dict, seed: int, index: int, number: int, wording: str) -> SessionEvidence:
    """The evidence of one generated session under the generator's own labels, as `generate_logs.py` would write it."""
    from loggen.plan import plan_session  # pyright: ignore[reportMissingImports]
    from loggen.records import write_session  # pyright: ignore[reportMissingImports]

    name = f"{index}-{number}"
    plan = plan_session(person, seed, index, number)
    _, rows, _, _ = write_session(person, plan, name, wording, seed, (index, number), [])
    turns = []
    for row in rows:
        turns += [
            Turn(index=len(turns), role="user", kind="human", text=row["text"]),
            Turn(index=len(turns) + 1, role="assistant", kind="text", text="Done."),
        ]
    session = Session(session_id=name, user_id=person["name"], source_format="generated", turns=turns)
    labels = {
        turn.index: TurnLabel(
            session_id=name, turn_index=turn.index, intent=row["intent"], reaction=row["reaction"],
            specificity=row["specificity"], words=row["words"], labeller="generator",
        )
        for turn, row in zip(typed_turns(session), rows, strict=True)
    }  # fmt: skip
    return session_evidence(session, labels)


def truth_of(person: dict, sessions: list[SessionEvidence]) -> dict[str, float]:
    """Long-run values in the unit of the sums (verbosity: log of 1 + words)."""
    found = {}
    for axis in AXES:
        total = sum(row.values[axis].total for row in sessions)
        count = sum(row.values[axis].count for row in sessions)
        found[axis] = person["rates"][axis] if axis in PLANTED else total / count
    return found


def covered(measured: Measured, truth: dict[str, dict[str, float]]) -> list[dict[str, Any]]:
    """One row an axis: share of intervals that hold the truth, misses below and above, mean width."""
    from math import log1p

    rows = []
    for place, axis in enumerate(AXES):
        low = high = width = 0.0
        for user, row in measured.rows.items():
            item = row.axes[place]
            a, b = (log1p(item.low), log1p(item.high)) if axis == "verbosity" else (item.low, item.high)
            low += truth[user][axis] < a
            high += truth[user][axis] > b
            width += b - a
        n = len(measured.rows)
        rows.append(
            {"axis": axis, "covered": 1 - (low + high) / n, "too_high": low / n, "too_low": high / n,
             "width": width / n}
        )  # fmt: skip
    return rows


def matched(measured: Measured, truth: dict[str, dict[str, float]]) -> dict[str, Any]:
    """Levels and niches of the estimates against those of the truth."""
    users = sorted(measured.rows)
    bins = make_bins(measured.rows.values(), ProfileSettings(bins="quantile"))
    read = {user: levels_of(measured.rows[user], bins) for user in users}
    true: dict[str, dict[str, str]] = {user: {} for user in users}
    found: dict[str, Any] = {"axes": {}}
    for axis in AXES:
        values = sorted(truth[user][axis] for user in users)
        cuts = values[len(users) // 3], values[2 * len(users) // 3]
        for user in users:
            value = truth[user][axis]
            true[user][axis] = "low" if value < cuts[0] else "high" if value >= cuts[1] else "mid"
        pairs = [(true[u][axis], read[u][axis]) for u in users if read[u][axis] != "unknown"]
        left, right = [a for a, _ in pairs], [b for _, b in pairs]
        found["axes"][axis] = {
            "known": len(pairs), "agreement": sum(a == b for a, b in pairs) / max(len(pairs), 1),
            "opposite": sum({a, b} == {"low", "high"} for a, b in pairs) / max(len(pairs), 1),
            "kappa": cohen_kappa(left, right),
        }  # fmt: skip
    whole = [u for u in users if "unknown" not in read[u].values()]
    niches = [tuple(side[u][axis] for axis in AXES) for side in (true, read) for u in whole]
    left, right = niches[: len(whole)], niches[len(whole) :]
    n = max(len(whole), 1)
    tables = Counter(left), Counter(right)
    found["joint"] = {
        "users": len(whole), "agreement": sum(a == b for a, b in zip(left, right, strict=True)) / n,
        "chance": sum(tables[0][key] * tables[1][key] for key in tables[0]) / n**2,
        "kappa": cohen_kappa(left, right),
        "axes_right": sum(a == b for x, y in zip(left, right, strict=True) for a, b in zip(x, y, strict=True)) / n,
    }  # fmt: skip
    return found


def generated(users: int, seed: int, wording: str, most: int, long: int) -> tuple[dict, dict]:
    """Evidence of the first `most` sessions and long-run truth, by name, under perfect labels."""
    from loggen.users import draw_users  # pyright: ignore[reportMissingImports]

    evidence, truth = {}, {}
    for index, person in enumerate(draw_users(users, seed)):
        name = person["name"]
        evidence[name] = [planned(person, seed, index, k, wording) for k in range(most)]
        truth[name] = truth_of(person, [planned(person, seed, index, k, wording) for k in range(most, most + long)])
    return evidence, truth


def by_rules(folder: Path, users: int, sessions: int, seed: int, wording: str) -> dict[str, list[SessionEvidence]]:
    """Evidence of the same sessions as written to files, ingested and labelled by rules, by name."""
    logs = folder / "logs"
    numbers = {"users": users, "sessions": sessions, "seed": seed, "split": wording, "out": logs}
    options = [part for name, value in numbers.items() for part in (f"--{name}", str(value))]
    subprocess.run(
        [sys.executable, str(ROOT / "data" / "generate_logs.py"), *options], check=True, stdout=subprocess.DEVNULL
    )
    space = asyncio.run(label(folder / "workspace", logs))
    traits = json.loads((logs / "traits.json").read_text())["users"]
    place = {name: (user, k) for user, data in traits.items() for k, name in enumerate(data["sessions"])}
    found: dict[str, dict[int, SessionEvidence]] = {}
    for rows in gather(space).users.values():
        for row in rows:
            user, number = next(place[name] for name in place if name in row.session_id)
            found.setdefault(user, {})[number] = row
    return {user: [rows[k] for k in sorted(rows)] for user, rows in found.items()}


def main() -> None:
    """Prints two tables and, with --json, writes them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--users", type=int, default=200)
    parser.add_argument("--seed", type=int, default=23)
    parser.add_argument("--wording", default="heldout", choices=("train", "tuning", "heldout"))
    parser.add_argument("--long", type=int, default=150, help="further sessions a user behind the truth")
    parser.add_argument("--labels", nargs="+", default=["perfect", "rules"], choices=("perfect", "rules"))
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    perfect, truth = generated(args.users, args.seed, args.wording, max(COUNTS), args.long)
    sources = {"perfect": perfect}
    if "rules" in args.labels:
        with tempfile.TemporaryDirectory() as folder:
            sources["rules"] = by_rules(Path(folder), args.users, max(COUNTS), args.seed, args.wording)
    table = []
    print("labels   sessions axis                covered too_high too_low  width | kappa  agree opposite known")
    for name in args.labels:
        for count in COUNTS:
            some = {user: rows[:count] for user, rows in sources[name].items()}
            measured = measure(some, set(some), ProfileSettings(), seed=0)
            match = matched(measured, truth)
            for row in covered(measured, truth):
                level = match["axes"][row["axis"]]
                print(
                    f"{name:8} {count:8} {row['axis']:19} {row['covered']:7.3f} {row['too_high']:8.3f} "
                    f"{row['too_low']:7.3f} {row['width']:6.3f} | {level['kappa'] or 0:5.3f} {level['agreement']:6.3f} "
                    f"{level['opposite']:8.3f} {level['known']:5}"
                )
                table.append({"labels": name, "sessions": count, **row, **level})
            print(f"{name:8} {count:8} joint {json.dumps({k: round(v or 0, 3) for k, v in match['joint'].items()})}")
            table.append({"labels": name, "sessions": count, "axis": "joint", **match["joint"]})
    if args.json:
        args.json.write_text(json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
