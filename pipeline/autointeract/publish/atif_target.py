"""Format `atif`: rollouts in the Agent Trajectory Interchange Format (ATIF v1.4).

One object a line: the conversation of an accepted trajectory, followed by one solver's response, with its score in
`final_metrics.extra`. A trajectory gives one line a stored solver response (`attempts.responses_json`); where no
attempt is at hand, one line without a response. So this format has its own count: rows = trajectories, `lines` =
rollouts.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from autointeract import __version__
from autointeract.publish.jsonl_file import write_lines
from autointeract.publish.messages import RefusedError, with_tools
from autointeract.publish.row_info import origin
from autointeract.publish.select import Selected
from autointeract.publish.settings import Format
from autointeract.publish.target import FileInfo, Shard
from autointeract.records import Attempt, Message, Trajectory, digest, load_json
from autointeract.workspace import Dataset
from autointeract.workspace.files import file_sha256

SCHEMA = "ATIF-v1.4"
"""https://github.com/laude-institute/harbor, docs/rfcs/0001-trajectory-format.md."""


class AtifTarget:
    """Writes `atif`. See `target.Target`."""

    name: Format = "atif"

    def __init__(self, attempts: Dataset[Attempt]):
        self.attempts = attempts

    def config_of(self, row: Selected) -> str:
        """One config: JSON holds both shapes."""
        return "default"

    def write(self, folder: Path, shard: Shard, rows: Sequence[Trajectory]) -> FileInfo:
        """Writes and reads back one JSON Lines file."""
        name = shard.file_name("jsonl")
        responses = self._responses(rows)
        lines = [
            line
            for row in rows
            for line in (rollout(row, response) for response in responses.get(row.trajectory_id) or [None])
        ]
        write_lines(folder / name, lines)
        return FileInfo(
            path=name, config=shard.config, split=shard.split, rows=len(rows), lines=len(lines),
            sha256=file_sha256(folder / name),
        )  # fmt: skip

    def _responses(self, rows: Sequence[Trajectory]) -> dict[str, list[dict[str, Any]]]:
        """Solver responses by trajectory, found by what the accepted attempt showed the solvers."""
        wanted = {_key(row.source_task_id, row.profile_id, row.prompt): row.trajectory_id for row in rows}
        found: dict[str, list[dict[str, Any]]] = {}
        for attempt in self.attempts.rows() if wanted and self.attempts.exists() else ():
            if attempt.outcome == "accepted" and attempt.arm == "guided":
                key = _key(attempt.task_id, attempt.profile_id, attempt.conversation)
                if key in wanted:
                    entries = load_json(attempt.responses_json, [])
                    found[wanted[key]] = [entry for entry in entries if "verdict" in entry and "sample" in entry]
        return found


def rollout(row: Trajectory, response: dict[str, Any] | None) -> dict[str, Any]:
    """One ATIF trajectory."""
    steps = list(_steps(row.prompt))
    models = load_json(row.models_json, {})
    data: dict[str, Any] = {
        "schema_version": SCHEMA,
        "session_id": row.trajectory_id,
        "agent": {"name": "autointeract", "version": __version__, "model_name": _model(models, "assistant")},
        "steps": steps,
        "extra": origin(row),
    }
    if response is None:
        return data
    role, sample = str(response.get("role")), response.get("sample")
    text = response.get("text")
    steps.append(
        {
            "step_id": len(steps) + 1,
            "source": "agent",
            "model_name": _model(models, role),
            "message": text if text is not None else response.get("patch") or "",
            "extra": {"solver": role, "sample": sample},
        }
    )
    if response.get("thinking"):
        steps[-1]["reasoning_content"] = response["thinking"]
    verdict = response.get("verdict") or {}
    data["session_id"] = f"{row.trajectory_id}-{role}-{sample}"
    data["final_metrics"] = {
        "total_steps": len(steps),
        "extra": {name: verdict.get(name) for name in ("score", "passed", "total", "status", "trusted")},
    }
    return data


def _steps(prompt: list[Message]) -> Iterator[dict[str, Any]]:
    steps: list[dict[str, Any]] = []
    for message in with_tools(prompt):
        if message["role"] == "tool":
            # A tool's answer is the observation of the agent step that called it.
            owner = next(
                step for step in reversed(steps)
                if any(call["tool_call_id"] == message["tool_call_id"] for call in step.get("tool_calls", []))
            )  # fmt: skip
            result = {"source_call_id": message["tool_call_id"], "content": message["content"]}
            owner.setdefault("observation", {"results": []})["results"].append(result)
            continue
        source = {"assistant": "agent"}.get(message["role"], message["role"])
        step: dict[str, Any] = {"step_id": len(steps) + 1, "source": source, "message": message["content"]}
        if "tool_calls" in message:
            step["tool_calls"] = [
                {
                    "tool_call_id": call["id"],
                    "function_name": call["function"]["name"],
                    "arguments": call["function"]["arguments"],
                }
                for call in message["tool_calls"]
            ]
        steps.append(step)
    yield from steps


def _key(task_id: str, profile_id: str, messages: list[Message]) -> str:
    try:
        return digest([task_id, profile_id, with_tools(messages)], 32)
    except (RefusedError, ValueError):
        return json.dumps([task_id, profile_id, len(messages)])


def _model(models: dict[str, Any], role: str) -> str:
    entry = models.get(role) or {}
    return str(entry.get("model", "unknown") if isinstance(entry, dict) else entry)
