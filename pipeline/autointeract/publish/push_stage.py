"""Stage `push`: an export to the Hub.

Comes in: `<workspace>/export/<format>/` and its manifest. Goes out: one commit to a dataset repository, private by
default. Refuses what may not leave: files that differ from the manifest, rows made with simulated models, sources whose
licence speaks against it (both: without a flag), and anything shaped like a secret (always). The token comes from
huggingface_hub (HF_TOKEN or its login), never from a setting, so that it can be in no file of ours.
"""

import asyncio
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from autointeract.errors import ConfigError, InputError, WorkspaceError
from autointeract.publish.hub import Pushed, push_folder
from autointeract.publish.licenses import read_licenses
from autointeract.publish.secrets import find_secrets, own_secrets
from autointeract.publish.settings import PushSettings
from autointeract.records import StageReport
from autointeract.workspace import Workspace
from autointeract.workspace.files import file_sha256

if TYPE_CHECKING:
    from autointeract.services import Services

SHOWN = 5


async def run(settings: PushSettings, workspace: Workspace, services: "Services") -> StageReport:
    """Checks, then pushes.

    Raises:
        ConfigError: no repository is named, or the rows may not be pushed without a flag.
        InputError: the files hold something shaped like a secret.
        WorkspaceError: there is no such export, or it was changed by hand.
        StoppedError: the Hub cannot be reached; the same command goes on.
    """
    if not settings.repo:
        raise ConfigError("push.repo is not set: name a dataset repository, e.g. -c push.repo=me/my-data")
    root = workspace.root / "export"
    folder, files, manifest = check_export(root, settings)
    pushed = await asyncio.to_thread(push_folder, folder, settings.repo, settings)
    return StageReport(
        stage="push",
        counts={
            "rows": sum(info["rows"] for info in files), "files added": len(pushed.added),
            "files removed": len(pushed.removed), "files unchanged": pushed.unchanged,
        },
        notes=list(_notes(settings, pushed, manifest)),
        details=pushed.model_dump(),
    )  # fmt: skip


def check_export(root: Path, settings: PushSettings) -> tuple[Path, list[dict[str, Any]], dict[str, Any]]:
    """The folder to push, its files, the manifest; every check before the first byte leaves. See `run` for errors."""
    path = root / "manifest.json"
    try:
        manifest = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
        files = manifest.get("formats", {}).get(settings.format)
    except (ValueError, AttributeError):
        raise WorkspaceError(f"{path} is damaged: run `autointeract export` again") from None
    folder = root / settings.format
    if not files or not folder.is_dir():
        raise WorkspaceError(f"no export of format {settings.format!r} under {root}: run `autointeract export` first")
    for info in files:
        file = folder / info["path"]
        if not file.is_file() or file_sha256(file) != info["sha256"]:
            raise WorkspaceError(f"{file} is not what the export wrote: run `autointeract export` again")
    if manifest["rows_out"] == 0:
        raise ConfigError(f"the export under {root} holds no row: there is nothing to push")
    if manifest["simulated"] and not settings.allow_simulated:
        raise ConfigError(
            f"{manifest['simulated']} of {manifest['rows_out']} rows were made with simulated models: they are not for "
            "training; to push them all the same: -c push.allow_simulated=true"
        )
    conflicts = read_licenses(manifest["licenses"]).conflicts
    if conflicts and not settings.allow_license_conflicts:
        raise ConfigError(
            f"licences: {'; '.join(conflicts)}; leave the source out (export.sources) or, if you may: "
            "push.allow_license_conflicts=true"
        )
    everything = sorted(file for file in folder.rglob("*") if file.is_file())
    found = list(islice(find_secrets(everything, own_secrets(key_file=root.parent / "key")), SHOWN))
    if found:
        raise InputError(f"nothing was pushed, the files hold secrets: {'; '.join(found)}")
    return folder, files, manifest


def _notes(settings: PushSettings, pushed: Pushed, manifest: dict[str, Any]) -> Iterator[str]:
    if pushed.commit is None:
        yield f"{settings.repo} holds this export already: nothing was sent"
    else:
        yield (
            f"{settings.repo}: {len(pushed.added)} files added or replaced, {len(pushed.removed)} removed, one commit "
            f"{pushed.commit[:12]}"
        )
    if pushed.created:
        yield f"made the repository {settings.repo}, {'private' if settings.private else 'PUBLIC'}"
    if manifest["simulated"]:
        yield f"{manifest['simulated']} rows were made with simulated models; the card says so"
