"""Two drawings of the behavior prompt: measures as dots on a ratio axis, and a lineage of candidates."""

import math
from collections.abc import Sequence
from html import escape

from autointeract.records import Record
from autointeract.report.svg import BOTTOM, COLORS, HEIGHT, LEFT, RIGHT, TOP, WIDTH

NAMES, ROW = 170, 24
LOW, HIGH = 0.25, 32.0
"""Ends of the ratio axis; what lies outside is drawn at the end."""


class Dot(Record):
    """One arm's place in a row: a ratio with its range; `filled` where it is beyond chance."""

    series: str
    value: float
    low: float
    high: float
    filled: bool


def ratios(rows: Sequence[tuple[str, float, Sequence[Dot]]], label: str, series: Sequence[str]) -> str:
    """A row a measure: `(name, upper end of the grey band from 1, dots)`; the axis doubles at each tick."""
    height = TOP + ROW * len(rows) + BOTTOM
    bottom = height - BOTTOM
    parts = []
    tick = LOW
    while tick <= HIGH:
        x = _across(tick)
        style = ' stroke="#444"' if tick == 1 else ' class="g"'
        parts.append(f'<line x1="{x:.1f}" y1="{TOP}" x2="{x:.1f}" y2="{bottom}"{style}/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 16}" class="t m">{tick:g}</text>')
        tick *= 2
    for number, (name, band, dots) in enumerate(rows):
        middle = TOP + ROW * number + ROW / 2
        parts.append(f'<text x="{NAMES - 8}" y="{middle + 4:.1f}" class="t e">{escape(name)}</text>')
        start = _across(1.0)
        parts.append(
            f'<rect x="{start:.1f}" y="{middle - 9:.1f}" width="{max(_across(band) - start, 0):.1f}" height="18" '
            'fill="#d9dde3"/>'
        )
        for dot in dots:
            place = series.index(dot.series)
            y = middle + (place - (len(series) - 1) / 2) * 6
            color = COLORS[place % len(COLORS)]
            parts.append(
                f'<line x1="{_across(dot.low):.1f}" y1="{y:.1f}" x2="{_across(dot.high):.1f}" y2="{y:.1f}" '
                f'stroke="{color}"/><circle cx="{_across(dot.value):.1f}" cy="{y:.1f}" r="3.5" stroke="{color}" '
                f'stroke-width="1.5" fill="{color if dot.filled else "#fff"}"/>'
            )
    parts.append(f'<text x="{(NAMES + WIDTH - RIGHT) / 2}" y="{height - 6}" class="t m">{escape(label)}</text>')
    legend, across = [], NAMES
    for place, name in enumerate(series):
        legend.append(
            f'<circle cx="{across + 6}" cy="{height + 10}" r="5" fill="{COLORS[place % len(COLORS)]}"/>'
            f'<text x="{across + 17}" y="{height + 14}" class="t">{escape(name)}</text>'
        )
        across += 34 + 7 * len(name)
    body = "".join([*parts, *legend])
    return f'<svg viewBox="0 0 {WIDTH} {height + 24}" role="img" style="max-height:none">{body}</svg>'


def tree(nodes: Sequence[tuple[int | None, float, float]], chosen: int | None, x_label: str) -> str:
    """Candidates as `(parent, x, score)`: a line to the parent; the chosen one is filled."""
    xs, ys = [x for _, x, _ in nodes], [y for _, _, y in nodes]
    left, right, low, high = min(xs), max([*xs, min(xs) + 1]), min(ys), max(ys)
    low, high = low - 0.01, high + 0.01

    def at(place: int) -> tuple[float, float]:
        x = LEFT + (xs[place] - left) / (right - left) * (WIDTH - LEFT - RIGHT - 20) + 10
        return x, HEIGHT - BOTTOM - (ys[place] - low) / (high - low) * (HEIGHT - TOP - BOTTOM)

    parts = []
    for step in range(5):
        value = low + (high - low) * step / 4
        y = HEIGHT - BOTTOM - step / 4 * (HEIGHT - TOP - BOTTOM)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" class="g"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" class="t e">{value:.3f}</text>')
    for place, (parent, _, _) in enumerate(nodes):
        if parent is not None:
            (x1, y1), (x2, y2) = at(parent), at(place)
            parts.append(f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="#777"/>')
    for place in range(len(nodes)):
        x, y = at(place)
        fill = COLORS[1] if place == chosen else "#fff"
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="9" fill="{fill}" stroke="{COLORS[0]}" stroke-width="1.5"/>')
        parts.append(f'<text x="{x:.1f}" y="{y + 4:.1f}" class="t m">{place}</text>')
    parts.append(f'<text x="{(LEFT + WIDTH) / 2}" y="{HEIGHT - 6}" class="t m">{escape(x_label)}</text>')
    for value, anchor in ((left, LEFT + 10), (right, WIDTH - RIGHT - 10)):
        parts.append(f'<text x="{anchor}" y="{HEIGHT - BOTTOM + 16}" class="t m">{value:g}</text>')
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{"".join(parts)}</svg>'


def _across(value: float) -> float:
    share = math.log(min(max(value, LOW), HIGH) / LOW) / math.log(HIGH / LOW)
    return NAMES + share * (WIDTH - NAMES - RIGHT)
