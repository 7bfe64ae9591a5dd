"""Streams the rows of a source: JSON lines (plain, .gz, .zst), JSON arrays, Parquet, folders, globs, `hf://` datasets.

Every row comes with where it stands. What cannot be a row (invalid JSON, not UTF-8, too long) comes as a `Refusal`, and
the rows after it are still read. Lines are split on b"\\n" alone.
"""

import glob
import gzip
import io
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import IO, Any

from autointeract.errors import ConfigError, InputError
from autointeract.tasks.candidate import Reason, Refusal
from autointeract.tasks.settings import SourceSettings

TEXT_ENDINGS = (".jsonl", ".json", ".ndjson")
ENDINGS = (*TEXT_ENDINGS, *(end + pack for end in TEXT_ENDINGS for pack in (".gz", ".zst")), ".parquet")
_HUB_PACKAGES = frozenset({"datasets", "huggingface_hub", "httpx", "httpcore", "fsspec", "aiohttp", "requests"})
Found = tuple[str, dict[str, Any] | Refusal]


def source_label(source: SourceSettings) -> str:
    """Name of a source where its rows give none: as configured, else the dataset's or the file's name."""
    if source.name:
        return source.name
    if source.path.startswith("hf://"):
        return source.path[5:].split("@")[0]
    return Path(source.path).name.split(".")[0]


def iter_rows(source: SourceSettings, max_bytes: int) -> Iterator[Found]:
    """(where, row or refusal) of every row, at most `source.limit`.

    Raises:
        InputError: nothing is there, or a file cannot be read.
    """
    rows = _hf_rows(source) if source.path.startswith("hf://") else _file_rows(source, max_bytes)
    return islice(rows, source.limit)


def _file_rows(source: SourceSettings, max_bytes: int) -> Iterator[Found]:
    label = source_label(source)
    for path in _files(source.path):
        if path.suffix == ".parquet":
            yield from _parquet_rows(path)
        else:
            yield from _text_rows(path, label, max_bytes)


def _files(pattern: str) -> list[Path]:
    path = Path(pattern).expanduser()
    if path.is_file():
        return [path]
    if path.is_dir():
        found = [item for item in sorted(path.rglob("*")) if item.is_file() and item.name.endswith(ENDINGS)]
        missing = f"{pattern}: no task files in this folder ({', '.join(ENDINGS[:4])} ...)"
    else:
        found = [Path(item) for item in sorted(glob.glob(str(path), recursive=True)) if Path(item).is_file()]
        missing = f"{pattern}: no such file"
    if not found:
        raise InputError(missing)
    return found


def _open(path: Path) -> IO[bytes]:
    if path.suffix == ".gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    if path.suffix == ".zst":
        import zstandard

        return io.BufferedReader(zstandard.ZstdDecompressor().stream_reader(open(path, "rb"), closefd=True))
    return open(path, "rb")


def _text_rows(path: Path, label: str, max_bytes: int) -> Iterator[Found]:
    try:
        with _open(path) as file:
            start = file.read(4096)
            if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:1] == b"[":
                yield from _array_rows(path, label, start, file, max_bytes)
                return
            if start.removeprefix(b"\xef\xbb\xbf").lstrip()[:2] in (b"{\n", b"{\r"):
                raise InputError(f"{path}: objects over several lines; write one a line (jq -c . FILE) or one array")
        with _open(path) as file:
            yield from _line_rows(path, label, file, max_bytes)
    except (OSError, EOFError) as error:
        raise InputError(f"{path}: cannot be read to its end ({type(error).__name__}: {error})") from error


def _array_rows(path: Path, label: str, start: bytes, file: IO[bytes], max_bytes: int) -> Iterator[Found]:
    data = start + file.read(16 * max_bytes)
    try:
        items = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{path}: neither JSON lines nor one JSON array ({error}); use JSON lines") from error
    for number, item in enumerate(items):
        where = f"{path.name}[{number}]"
        yield where, item if isinstance(item, dict) else _refusal(where, label, "bad_row", "not a JSON object")


def _line_rows(path: Path, label: str, file: IO[bytes], max_bytes: int) -> Iterator[Found]:
    number = 0
    while line := file.readline(max_bytes + 1):
        number += 1
        where = f"{path.name}:{number}"
        if len(line) > max_bytes:
            while line and not line.endswith(b"\n"):
                line = file.readline(max_bytes + 1)
            yield where, _refusal(where, label, "too_large", f"row longer than {max_bytes // 2**20} MB (max_row_mb)")
            continue
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            yield where, _parse(where, label, line)


def _parse(where: str, label: str, line: bytes) -> dict[str, Any] | Refusal:
    try:
        row = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _refusal(where, label, "not_utf8", f"byte {error.start} is not UTF-8")
    except (ValueError, RecursionError) as error:
        return _refusal(where, label, "bad_json", str(error))
    return row if isinstance(row, dict) else _refusal(where, label, "bad_row", "not a JSON object")


def _parquet_rows(path: Path) -> Iterator[Found]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    number = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=64):
                for row in batch.to_pylist():
                    yield f"{path.name}#{number}", row
                    number += 1
    except (OSError, pa.ArrowInvalid) as error:
        raise InputError(f"{path}: not a readable Parquet file ({error})") from error


def _hf_rows(source: SourceSettings) -> Iterator[Found]:
    try:
        from datasets import load_dataset
    except ImportError as error:
        raise ConfigError("hf:// sources need the extra `pipeline`: pip install 'autointeract[pipeline]'") from error
    name, _, revision = source.path[5:].partition("@")
    try:
        rows = load_dataset(name, split=source.split, streaming=True, revision=revision or None)
        for number, row in enumerate(rows):
            yield f"{name}#{number}", dict(row)
    except Exception as error:
        # The libraries beneath raise errors of half a dozen packages; ours and a reader's pass through.
        if not isinstance(error, OSError | ValueError) and type(error).__module__.split(".")[0] not in _HUB_PACKAGES:
            raise
        raise InputError(f"hf://{name}: cannot be streamed ({error}); check name, split and access") from error


def _refusal(where: str, label: str, reason: Reason, detail: str) -> Refusal:
    return Refusal(name=where, source=label, reason=reason, detail=detail)
