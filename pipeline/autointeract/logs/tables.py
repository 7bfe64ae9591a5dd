"""Rows of Parquet files and of streamed datasets: only the columns that a reader needs, a bounded number at a time."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from autointeract.errors import InputError
from autointeract.logs.places import Remote
from autointeract.logs.readers import swe_chat

BATCH_ROWS = 256
PARQUET_MAGIC = b"PAR1"


def parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """(1-based number, row) of a Parquet file.

    Raises:
        InputError: the file is damaged.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            number = 0
            for batch in file.iter_batches(batch_size=BATCH_ROWS, columns=wanted(file.schema_arrow.names)):
                for row in batch.to_pylist():
                    number += 1
                    yield number, row
    except (OSError, pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise InputError(f"{path.name}: damaged Parquet file ({str(error)[:120]})") from error


def remote_rows(remote: Remote) -> Iterator[tuple[int, dict[str, Any]]]:
    """(1-based number, row) of a dataset, streamed: nothing of it is kept on this machine.

    Raises:
        InputError: the dataset cannot be reached or read; says what to check.
    """
    from datasets import load_dataset

    where: dict[str, Any] = {"split": remote.split, "streaming": True, "revision": remote.revision}
    try:
        rows = load_dataset(remote.name, remote.config, **where)
        columns = wanted(rows.column_names or [])
        if columns is not None:
            rows = load_dataset(remote.name, remote.config, columns=columns, **where)
        for number, row in enumerate(rows, 1):
            if remote.max_rows is not None and number > remote.max_rows:
                return
            yield number, dict(row)
    except Exception as error:
        if isinstance(error, GeneratorExit | InputError):
            raise
        raise InputError(
            f"hf://{remote.name}: cannot be read ({type(error).__name__}: {str(error)[:200]}); check the name, the "
            "split, the network and, for gated datasets, that you accepted its terms and are logged in"
        ) from error


def remote_version(remote: Remote) -> str:
    """What tells one state of a dataset from another: its commit.

    Raises:
        InputError: the Hub cannot be reached or has no such dataset.
    """
    from huggingface_hub import HfApi

    try:
        return str(HfApi().dataset_info(remote.name, revision=remote.revision).sha)
    except Exception as error:
        raise InputError(
            f"hf://{remote.name}: cannot be reached ({type(error).__name__}); check name, network and login"
        ) from error


def wanted(columns: list[str]) -> list[str] | None:
    """The columns to read of a table with these; null = all."""
    if swe_chat.sniff_table(dict.fromkeys(columns)):
        return [name for name in columns if name in swe_chat.COLUMNS]
    return None
