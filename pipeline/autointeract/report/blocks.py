"""What a page is made of: sections of blocks. Blocks are plain data; only the template turns them into HTML."""

from typing import Any, Literal

from autointeract.records import Record


class Text(Record):
    """A paragraph. `tone`: "plain", or "warn" for what a reader must not miss."""

    kind: Literal["text"] = "text"
    text: str
    tone: Literal["plain", "warn"] = "plain"


class Notes(Record):
    """A list of sentences."""

    kind: Literal["notes"] = "notes"
    title: str = ""
    items: list[str]


class Tiles(Record):
    """A few large numbers: `(label, value)`."""

    kind: Literal["tiles"] = "tiles"
    items: list[tuple[str, str]]


class Table(Record):
    """A table; cells are text already formatted. `more` = rows left out."""

    kind: Literal["table"] = "table"
    title: str = ""
    head: list[str]
    rows: list[list[str]]
    more: int = 0


class Figure(Record):
    """An inline SVG drawing that `svg` made (its texts are escaped there) and what it shows."""

    kind: Literal["figure"] = "figure"
    title: str
    svg: str
    caption: str = ""


class Chat(Record):
    """One conversation: `(role, text, side note)` a message."""

    kind: Literal["chat"] = "chat"
    title: str
    marks: list[str] = []
    messages: list[tuple[str, str, str]]
    facts: list[tuple[str, str]] = []


Block = Text | Notes | Tiles | Table | Figure | Chat


class Section(Record):
    """One heading and its blocks."""

    anchor: str
    title: str
    blocks: list[Block]


def table(title: str, head: list[str], rows: list[list[Any]], limit: int) -> Table:
    """A table of at most `limit` rows, cells formatted by `show`."""
    shown = [[show(cell) for cell in row] for row in rows[:limit]]
    return Table(title=title, head=head, rows=shown, more=max(0, len(rows) - limit))


def show(value: Any) -> str:
    """A cell: whole numbers with thousands separators, other numbers with three digits, null as a dash."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.3g}" if abs(value) < 1000 else f"{value:,.0f}"
    return str(value)


def percent(part: float, whole: float) -> str:
    """A share as text; a dash where there is no whole."""
    return f"{100 * part / whole:.1f} %" if whole else "–"
