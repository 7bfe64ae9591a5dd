"""Checks the bundled sample tasks (data/sample/tasks.jsonl) and prints what was measured.

In: the tasks, one JSON object a line, and beside them `task_ablations.jsonl`: for every fact but the first of each
task, a textual replacement in the reference that gives an implementation which ignores just this fact.
Out: one line a problem, a summary, exit code 1 if there was a problem.

What must hold of each task:
- the fields of the project's own task shape are there, ids are unique;
- 4 to 7 facts, each found word for word in the statement, and together they are all of it (but for the examples);
- 8 to 14 assertions `call == literal` (or the same with abs or round around the call), passed by the reference, twice;
- the best constant answer passes less than 40 % of the assertions;
- an implementation that ignores a fact fails at least one assertion (the first fact, which says what is computed at
  all, is covered by the constant answer);
- at most two public cases, which are assertions that the statement shows as examples.

It runs the code written in this repository in its own process and is no sandbox: never point it at foreign tasks.
"""

import argparse
import ast
import json
import sys
from pathlib import Path

FIELDS = {
    "task_id", "source", "license", "domain", "statement", "entry_point", "interface",
    "reference", "assertions", "facts", "public_cases",
}  # fmt: skip
CONSTANT_LIMIT = 0.40
HERE = Path(__file__).resolve().parent / "sample"


def read_lines(path):
    with open(path, encoding="utf-8") as handle:
        return [json.loads(line) for line in handle]


def load(code, entry_point):
    namespace = {}
    exec(code, namespace)  # written in this repository
    return namespace[entry_point]


def passed(assertions, function, entry_point):
    """One bool per assertion; any exception is a failure."""
    results = []
    for text in assertions:
        try:
            exec(text, {entry_point: function})
            results.append(True)
        except Exception:
            results.append(False)
    return results


def expected_values(assertions):
    """The plain values the assertions compare with: the only constants worth trying."""
    values = []
    for text in assertions:
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, (ast.Compare, ast.BinOp)):
                for side in getattr(node, "comparators", None) or [node.right]:
                    try:
                        value = ast.literal_eval(side)
                    except ValueError:
                        continue
                    if value not in values:
                        values.append(value)
    return values


def constant_score(task):
    scores = [0.0]
    for value in expected_values(task["assertions"]):
        results = passed(task["assertions"], lambda *_, value=value: value, task["entry_point"])
        scores.append(sum(results) / len(results))
    return max(scores)


def check_task(task, ablations):
    """Problems of a task as texts, its best constant score, and for each fact the share of assertions that need it."""
    name, problems = task.get("task_id", "?"), []
    if set(task) != FIELDS:
        return [f"{name}: fields differ: {sorted(set(task) ^ FIELDS)}"], 1.0, {}
    entry, assertions = task["entry_point"], task["assertions"]
    if not 4 <= len(task["facts"]) <= 7:
        problems.append(f"{name}: {len(task['facts'])} facts")
    if not 8 <= len(assertions) <= 14 or len(set(assertions)) < len(assertions):
        problems.append(f"{name}: {len(assertions)} assertions, or some twice")
    for fact in task["facts"]:
        if fact["text"] not in task["statement"]:
            problems.append(f"{name}: {fact['id']} is not in the statement")
    rest = task["statement"].split("\n\n")[0]
    for fact in task["facts"]:
        rest = rest.replace(fact["text"], "")
    if rest.strip():
        problems.append(f"{name}: no fact covers {rest.strip()!r}")
    if not task["interface"].startswith(f"`{entry}("):
        problems.append(f"{name}: the interface does not name {entry}")
    if len(task["public_cases"]) > 2 or not set(task["public_cases"]) <= set(assertions):
        problems.append(f"{name}: public cases")
    for _ in range(2):
        results = passed(assertions, load(task["reference"], entry), entry)
        if not all(results):
            problems.append(f"{name}: the reference fails {results.count(False)} assertions")
    constant = constant_score(task)
    if constant >= CONSTANT_LIMIT:
        problems.append(f"{name}: a constant passes {constant:.0%}")
    needed = {}
    for fact in task["facts"][1:]:
        code = task["reference"]
        for old, new in ablations.get((name, fact["id"]), []):
            if code.count(old) != 1:
                problems.append(f"{name}: ablation of {fact['id']} does not apply: {old!r}")
            code = code.replace(old, new)
        results = passed(assertions, load(code, entry), entry)
        needed[fact["id"]] = results.count(False) / len(results)
        if all(results):
            problems.append(f"{name}: no assertion depends on {fact['id']}")
    return problems, constant, needed


def check(folder=HERE):
    """(problems, summary) of all bundled tasks."""
    folder = Path(folder)
    tasks = read_lines(folder / "tasks.jsonl")
    ablations = {(row["task_id"], row["fact"]): row["replace"] for row in read_lines(folder / "task_ablations.jsonl")}
    problems, constants, shares = [], [], []
    for field in ("task_id", "entry_point"):
        if len({task[field] for task in tasks}) < len(tasks):
            problems.append(f"some {field} occurs twice")
    for task in tasks:
        found, constant, needed = check_task(task, ablations)
        problems += found
        constants.append(constant)
        shares += needed.values()
    summary = {
        "tasks": len(tasks),
        "assertions": sum(len(task["assertions"]) for task in tasks),
        "facts": sum(len(task["facts"]) for task in tasks),
        "public_cases": sum(len(task["public_cases"]) for task in tasks),
        "constant_max": round(max(constants), 3),
        "constant_mean": round(sum(constants) / len(constants), 3),
        "ablations": len(shares),
        "assertions_lost_per_fact_mean": round(sum(shares) / len(shares), 3),
        "assertions_lost_per_fact_min": round(min(shares), 3),
        "problems": len(problems),
    }
    return problems, summary


def main():
    parser = argparse.ArgumentParser(description="Check the bundled sample tasks.")
    parser.add_argument("--folder", default=HERE, help="folder with tasks.jsonl and task_ablations.jsonl")
    problems, summary = check(parser.parse_args().folder)
    for problem in problems:
        print(problem)
    print(json.dumps(summary))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
