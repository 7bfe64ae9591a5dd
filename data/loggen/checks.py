"""Checks of the generator and of the bundled logs: structure, disjoint wording (disjoint.py), reproducibility, and how
well the planted traits show in the ground truth (a ceiling for any reader of the text).
"""

import json
import re
import statistics
from collections import Counter
from pathlib import Path

from . import wording as words
from .disjoint import check_wording
from .records import REJECTED


def spearman(xs, ys):
    def ranks(values):
        order, out, i = sorted(range(len(values)), key=values.__getitem__), [0.0] * len(values), 0
        while i < len(order):
            j = i
            while j + 1 < len(order) and values[order[j + 1]] == values[order[i]]:
                j += 1
            for k in order[i : j + 1]:
                out[k] = (i + j) / 2
            i = j + 1
        return out

    return statistics.correlation(ranks(xs), ranks(ys))


def human_text(record):
    """The human words of a record, by the same facts that the generator used (for the check only)."""
    content = record["message"]["content"]
    if isinstance(content, list):
        parts = []
        for block in content:
            if block["type"] == "tool_result" and block["content"].startswith(REJECTED):
                parts.append(block["content"][len(REJECTED) :])
            elif block["type"] == "text" and not block["text"].startswith("<system-reminder>"):
                parts.append(block["text"])
        content = "\n".join(parts)
    return re.sub(r"^<ide_opened_file>.*?</ide_opened_file>\n", "", content)


def check_generator(generate, bundle, bundled, users, sessions):
    """(problems, measurements): structure, disjoint wording, reproducibility, and how well traits show in the truth."""
    problems, measured = [], {}
    found, measured["wording"] = check_wording()
    problems += found
    for split in words.HALVES:
        records, seen, rows, traits = {}, set(), [], {}
        for path, lines in generate(users, sessions, 11, split):
            if path == "traits.json":
                traits = json.loads("\n".join(lines))
            elif path == "truth.jsonl":
                rows = [json.loads(line) for line in lines]
            else:
                for line in lines:
                    record = json.loads(line)
                    if "uuid" not in record:
                        continue
                    if record["uuid"] in records:
                        problems.append(f"{path}: a uuid occurs twice")
                    if record["parentUuid"] and record["parentUuid"] not in records:
                        problems.append(f"{path}: a parent is missing")
                    if record["type"] == "user":
                        records[record["uuid"]] = human_text(record)
                    else:
                        records[record["uuid"]] = None
        for row in rows:
            seen.add(row["session_id"])
            if records.get(row["uuid"]) != row["text"]:
                problems.append(f"truth of {row['session_id']} turn {row['turn']} does not match its line")
            if "{" in row["text"] and "```" not in row["text"] and "^[a-z]" not in row["text"]:
                problems.append(f"an open slot: {row['text']!r}")
        if len(seen) != users * sessions:
            problems.append(f"{split}: {len(seen)} sessions in the truth")
        people = traits["users"].values()
        pairs = {
            "expertise": "technical",
            "vagueness": "specificity",
            "pushback": "pushback",
            "requirement_change": "requirement_change",
            "verbosity": "words",
        }
        for trait, shown in pairs.items():
            rho = spearman([p["traits"][trait] for p in people], [p["realised"][shown] for p in people])
            measured[f"{split} {trait}"] = round(rho, 3)
            if abs(rho) < 0.85:
                problems.append(f"{split}: {trait} shows only with Spearman {rho:.2f}")
        measured[f"{split} reveal pace"] = round(
            spearman([p["reveal_pace"] for p in people], [p["realised"]["facts_in_opening"] for p in people]), 3
        )
        measured[f"{split} turns"] = len(rows)
        measured[f"{split} distinct texts"] = round(len({row["text"] for row in rows}) / len(rows), 3)
        measured[f"{split} reactions"] = dict(Counter(row["reaction"] for row in rows).most_common())
    bundle = Path(bundle)
    if bundle.exists():
        total = 0
        for path, lines in generate(**bundled):
            data = "".join(line + "\n" for line in lines).encode()
            total += len(data)
            if not (bundle / path).exists() or (bundle / path).read_bytes() != data:
                problems.append(f"{bundle / path} is not what the generator writes")
        measured["bundle bytes"] = total
        if total > 3_000_000:
            problems.append("the bundle is over 3 MB")
    return problems, measured
