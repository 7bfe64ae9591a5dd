"""The answer book's digest: part of the identity of simulated assistants and solvers, and of no other role."""

from pathlib import Path

from autointeract.records import digest
from autointeract.workspace import Manifest
from autointeract.workspace.files import file_sha256


def book_digest(path: Path | None) -> str | None:
    """Digest of the rows of a dataset folder (or of one file); null where there is none yet."""
    if path is None or not path.exists():
        return None
    if path.is_file():
        return file_sha256(path)
    manifest = path / "manifest.json"
    if manifest.exists():
        return Manifest.model_validate_json(manifest.read_text(encoding="utf-8")).content_digest
    return digest([[part.name, file_sha256(part)] for part in sorted(path.glob("*.parquet"))])
