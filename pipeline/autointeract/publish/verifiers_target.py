"""Format `verifiers`: what the taskset `autointeract-env` (verifiers v1, prime-rl) loads.

JSON Lines, one task a line: `id`, `prompt` in verifiers' flat message form (a tool call is `{id, name, arguments}` with
`arguments` as JSON text), `image`, `ground_truth`, and `info`. verifiers does not depend on `datasets`, so plain JSON
it is; tool calls and plain text lie in one file.
"""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from autointeract.publish.jsonl_file import write_lines
from autointeract.publish.messages import with_tools
from autointeract.publish.row_info import ground_truth, origin
from autointeract.publish.select import Selected
from autointeract.publish.settings import Format
from autointeract.publish.target import FileInfo, Shard
from autointeract.records import Message, Trajectory
from autointeract.workspace.files import file_sha256


class VerifiersTarget:
    """Writes `verifiers`. See `target.Target`."""

    name: Format = "verifiers"

    def config_of(self, row: Selected) -> str:
        """One config: JSON holds both shapes."""
        return "default"

    def write(self, folder: Path, shard: Shard, rows: Sequence[Trajectory]) -> FileInfo:
        """Writes and reads back one JSON Lines file."""
        name = shard.file_name("jsonl")
        write_lines(folder / name, [task(row) for row in rows])
        return FileInfo(
            path=name, config=shard.config, split=shard.split, rows=len(rows), sha256=file_sha256(folder / name)
        )


def task(row: Trajectory) -> dict[str, Any]:
    """One line."""
    return {
        "id": row.trajectory_id,
        "name": row.source_task_id,
        "prompt": flat(row.prompt),
        "image": row.image,
        "ground_truth": ground_truth(row),
        "info": json.dumps(origin(row), ensure_ascii=False),
    }


def flat(prompt: list[Message]) -> list[dict[str, Any]]:
    """Messages as `verifiers.v1` validates them."""
    messages = with_tools(prompt, as_text=True)
    for message in messages:
        if "tool_calls" in message:
            message["tool_calls"] = [{"id": call["id"], **call["function"]} for call in message["tool_calls"]]
    return messages
