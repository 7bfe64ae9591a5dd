"""What `ingest` reports: counts, what was skipped and why, what was removed; or one error when nothing was a log."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.compute
import pyarrow.parquet as pq

from autointeract.errors import InputError
from autointeract.logs.settings import LogsSettings
from autointeract.records import StageReport
from autointeract.records.vocabulary import TYPED_KINDS
from autointeract.workspace import Workspace

pc: Any = pyarrow.compute
"""Its functions are made at import: a type checker cannot see them."""
SHOWN = 5
"""File names shown for each reason."""


def report_of(
    workspace: Workspace, settings: LogsSettings, lines: dict[str, dict[str, Any]], named: Sequence[Any],
    new: set[str], merged: int, rows: int, stop: Any, forgotten: int = 0,
) -> StageReport:  # fmt: skip
    """The report of a run.

    Args:
        lines: the journal's line of every file of the workspace.
        named: the files of this run; `new`: digests of those that were read now.
        forgotten: how many people the workspace was told to forget.

    Raises:
        InputError: the workspace holds no session after reading, and why.
    """
    here = [{**lines[file.digest], "label": file.label} for file in named if file.digest in lines]
    counts: Counter[str] = Counter()
    problems: Counter[str] = Counter()
    for line in lines.values():
        counts.update(line["counts"])
        problems.update(line["problems"])
    refused = _refused(here)
    if rows == 0 and stop is None:
        raise InputError(_nothing(here, refused, counts, forgotten))
    people = _people(workspace)
    redacted = {name.removeprefix("redacted_"): n for name, n in sorted(counts.items()) if name.startswith("redacted_")}
    notes = [f"{len(names)} file(s) skipped: {reason} ({_names(names)})" for reason, names in refused.items()]
    notes += [f"{count} x {name.replace('_', ' ')}{_where(here, name)}" for name, count in sorted(problems.items())]
    notes += _without_person(here)
    if forgotten:
        met = counts["sessions_of_forgotten"]
        notes.append(
            f"left out: every session of {forgotten} person(s) that this workspace was told to forget"
            + (f" ({met} met again in the logs and not stored)" if met else "")
        )
    if settings.redact == "off":
        notes.append("redaction is OFF: this workspace holds private text; do not share anything made from it")
    if stop is not None:
        notes.append(f"stopped early: {stop.reason}")
    return StageReport(
        stage="ingest",
        counts={
            "sessions": rows, **people, "files": len(here), "files_read_now": len(new),
            "files_skipped": sum(map(len, refused.values())),
            "sessions_read": counts["sessions_read"], "sessions_without_person": counts["sessions_without_person"],
            **({"sessions_of_forgotten": counts["sessions_of_forgotten"]} if forgotten else {}),
            "versions_merged": merged, "redacted": sum(redacted.values()),
        },
        notes=notes,
        details={
            "redact": settings.redact, "redacted": redacted, "problems": dict(sorted(problems.items())),
            "formats": dict(sorted(Counter(line["format"] for line in here if line["format"]).items())),
            "skipped": {reason: len(names) for reason, names in refused.items()},
        },
        complete=stop is None,
    )  # fmt: skip


def _people(workspace: Workspace) -> dict[str, int]:
    """Counts of the dataset, read column by column."""
    users: set[str] = set()
    human = turns = with_human = unknown = 0
    dataset = workspace.sessions
    columns = ["user_id", "turns.list.element.kind", "turns.list.element.text"]
    for part in dataset.manifest().parts:
        with pq.ParquetFile(dataset.folder / part.name) as file:
            for group in range(file.num_row_groups):
                table = file.read_row_group(group, columns=columns).combine_chunks()
                names = table.column("user_id").to_pylist()
                users |= {name for name in names if name}
                unknown += names.count(None)
                for session in table.column("turns").chunks:
                    flat = session.flatten()
                    typed = pc.and_(
                        pc.is_in(flat.field("kind"), pa.array(sorted(TYPED_KINDS))),
                        pc.greater(pc.binary_length(flat.field("text")), 0),
                    )
                    owners = pc.call_function("list_parent_indices", [session]).filter(typed)
                    turns += len(flat)
                    human += len(owners)
                    with_human += len(owners.unique())
    return {
        "users": len(users), "sessions_with_human_turns": with_human, "sessions_without_user": unknown, "turns": turns,
        "human_turns": human,
    }  # fmt: skip


def _refused(here: list[dict[str, Any]]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for line in here:
        if line["reason"]:
            reasons.setdefault(line["reason"], []).append(line["label"])
    return dict(sorted(reasons.items()))


def _without_person(here: list[dict[str, Any]]) -> list[str]:
    """Notes on what was read and holds nobody: sessions without a person, files without a conversation."""
    agents = [line["label"] for line in here if line["counts"].get("sessions_without_person")]
    number = sum(line["counts"].get("sessions_without_person", 0) for line in here)
    empty = [line["label"] for line in here if not line["reason"] and not line["counts"].get("sessions_read")]
    notes = [f"{number} session(s) without a person not stored ({_names(agents)})"] if agents else []
    return notes + ([f"{len(empty)} file(s) without a conversation ({_names(empty)})"] if empty else [])


def _names(names: list[str]) -> str:
    more = len(names) - SHOWN
    return ", ".join(sorted(names)[:SHOWN]) + (f" and {more} more" if more > 0 else "")


def _where(here: list[dict[str, Any]], problem: str) -> str:
    """The files of this run that have a problem, in brackets."""
    names = [line["label"] for line in here if problem in line["problems"]]
    return f" ({_names(names)})" if names else ""


def _nothing(
    here: list[dict[str, Any]], refused: dict[str, list[str]], counts: Counter[str], forgotten: int = 0
) -> str:
    if refused and sum(map(len, refused.values())) == len(here):
        why = "; ".join(f"{_names(names)}: {reason}" for reason, names in list(refused.items())[:SHOWN])
        return f"no log among {len(here)} file(s): {why}"
    if forgotten:
        return (
            f"nothing is left of {counts['sessions_read']} session(s): they are of people that this workspace was told "
            "to forget, or hold no human turn; ingest other logs, or start a new workspace"
        )
    return (
        f"no human turn in {counts['sessions_read']} session(s) of {len(here)} file(s): agent runs or empty logs; "
        "`autointeract ingest --explain FILE` shows what each record was taken for"
    )
