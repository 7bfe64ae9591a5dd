"""Helpers of the tests of `logs`: a stage run in a temporary workspace, log files written line by line."""

import asyncio
import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from autointeract.engine import Engine, EngineSettings
from autointeract.logs.settings import LogsSettings
from autointeract.logs.stage import run
from autointeract.workspace import Workspace


def ingest(root: Path, *paths: Path | str, key: str = "test-key", **options: Any):
    """Runs the stage; gives (report, list of sessions)."""
    workspace = Workspace(root, key)
    services: Any = SimpleNamespace(engine=Engine(EngineSettings()), resume="auto", seed=0)
    settings = LogsSettings(paths=[str(path) for path in paths], **options)
    report = asyncio.run(run(settings, workspace, services))
    return report, list(workspace.sessions.rows())


def write_lines(path: Path, rows: list[Any]) -> Path:
    """Writes JSON lines (strings and bytes are written as they are)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [
        row
        if isinstance(row, bytes)
        else (row if isinstance(row, str) else json.dumps(row, ensure_ascii=False)).encode()
        for row in rows
    ]
    path.write_bytes(b"\n".join(lines) + b"\n")
    return path


class Claude:
    """Writes rows in the shape of Claude Code transcripts."""

    def __init__(self, session: str = "11111111-2222-4333-8444-555555555555", user: str = "quillon"):
        self.session, self.user, self.rows, self.count = session, user, [], 0

    def row(self, kind: str, **fields: Any) -> dict[str, Any]:
        self.count += 1
        parent = self.rows[-1].get("uuid") if self.rows else None
        row = {
            "parentUuid": parent, "isSidechain": False, "cwd": f"/home/{self.user}/code/garden",
            "sessionId": self.session,
            "version": "2.1.0", "type": kind, "uuid": f"{self.count:08d}-0000-4000-8000-{self.session[:8]}0000",
            "timestamp": f"2026-03-01T10:{self.count // 60:02d}:{self.count % 60:02d}.000Z", **fields,
        }  # fmt: skip
        self.rows.append(row)
        return row

    def says(self, content: Any, **fields: Any) -> dict[str, Any]:
        fields.setdefault("permissionMode", "default")
        return self.row("user", message={"role": "user", "content": content}, **fields)

    def unmarked(self, content: Any, **fields: Any) -> dict[str, Any]:
        return self.row("user", message={"role": "user", "content": content}, **fields)

    def answers(self, *blocks: Any, **fields: Any) -> dict[str, Any]:
        content = [{"type": "text", "text": block} if isinstance(block, str) else block for block in blocks]
        message = {"role": "assistant", "model": "m", "id": f"msg_{self.count}", "content": content}
        return self.row("assistant", message=message, **fields)
