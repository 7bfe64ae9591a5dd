"""OpenHands events as a file of their own: one event a line, or one array of events - together one session."""

from collections.abc import Iterator

from autointeract.logs.event import RawSession
from autointeract.logs.readers.gathered import gathered
from autointeract.logs.readers.head import Head
from autointeract.logs.readers.openhands import NAME as _NAME
from autointeract.logs.readers.openhands import is_event, read_events
from autointeract.logs.source import Source

NAME = _NAME


def sniff(head: Head) -> bool:
    """Most of the first rows are events."""
    events = [row for row in head.rows if is_event(row)]
    return head.shape in ("jsonl", "array") and len(events) * 2 > len(head.rows)


def read(source: Source, trace: bool = False) -> Iterator[RawSession]:
    """The one session of the file."""
    items = gathered(source)
    yield read_events(items if items is not None else [value for _, value in source.values()])
