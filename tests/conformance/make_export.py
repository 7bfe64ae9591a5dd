"""Writes a workspace and its export in every format into the folder given: 24 conversations of text alone, 6 with tool
calls (no arguments, number and text arguments), each on a task of its own.
"""

import asyncio
import json
import sys
from pathlib import Path
from types import SimpleNamespace

from tests.trajectory_rows import tool_prompt, trajectory

from autointeract.publish import export_stage
from autointeract.publish.settings import ExportSettings
from autointeract.workspace import Workspace


def main(folder: Path) -> None:
    """Writes `<folder>/ws` with its export, and `<folder>/expected.json` with the counts a loader must find."""
    arguments = [
        {},
        {"n": 1},
        {"n": "1"},
        {"path": "a.py", "deep": [1, None, "x"]},
        {"text": "\u2028 юникод"},
        {"f": 1.5},
    ]
    rows = [trajectory(n) for n in range(24)]
    rows += [trajectory(100 + n, prompt=tool_prompt(value)) for n, value in enumerate(arguments)]
    workspace = Workspace(folder / "ws")
    keep = {"stage": "synthesize", "stage_digest": "d", "inputs": {}, "complete": True}
    workspace.trajectories.write([rows], **keep)
    services = SimpleNamespace(seed=5)
    asyncio.run(export_stage.run(ExportSettings(formats=["all"], rows_per_shard=6), workspace, services))  # type: ignore[arg-type]
    manifest = json.loads((workspace.root / "export" / "manifest.json").read_text(encoding="utf-8"))
    counts: dict[str, dict[str, int]] = {}
    for info in [info for infos in manifest["formats"].values() for info in infos]:
        form = "rl" if info["path"].endswith(".parquet") else "jsonl"
        if form == "rl":
            entry = counts.setdefault(info["config"], {})
            entry[info["split"]] = entry.get(info["split"], 0) + info["rows"]
    lines = sum(info["rows"] for info in manifest["formats"]["verifiers"] if info["split"] == "train")
    expected = {"rl": counts, "verifiers_train": lines, "arguments": arguments}
    (folder / "expected.json").write_text(json.dumps(expected), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
