"""Format `messages`: OpenAI-messages JSON Lines.

One object a line: `messages` (tool-call arguments as JSON text, as OpenAI's own files hold them), `ground_truth` and
`metadata`. The last message is the user's; the model's answer is not there.
"""

from collections.abc import Sequence
from pathlib import Path

from autointeract.publish.jsonl_file import write_lines
from autointeract.publish.messages import with_tools
from autointeract.publish.row_info import ground_truth, origin
from autointeract.publish.select import Selected
from autointeract.publish.settings import Format
from autointeract.publish.target import FileInfo, Shard
from autointeract.records import Trajectory
from autointeract.workspace.files import file_sha256


class MessagesTarget:
    """Writes `messages`. See `target.Target`."""

    name: Format = "messages"

    def config_of(self, row: Selected) -> str:
        """One config: JSON holds both shapes."""
        return "default"

    def write(self, folder: Path, shard: Shard, rows: Sequence[Trajectory]) -> FileInfo:
        """Writes and reads back one JSON Lines file."""
        name = shard.file_name("jsonl")
        lines = [
            {
                "messages": with_tools(row.prompt, as_text=True),
                "ground_truth": ground_truth(row),
                "metadata": origin(row),
            }
            for row in rows
        ]
        write_lines(folder / name, lines)
        return FileInfo(
            path=name, config=shard.config, split=shard.split, rows=len(rows), sha256=file_sha256(folder / name)
        )
