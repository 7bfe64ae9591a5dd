"""Two small pure-Python packages with suites, written for these tests, as the task maker meets them."""

from pathlib import Path

CLOCK = {
    "pyproject.toml": '[project]\nname = "tinyclock"\nversion = "1.2"\nlicense = "MIT"\ndependencies = []\n',
    "src/tinyclock/__init__.py": "from tinyclock.span import add, clamp, parse, show, split\n",
    "src/tinyclock/span.py": '''"""Spans of time in seconds."""


def parse(text):
    """Seconds in a text such as `1h30m` or `45s`.

    Raises ValueError for an unknown unit.
    """
    total, number = 0, 0
    units = {"h": 3600, "m": 60, "s": 1}
    for char in text:
        if char.isdigit():
            number = number * 10 + int(char)
        elif char in units:
            total += number * units[char]
            number = 0
        else:
            raise ValueError(char)
    return total + number


def split(seconds):
    """(hours, minutes, seconds) of a span."""
    hours = seconds // 3600
    minutes = (seconds - hours * 3600) // 60
    return hours, minutes, seconds - hours * 3600 - minutes * 60


def show(seconds):
    """The shortest text that `parse` reads back."""
    parts = []
    for value, unit in zip(split(seconds), "hms"):
        if value > 0:
            parts.append(str(value) + unit)
    return "".join(parts) if parts else "0s"


def clamp(seconds, low, high):
    """The span, but at least `low` and at most `high`."""
    if seconds < low:
        return low
    if seconds > high:
        return high
    return seconds


def add(first, second, limit=None):
    """Two spans together, cut at `limit`."""
    total = first + second
    if limit is not None and total > limit:
        total = limit
    return total
''',
    "tests/test_span.py": """import pytest

from tinyclock import add, clamp, parse, show, split


@pytest.mark.parametrize("text,value", [("1h30m", 5400), ("45s", 45), ("2h", 7200), ("12", 12), ("", 0)])
def test_parse(text, value):
    assert parse(text) == value


def test_parse_unknown():
    with pytest.raises(ValueError):
        parse("3x")


def test_split():
    assert split(3725) == (1, 2, 5)
    assert split(59) == (0, 0, 59)


@pytest.mark.parametrize("value,text", [(3725, "1h2m5s"), (60, "1m"), (0, "0s"), (3600, "1h")])
def test_show(value, text):
    assert show(value) == text


def test_clamp():
    assert [clamp(n, 2, 5) for n in (1, 2, 4, 5, 6)] == [2, 2, 4, 5, 5]


def test_add():
    assert add(1, 2) == 3
    assert add(5, 5, limit=8) == 8
    assert add(1, 2, limit=8) == 3
""",
}
SHELF = {
    "setup.py": "raise SystemExit('set-up code of a package is never run')\n",
    "PKG-INFO": "Metadata-Version: 2.1\nName: tinyshelf\nVersion: 0.3\nLicense: BSD\n",
    "tinyshelf.py": '''"""A shelf that holds a bounded number of things."""


class Shelf:
    """Keeps the last `size` things."""

    def __init__(self, size):
        self.size = size
        self.things = []

    def put(self, thing):
        """Puts a thing on the shelf; the oldest one falls off when it is full."""
        if thing in self.things:
            self.things.remove(thing)
        self.things.append(thing)
        if len(self.things) > self.size:
            return self.things.pop(0)
        return None

    def newest(self, count=1):
        """The newest things, newest first."""
        if count < 1:
            return []
        return self.things[::-1][:count]

    def free(self):
        """Places left."""
        return self.size - len(self.things)


def sort_sizes(sizes, limit):
    """Sizes up to `limit`, largest first, and how many were left out."""
    kept, out = [], 0
    for size in sizes:
        if size <= limit and size >= 0:
            kept.append(size)
        else:
            out += 1
    return sorted(kept, reverse=True), out


def widest(rows):
    """Index of the widest row; the first of equals; -1 without rows."""
    best, width = -1, -1
    for number, row in enumerate(rows):
        if len(row) > width:
            best, width = number, len(row)
    return best
''',
    "test_tinyshelf.py": """from tinyshelf import Shelf, sort_sizes, widest


def full():
    shelf = Shelf(2)
    shelf.put("a")
    shelf.put("b")
    return shelf


def test_put_falls_off():
    shelf = full()
    assert shelf.put("c") == "a"
    assert shelf.things == ["b", "c"]


def test_put_again_moves():
    shelf = full()
    assert shelf.put("a") is None
    assert shelf.things == ["b", "a"]


def test_newest():
    assert full().newest() == ["b"]
    assert full().newest(2) == ["b", "a"]
    assert full().newest(0) == []


def test_free():
    assert Shelf(3).free() == 3
    assert full().free() == 0


def test_sort_sizes():
    assert sort_sizes([3, 9, 1, -1, 5], 5) == ([5, 3, 1], 2)


def test_widest():
    assert widest(["a", "bbb", "ccc"]) == 1
    assert widest([]) == -1


def test_widest_first():
    assert widest(["aa", "b"]) == 0
""",
}


def write(files: dict[str, str], folder: Path) -> Path:
    """Writes a package to a folder."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return folder
