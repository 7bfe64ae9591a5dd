"""Seeded generator of Claude Code session logs of GENERATED users whose traits are known.

No person wrote a word of these logs. They serve the demo and the recovery tests: traits are planted here, and the
pipeline must find them again from the text alone.

In: numbers of users and sessions, a seed, a wording split. Out: for each user a folder of `<session-uuid>.jsonl` files
in the shape of Claude Code logs, and beside them
- `traits.json` (`"generated": true`): per user the planted traits, style, intent mix, reveal pace, what was realised,
  and the canaries (fake secrets and addresses) with their places;
- `truth.jsonl`: one line a human turn: session, line uuid, exact human text, reaction, intent, specificity, facts.
Ground truth is never inside the session files.

Traits are numbers in [0, 1], spread evenly over the population and mildly correlated. What they cause:
- pushback: a non-opening turn is a correction, rejection or failure report with probability 0.03 + 0.5 * pushback;
- requirement_change: a non-opening turn changes a requirement with probability 0.01 + 0.48 * requirement_change;
- vagueness: the specificity of a turn is about 3 * (1 - vagueness); it decides which objects, values, steps are named;
- expertise: the probability that a wording is technical (paths, functions, exact constraints, traces) rather than lay;
- verbosity: mean words a turn, 6 * 20 ** verbosity (6 to 120) before facts are added.
Reveal pace is the share of a session's requirement facts that the opening turn states, if it is specific at all.

The plan of a session (reactions, levels, facts, lengths) and its wording use separate random streams: with one seed the
`train`, `tuning` and `heldout` logs are the same users doing the same things in disjoint words. `train` is bundled,
`tuning` may be looked at while rules are tuned, `heldout` is kept for recovery tests.

The opening turn is a `new_request`. The intent of a turn is that of the work at hand, except: accept, end and vague are
`other`, clarify is `understand`, report_failure is `debug`. Specificity is that of the text as it came out: 0 nothing
named, 1 a goal, 2 a named place, 3 values or steps.

    python data/generate_logs.py --users 12 --sessions 6 --seed 7 --out data/sample/logs
    python data/generate_logs.py --check

Needs only the standard library. It never reads real logs.
"""

import argparse
import json
import shutil
import statistics
import sys
import uuid
from collections import Counter
from pathlib import Path

HERE = Path(__file__).resolve().parent
if str(HERE) not in sys.path:
    sys.path.insert(0, str(HERE))
from loggen.plan import PUSHBACK, plan_session  # noqa: E402
from loggen.records import write_session  # noqa: E402
from loggen.users import draw_users, stream  # noqa: E402
from loggen.wording import SPLITS, halves_of  # noqa: E402

BUNDLE = {"users": 12, "sessions": 6, "seed": 7, "split": "train"}
CANARIES = (
    ("email", "human", "my address for that is dev.{i}@example.org"),
    ("api_key", "human", "for the trial it uses sk-test-generated0000notakey{i}1234567890"),
    ("aws_key", "tool", "AWS_ACCESS_KEY_ID=AKIAGENERATEDEXAMPLE"),
    ("home_path", "human", "the old copy lies in /home/{user}/private/notes-{i}.txt"),
    ("token", "tool", "GITHUB_TOKEN=ghp_GeneratedNotARealToken00000000000{i}"),
    ("url_password", "assistant", "I used postgres://demo:generated-pass-{i}@db.example.org/app for the connection."),
)


def generate(users=12, sessions=6, seed=7, split="train", foreign=0.0, canaries=True):
    """Yields (relative path, lines): the session files user by user, then truth.jsonl and traits.json.

    `split` is train, tuning, heldout or all (all three parts of the wording); ValueError otherwise. `foreign` is the
    share of users who write German or Spanish; their requests carry no facts and exist to try the tools on other
    languages. Lines end without a newline.
    """
    halves_of(split)  # an unknown name is refused before anything is yielded
    people = draw_users(users, seed, foreign)
    truth, planted, described = [], [], {}
    for i, user in enumerate(people):
        ids, own, interrupts = [], [], 0
        for j in range(sessions):
            session_id = str(uuid.UUID(int=stream(seed, "session", split, i, j).getrandbits(128), version=4))
            fake = []
            if canaries and j == min(1, sessions - 1) and i % 2 == 0:
                kind, where, text = CANARIES[(i // 2) % len(CANARIES)]
                fake = [(kind, where, text.format(i=i % 10, user=user["name"]))]
            plan = plan_session(user, seed, i, j)
            lines, rows, found, stops = write_session(user, plan, session_id, split, seed, (i, j), fake)
            yield f"{user['name']}/{session_id}.jsonl", [dump(line) for line in lines]
            ids.append(session_id)
            own += rows
            planted += found
            interrupts += stops
        truth += own
        described[user["name"]] = {**{k: v for k, v in user.items() if k != "name"}, "sessions": ids,
                                   "realised": realised(own, interrupts)}  # fmt: skip
    yield "truth.jsonl", [dump(row) for row in truth]
    head = {
        "generated": True,
        "generator": "data/generate_logs.py",
        "seed": seed,
        "split": split,
        "sessions_per_user": sessions,
    }
    yield (
        "traits.json",
        json.dumps({**head, "users": described, "canaries": planted}, indent=1, ensure_ascii=False).split("\n"),
    )


def dump(row):
    return json.dumps(row, ensure_ascii=False, separators=(",", ":"))


def realised(rows, interrupts):
    """What came out for one user, from the ground truth: the best that any reader of the text could hope to see."""
    later = [row for row in rows if not row["opening"]]
    rates = Counter(row["reaction"] for row in later)
    asking = [
        row
        for row in rows
        if row["reaction"] in ("new_request", "correct", "change_requirement", "report_failure", "answer", "vague")
    ]
    first = [len(row["facts"]) / row["session_facts"] for row in rows if row["opening"]]
    return {
        "turns": len(rows),
        "pushback": round(sum(rates[name] for name in PUSHBACK) / max(len(later), 1), 4),
        "requirement_change": round(rates["change_requirement"] / max(len(later), 1), 4),
        "specificity": round(statistics.mean(row["specificity"] for row in asking), 4),
        "technical": round(statistics.mean(row["technical"] for row in rows), 4),
        "words": round(statistics.mean(row["words"] for row in rows), 2),
        "facts_in_opening": round(statistics.mean(first), 4),
        "interrupts": interrupts,
        "reactions": dict(sorted(rates.items())),
    }


def write(out, **arguments):
    """Writes everything below `out`, whose generated content is replaced. Returns (files, bytes)."""
    out = Path(out)
    if (out / "traits.json").exists():
        old = json.loads((out / "traits.json").read_text(encoding="utf-8"))
        if not old.get("generated"):
            raise SystemExit(f"{out}/traits.json is not marked as generated: nothing was written")
        for name in old["users"]:
            shutil.rmtree(out / name, ignore_errors=True)
    elif out.exists() and any(out.iterdir()):
        raise SystemExit(f"{out} is not empty and was not made by this generator: nothing was written")
    files = size = 0
    for path, lines in generate(**arguments):
        target = out / path
        target.parent.mkdir(parents=True, exist_ok=True)
        data = "".join(line + "\n" for line in lines).encode()
        target.write_bytes(data)
        files, size = files + 1, size + len(data)
    return files, size


def check(bundle=HERE / "sample" / "logs", users=200, sessions=6):
    """(problems, measurements) of the generator and the bundled logs; see loggen/checks.py."""
    from loggen.checks import check_generator

    return check_generator(generate, bundle, BUNDLE, users, sessions)


def main():
    parser = argparse.ArgumentParser(description="Generate Claude Code logs of made-up users with known traits.")
    parser.add_argument("--users", type=int, default=BUNDLE["users"])
    parser.add_argument("--sessions", type=int, default=BUNDLE["sessions"])
    parser.add_argument("--seed", type=int, default=BUNDLE["seed"])
    parser.add_argument(
        "--split", choices=SPLITS, default=BUNDLE["split"], help="which part of the wording (default: %(default)s)"
    )
    parser.add_argument("--foreign", type=float, default=0.0, help="share of users who write German or Spanish")
    parser.add_argument("--no-canaries", action="store_true", help="plant no fake secrets")
    parser.add_argument("--out", default=HERE / "sample" / "logs")
    parser.add_argument("--check", action="store_true", help="check the generator and the bundled logs, write nothing")
    args = parser.parse_args()
    if args.check:
        problems, measured = check()
        print(json.dumps(measured, indent=1))
        for problem in problems[:40]:
            print(problem)
        print(f"{len(problems)} problems")
        return 1 if problems else 0
    files, size = write(args.out, users=args.users, sessions=args.sessions, seed=args.seed, split=args.split,
                        foreign=args.foreign, canaries=not args.no_canaries)  # fmt: skip
    print(f"{files} files, {size} bytes in {args.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
