"""Readers: one module a format, chosen by what a file holds and never by what it is called.

A file reader has `NAME`, `sniff(head) -> bool` and `read(source, trace) -> Iterator[RawSession]`. A row reader has
`NAME`, `sniff_row(row) -> bool` and `read_row(row, number) -> RawSession | None`: one row is one conversation,
wherever rows come from (JSON lines, a JSON array, Parquet, a streamed dataset). A refusal recognises what looks like a
log and is none, with the reason.
"""

from autointeract.logs.readers.choose import Chosen, choose, choose_rows, read_rows, read_source
from autointeract.logs.readers.head import Head

__all__ = ["Chosen", "Head", "choose", "choose_rows", "read_rows", "read_source"]
