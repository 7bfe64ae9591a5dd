"""Format `rl`: the one flat Parquet schema that verl, TRL, SkyRL, slime, OpenRLHF and `datasets` all read.

Config `default` holds conversations of text alone; their `prompt` is a plain list of `{role, content}`. Conversations
with tool calls are a config of their own, `tools`: their `prompt` is `List(Json())`, so that arguments decode to
mappings and no message carries null keys (needs `datasets` >= 4.7; slime cannot read it). All that differs from row to
row is JSON text in string columns, the one type that every reader returns identically. See docs/training/formats.md.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from autointeract.publish.messages import plain, with_tools
from autointeract.publish.parquet_file import write_table
from autointeract.publish.row_info import ground_truth, origin
from autointeract.publish.select import Selected
from autointeract.publish.settings import ExportSettings, Format
from autointeract.publish.target import FileInfo, Shard
from autointeract.records import Trajectory, canonical_json
from autointeract.workspace.files import file_sha256

PLAIN_PROMPT = pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())]))
TOOLS_PROMPT = pa.list_(pa.json_())
_COLUMNS: list[tuple[str, pa.DataType]] = [
    ("data_source", pa.string()),
    ("ability", pa.string()),
    ("reward_model", pa.struct([("style", pa.string()), ("ground_truth", pa.string())])),
    (
        "extra_info",
        pa.struct(
            [
                ("index", pa.int64()), ("split", pa.string()), ("task_id", pa.string()),
                ("trajectory_id", pa.string()), ("need_tools_kwargs", pa.bool_()),
                ("interaction_kwargs", pa.struct([
                    ("profile_id", pa.string()), ("scenario", pa.string()), ("turns_json", pa.string()),
                ])),
            ]
        ),
    ),
    ("agent_name", pa.string()),
    ("env_class", pa.string()),
    ("answer", pa.string()),
    ("info", pa.string()),
    ("task", pa.string()),
    ("weak_score", pa.float64()),
    ("strong_score", pa.float64()),
]  # fmt: skip
SCHEMAS = {
    "default": pa.schema([("prompt", PLAIN_PROMPT), *_COLUMNS]),
    "tools": pa.schema([("prompt", TOOLS_PROMPT), *_COLUMNS]),
}
"""Column by column in docs/training/formats.md. Only `prompt` differs between the two."""


class RlTarget:
    """Writes `rl`. See `target.Target`."""

    name: Format = "rl"

    def __init__(self, settings: ExportSettings):
        self.settings = settings

    def config_of(self, row: Selected) -> str:
        """`tools` where the conversation holds tool calls."""
        return "tools" if row.tools else "default"

    def write(self, folder: Path, shard: Shard, rows: Sequence[Trajectory]) -> FileInfo:
        """Writes and reads back one Parquet file."""
        name = shard.file_name("parquet")
        write_table(folder / name, self.table(shard, rows))
        return FileInfo(
            path=name, config=shard.config, split=shard.split, rows=len(rows), sha256=file_sha256(folder / name)
        )

    def table(self, shard: Shard, rows: Sequence[Trajectory]) -> pa.Table:
        """The rows under the schema of the shard's config."""
        schema = SCHEMAS[shard.config]
        data = [self.row(row, shard.split, shard.start + number) for number, row in enumerate(rows)]
        rest = pa.Table.from_pylist(data, schema=pa.schema(list(schema)[1:]))
        if shard.config == "tools":
            prompt = _json_lists([with_tools(row.prompt) for row in rows])
        else:
            prompt = pa.array([plain(row.prompt) for row in rows], type=PLAIN_PROMPT)
        return rest.add_column(0, schema.field("prompt"), prompt).cast(schema)

    def row(self, row: Trajectory, split: str, index: int) -> dict[str, Any]:
        """All columns but `prompt`."""
        truth = ground_truth(row)
        return {
            "data_source": f"{self.settings.name}/{row.source}",
            "ability": "code",
            "reward_model": {"style": "rule", "ground_truth": truth},
            "extra_info": {
                "index": index,
                "split": split,
                "task_id": row.source_task_id,
                "trajectory_id": row.trajectory_id,
                "need_tools_kwargs": False,
                "interaction_kwargs": {
                    "profile_id": row.profile_id,
                    "scenario": row.scenario,
                    "turns_json": canonical_json([turn.model_dump(mode="json") for turn in row.turns]),
                },
            },
            "agent_name": self.settings.agent_name,
            "env_class": self.settings.env_class,
            "answer": truth,
            "info": canonical_json(origin(row)),
            "task": row.source_task_id,
            "weak_score": row.weak_score,
            "strong_score": row.strong_score,
        }


def _json_lists(lists: list[list[dict[str, Any]]]) -> pa.Array:
    offsets = [0]
    for items in lists:
        offsets.append(offsets[-1] + len(items))
    texts = pa.array([canonical_json(item) for items in lists for item in items], type=pa.string())
    values = pa.ExtensionArray.from_storage(pa.json_(), texts)
    return pa.ListArray.from_arrays(pa.array(offsets, type=pa.int32()), values)
