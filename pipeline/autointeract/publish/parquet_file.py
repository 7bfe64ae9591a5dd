"""Writes one Parquet file and proves it: read back, it must equal what was meant, row for row."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from autointeract.errors import WorkspaceError
from autointeract.workspace.files import atomic_write

BYTES_PER_GROUP = 256 * 1024 * 1024
"""Row groups stay far under the 2 GiB that some readers can hold in one string column."""


def write_table(path: Path, table: pa.Table) -> None:
    """Writes `table` (equal tables give equal bytes) and reads it back.

    Raises:
        WorkspaceError: the file does not hold the same rows under the same schema.
    """
    rows = table.num_rows
    group = max(1, min(1024, rows * BYTES_PER_GROUP // max(table.nbytes, 1))) if rows else 1024
    with atomic_write(path) as temporary:
        with pq.ParquetWriter(temporary, table.schema, compression="zstd", write_page_index=True) as writer:
            # No row group at all in an empty file: `datasets` fails on a group of no rows.
            if rows:
                writer.write_table(table, row_group_size=group)
        again = pq.read_table(temporary)
        if again.num_rows != rows or not again.schema.equals(table.schema) or not again.equals(table):
            raise WorkspaceError(f"{path}: read back {again.num_rows} rows that differ from the {rows} written")
