"""Small SVG drawings as text: lines with intervals, bars, histograms. Every text in them is escaped here.

Coordinates are rounded to a tenth, so equal data gives equal text on every machine.
"""

from collections.abc import Sequence
from html import escape

from autointeract.records import Record

COLORS = ("#2563a8", "#c2571a", "#5b8c3a", "#8a5aa8", "#777777")
WIDTH, HEIGHT = 640, 260
LEFT, RIGHT, TOP, BOTTOM = 52, 16, 14, 40


class Line(Record):
    """One series: `points` = (x, y); `band` = (low, high) of each point, or none."""

    name: str
    points: list[tuple[float, float]]
    band: list[tuple[float, float]] = []
    dashed: bool = False


def lines(series: Sequence[Line], x_label: str, y_label: str, y_min: float = 0.0, y_max: float = 1.0) -> str:
    """Lines over a common x axis of whole numbers; y, a share, from `y_min` to `y_max`."""
    xs = sorted({x for line in series for x, _ in line.points}) or [0.0]
    low, high = xs[0], max(xs[-1], xs[0] + 1)

    def place(x: float, y: float) -> tuple[str, str]:
        across = LEFT + (x - low) / (high - low) * (WIDTH - LEFT - RIGHT)
        return f"{across:.1f}", f"{_height(y, y_max, y_min):.1f}"

    parts = [_frame(x_label, y_label, y_max, y_min, percent=True)]
    for x in xs:
        parts.append(f'<text x="{place(x, y_min)[0]}" y="{HEIGHT - BOTTOM + 16}" class="t m">{x:g}</text>')
    for number, line in enumerate(series):
        color = COLORS[number % len(COLORS)]
        if line.band:
            upper = [place(x, min(b[1], y_max)) for (x, _), b in zip(line.points, line.band, strict=True)]
            lower = [place(x, max(b[0], y_min)) for (x, _), b in zip(line.points, line.band, strict=True)]
            outline = " ".join(f"{x},{y}" for x, y in [*upper, *reversed(lower)])
            parts.append(f'<polygon points="{outline}" fill="{color}" opacity="0.15"/>')
        path = " ".join(",".join(place(x, min(y, y_max))) for x, y in line.points)
        dash = ' stroke-dasharray="5 4"' if line.dashed else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{color}" stroke-width="2"{dash}/>')
        for x, y in line.points:
            across, down = place(x, min(y, y_max))
            parts.append(f'<circle cx="{across}" cy="{down}" r="3" fill="{color}"/>')
    return _svg("".join(parts), [line.name for line in series])


def bars(items: Sequence[tuple[str, float]], unit: str = "") -> str:
    """Horizontal bars, one an item, longest = full width."""
    height = 22 * max(len(items), 1) + 8
    most = max((value for _, value in items), default=0) or 1
    parts = []
    for number, (name, value) in enumerate(items):
        y = 4 + 22 * number
        length = value / most * (WIDTH - 260)
        label = f"{value:,.0f}" if float(value).is_integer() else f"{value:.3g}"
        parts.append(
            f'<text x="170" y="{y + 14}" class="t e">{escape(name[:32])}</text>'
            f'<rect x="176" y="{y + 2}" width="{length:.1f}" height="16" rx="2" fill="{COLORS[0]}"/>'
            f'<text x="{180 + length:.1f}" y="{y + 14}" class="t">{escape(label + unit)}</text>'
        )
    return f'<svg viewBox="0 0 {WIDTH} {height}" role="img">{"".join(parts)}</svg>'


def histogram(series: dict[str, Sequence[float]], x_label: str, marks: dict[str, float], bins: int = 20) -> str:
    """Counts of values in [0, 1], one colour a series, with named vertical marks."""
    counts = {name: [0] * bins for name in series}
    for name, values in series.items():
        for value in values:
            counts[name][min(int(value * bins), bins - 1)] += 1
    most = max((number for row in counts.values() for number in row), default=0) or 1
    width = (WIDTH - LEFT - RIGHT) / bins
    slot = width / max(len(series), 1)
    parts = [_frame(x_label, "rows", most)]
    for index, row in enumerate(counts.values()):
        for place, number in enumerate(row):
            top = _height(number, most)
            parts.append(
                f'<rect x="{LEFT + place * width + index * slot:.1f}" y="{top:.1f}" width="{max(slot - 1, 1):.1f}" '
                f'height="{HEIGHT - BOTTOM - top:.1f}" fill="{COLORS[index % len(COLORS)]}"/>'
            )
    for name, x in marks.items():
        across = LEFT + x * (WIDTH - LEFT - RIGHT)
        parts.append(
            f'<line x1="{across:.1f}" y1="{TOP}" x2="{across:.1f}" y2="{HEIGHT - BOTTOM}" class="k"/>'
            f'<text x="{across + 4:.1f}" y="{TOP + 10}" class="t">{escape(name)}</text>'
        )
    for x in (0, 0.25, 0.5, 0.75, 1):
        across = LEFT + x * (WIDTH - LEFT - RIGHT)
        parts.append(f'<text x="{across:.1f}" y="{HEIGHT - BOTTOM + 16}" class="t m">{x:g}</text>')
    return _svg("".join(parts), list(series))


def _height(y: float, y_max: float, y_min: float = 0.0) -> float:
    return HEIGHT - BOTTOM - (y - y_min) / (y_max - y_min) * (HEIGHT - TOP - BOTTOM)


def _frame(x_label: str, y_label: str, y_max: float, y_min: float = 0.0, percent: bool = False) -> str:
    parts = []
    for step in range(5):
        value = y_min + (y_max - y_min) * step / 4
        y = _height(value, y_max, y_min)
        text = f"{100 * value:.0f} %" if percent else f"{value:.4g}"
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" class="g"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y + 4:.1f}" class="t e">{text}</text>')
    middle = (TOP + HEIGHT - BOTTOM) / 2
    parts.append(f'<text x="{(LEFT + WIDTH - RIGHT) / 2}" y="{HEIGHT - 6}" class="t m">{escape(x_label)}</text>')
    parts.append(f'<text x="11" y="{middle}" class="t m" transform="rotate(-90 11 {middle})">{escape(y_label)}</text>')
    return "".join(parts)


def _svg(body: str, names: Sequence[str]) -> str:
    legend = []
    across = LEFT
    for number, name in enumerate(names):
        legend.append(
            f'<rect x="{across}" y="{HEIGHT + 4}" width="12" height="12" fill="{COLORS[number % len(COLORS)]}"/>'
            f'<text x="{across + 17}" y="{HEIGHT + 14}" class="t">{escape(name)}</text>'
        )
        across += 34 + 7 * len(name)
    return f'<svg viewBox="0 0 {WIDTH} {HEIGHT + 24}" role="img">{body}{"".join(legend)}</svg>'
