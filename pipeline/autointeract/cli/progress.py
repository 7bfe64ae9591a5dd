"""What a run shows: a progress bar on a terminal, plain lines elsewhere, and each stage's report in a few lines."""

import os
import sys
import time
from typing import Any

from autointeract.records import StageReport
from autointeract.records.vocabulary import FAULTS

PLAIN_EVERY_S = 5.0


class Console:
    """Prints progress and reports. On anything but a terminal it emits no control codes."""

    def __init__(self) -> None:
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._bar = None
        self._task = None
        self._stage = ""
        self._last = 0.0

    def line(self, text: str) -> None:
        """One plain line."""
        if self._bar is not None:
            self._bar.console.print(text, markup=False, highlight=False)
        else:
            _print(text)

    def begin(self, stage: str) -> None:
        """A stage starts."""
        self._stage, self._last = stage, time.monotonic()
        if self._live:
            from rich.console import Console as RichConsole
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

            columns = (TextColumn("{task.description:<14}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Progress(*columns, console=RichConsole(stderr=True), transient=True)
            self._bar.start()
            self._task = self._bar.add_task(stage, total=None)

    def progress(self, finished: int, total: int) -> None:
        """Called by the engine after each item."""
        if self._bar is not None and self._task is not None:
            self._bar.update(self._task, completed=finished, total=total)
        elif not self._live and time.monotonic() - self._last > PLAIN_EVERY_S:
            self._last = time.monotonic()
            _print(f"{self._stage}: {finished}/{total}")

    def end(self, report: StageReport) -> None:
        """A stage is over: its counts, faults and notes."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
        counts = ", ".join(f"{value:,} {name.replace('_', ' ')}" for name, value in report.counts.items())
        _print(f"{report.stage:<13} {counts or 'nothing to do'} ({report.seconds:.1f} s)")
        for line in fault_lines(report):
            _print(f"{'':<13} {line}")
        for line in table_lines(report.details.get("table")):
            _print(f"{'':<13} {line}")
        for note in report.notes:
            _print(f"{'':<13} {note}")


def _print(text: str) -> None:
    """One line on standard output. Where nobody reads it any more the work goes on, unheard."""
    try:
        print(text, flush=True)
    except OSError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the process ends


def table_lines(table: dict[str, Any] | None) -> list[str]:
    """A stage's main table (`{"title", "head", "rows"}`) in columns; a head "a, b" takes two lines."""
    if not table:
        return []
    heads = [[name.partition(", ")[k] for name in table["head"]] for k in (0, 2)]
    rows = [*heads, *table["rows"]]
    widths = [max(len(row[place]) for row in rows) for place in range(len(table["head"]))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows]
    return [table["title"], *lines]


def fault_lines(report: StageReport) -> list[str]:
    """A line for each kind of fault, with what its name means."""
    return [
        f"faults: {number:,} {name} ({FAULTS[name]})" if name in FAULTS else f"faults: {number:,} {name}"
        for name, number in report.faults.items()
        if number
    ]
