"""Span: one private piece of a text, and how overlapping pieces are settled."""

from collections.abc import Iterable
from typing import NamedTuple


class Span(NamedTuple):
    """`text[start:end]` is private; `label` is its class (SECRET, TOKEN, EMAIL, IP, PHONE, URL, USER, NAME, ID)."""

    start: int
    end: int
    label: str


def settle(spans: Iterable[Span]) -> list[Span]:
    """Disjoint spans in order: overlapping ones are united under the label of the longest, so nothing private stays."""
    settled: list[Span] = []
    for span in sorted(set(spans), key=lambda item: (item.start, -item.end, item.label)):
        if settled and span.start < settled[-1].end:
            last = settled[-1]
            longest = max(last, span, key=lambda item: item.end - item.start)
            settled[-1] = Span(last.start, max(last.end, span.end), longest.label)
        else:
            settled.append(span)
    return settled
