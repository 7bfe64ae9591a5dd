"""What `datasets` reads is what was exported, whichever shard it meets first (it casts all to the first one's)."""

# pyright: reportArgumentType=false, reportCallIssue=false

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from datasets import load_dataset
from tests.trajectory_rows import tool_prompt, trajectory

from autointeract.publish import export_stage
from autointeract.publish.settings import ExportSettings
from autointeract.workspace import Workspace

Make = Callable[..., Workspace]
ARGUMENTS: list[Any] = [
    {},
    {},
    {"n": 1},
    {"n": "1"},
    {"path": "a"},
    {"deep": {"x": [None, 1.5, "2"]}},
    {"n": 2**60},
    {},
]


@pytest.fixture
def exported(workspace_of: Make, services: Any) -> Path:
    """Two rows a shard: among the shards of `tools` some hold calls without any argument."""
    rows = [trajectory(n) for n in range(5)]
    rows += [trajectory(100 + n, prompt=tool_prompt(value)) for n, value in enumerate(ARGUMENTS)]
    workspace = workspace_of(rows)
    settings = ExportSettings(val_share=0, test_share=0, rows_per_shard=2, formats=["all"])
    asyncio.run(export_stage.run(settings, workspace, services))
    return workspace.root / "export"


@pytest.mark.parametrize("backwards", [False, True])
def test_both_shard_orders(exported: Path, tmp_path: Path, backwards: bool) -> None:
    for config, count in (("default", 5), ("tools", len(ARGUMENTS))):
        files = sorted((str(path) for path in (exported / "rl" / config).glob("*.parquet")), reverse=backwards)
        loaded = load_dataset("parquet", data_files=files, split="train", cache_dir=str(tmp_path))
        assert len(loaded) == count
        if config == "tools":
            found = {row["task"]: row["prompt"][1]["tool_calls"][0]["function"]["arguments"] for row in loaded}
            assert found == {f"task-{100 + n}": value for n, value in enumerate(ARGUMENTS)}
            assert all(set(row["prompt"][0]) == {"role", "content"} for row in loaded)
        else:
            assert all(row["prompt"][-1]["role"] == "user" for row in loaded)


def test_every_shard_of_a_config_has_the_same_schema(exported: Path) -> None:
    for config in ("default", "tools"):
        schemas = [pq.read_schema(path) for path in (exported / "rl" / config).glob("*.parquet")]
        assert len(schemas) > 1 and all(schema.equals(schemas[0]) for schema in schemas)
        assert not [field.name for field in schemas[0] if pa.types.is_null(field.type)]


def test_the_folder_loads_by_its_card(exported: Path, tmp_path: Path) -> None:
    for form, config, count in (("rl", "default", 5), ("rl", "tools", 8), ("messages", "default", 13)):
        loaded = load_dataset(str(exported / form), config, cache_dir=str(tmp_path))
        assert {name: len(part) for name, part in loaded.items()} == {"train": count}


def test_no_column_has_a_name_that_verl_overwrites(exported: Path) -> None:
    names = set(pq.read_schema(next((exported / "rl" / "default").glob("*.parquet"))).names)
    reserved = (
        "uid index raw_prompt tools_kwargs interaction_kwargs __rollout_n__ __do_sample__ rm_scores responses prompts"
    )
    assert not names & set(reserved.split())


def test_an_empty_export_is_read_as_empty(workspace_of: Make, services: Any, tmp_path: Path) -> None:
    workspace = workspace_of([])
    asyncio.run(export_stage.run(ExportSettings(), workspace, services))
    folder = workspace.root / "export" / "rl"
    assert pq.read_table(next(folder.rglob("*.parquet"))).num_rows == 0
    streamed = load_dataset(str(folder), cache_dir=str(tmp_path), split="train", streaming=True)
    assert list(streamed) == []
    # `datasets` itself has no empty split: it says so, instead of failing on the file.
    with pytest.raises(ValueError, match="corresponds to no data"):
        load_dataset(str(folder), cache_dir=str(tmp_path), split="train")


def test_lines_are_split_on_newlines_alone(workspace_of: Make, services: Any) -> None:
    from autointeract.records import Message

    text = "a\u2028b\u0085c\x0bd\re"
    workspace = workspace_of([trajectory(1, prompt=[Message(role="user", content=text)])])
    asyncio.run(export_stage.run(ExportSettings(formats=["messages"], val_share=0, test_share=0), workspace, services))
    path = next((workspace.root / "export" / "messages").rglob("*.jsonl"))
    lines = path.read_bytes().split(b"\n")
    assert len(lines) == 2 and json.loads(lines[0])["messages"][0]["content"] == text
