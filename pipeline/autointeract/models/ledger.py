"""Ledger: one JSON line for every reply that passed the door. The numbers everybody reports come from it.

A run appends to a file of its own, `ledger/<time>-<pid>.jsonl`, unbuffered: a killed process loses no line. When it
ends it leaves `<file>.totals.json`, so that the next run need not read the lines again. Lines hold counts, names and
times; never text of a prompt or a reply, never a key.
"""

import json
import os
import time
from pathlib import Path
from typing import Any

from autointeract.models.types import Usage
from autointeract.workspace import atomic_write


class Total:
    """Calls, tokens and money of some lines. `unpriced` counts calls of unknown price, which `money` leaves out."""

    __slots__ = ("calls", "completion_tokens", "money", "prompt_tokens", "unpriced")

    def __init__(self, calls: int = 0, prompt_tokens: int = 0, completion_tokens: int = 0, money: float = 0.0,
                 unpriced: int = 0):  # fmt: skip
        self.calls, self.prompt_tokens, self.completion_tokens = calls, prompt_tokens, completion_tokens
        self.money, self.unpriced = money, unpriced

    def add(self, other: "Total") -> None:
        """Adds `other` to this."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def count(self, usage: Usage, money: float | None) -> None:
        """Adds one line."""
        self.calls += 1
        self.prompt_tokens += usage.prompt_tokens
        self.completion_tokens += usage.completion_tokens
        if money is None:
            self.unpriced += 1
        else:
            self.money += money

    @property
    def tokens(self) -> int:
        """Prompt plus completion."""
        return self.prompt_tokens + self.completion_tokens

    def view(self) -> dict[str, Any]:
        """JSON data; money is null when the price of any call is unknown."""
        return {
            "calls": self.calls, "tokens": self.tokens, "prompt_tokens": self.prompt_tokens,
            "completion_tokens": self.completion_tokens, "money": None if self.unpriced else round(self.money, 9),
            "unpriced_calls": self.unpriced,
        }  # fmt: skip


class Ledger:
    """The ledger of one workspace and one run.

    Attributes:
        spent, saved: this run's totals by role; `saved` is what cache hits would have cost.
        earlier: what earlier runs spent, by role.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.spent: dict[str, Total] = {}
        self.saved: dict[str, Total] = {}
        self._file: int | None = None
        self._path: Path | None = None
        self.earlier = _earlier(folder)

    def write(self, line: dict[str, Any], usage: Usage, money: float | None, cached: bool) -> None:
        """Appends one line and counts it.

        Args:
            line: names and times (role, model, item, round, turn, purpose, index, latency_s, queue_s, retries, fault).
            money: what it cost, or would have cost where `cached`; null = unknown price.
        """
        role = line["role"]
        totals = self.saved if cached else self.spent
        total = totals.get(role)
        if total is None:
            total = totals[role] = Total()
        total.count(usage, money)
        row = {
            **line, "prompt_tokens": usage.prompt_tokens, "completion_tokens": usage.completion_tokens,
            "reasoning_tokens": usage.reasoning_tokens, "cached_tokens": usage.cached_tokens, "money": money,
            "cache": cached, "at": round(time.time(), 3),
        }  # fmt: skip
        if self._file is None:
            self._open()
        os.write(self._file, _dump(row))  # type: ignore[arg-type]

    def report(self) -> dict[str, Any]:
        """Totals for a stage report: spent now (the top level), in all, saved by the cache; in all and by role."""
        now, saved, whole = _sum(self.spent), _sum(self.saved), _sum(self.spent)
        whole.add(_sum(self.earlier))
        roles = sorted({*self.spent, *self.saved, *self.earlier})
        by_role = {}
        for role in roles:
            total = Total()
            for source in (self.spent, self.earlier):
                total.add(source.get(role, Total()))
            by_role[role] = {
                **self.spent.get(role, Total()).view(), "total": total.view(),
                "saved": self.saved.get(role, Total()).view(),
            }  # fmt: skip
        return {**now.view(), "total": whole.view(), "saved": saved.view(), "by_role": by_role}

    def close(self) -> None:
        """Ends the run's file and leaves its totals beside it."""
        if self._file is None or self._path is None:
            return
        os.close(self._file)
        self._file = None
        totals = {role: [getattr(total, name) for name in Total.__slots__] for role, total in self.spent.items()}
        with atomic_write(_totals_path(self._path)) as temporary:
            temporary.write_text(json.dumps({"names": list(Total.__slots__), "spent": totals}), encoding="utf-8")
        # A later write of the same object begins a new file, so that totals and lines always agree.
        for role, total in self.spent.items():
            self.earlier.setdefault(role, Total()).add(total)
        self.spent = {}

    def _open(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        stamp = time.strftime("%Y%m%dT%H%M%S", time.gmtime())
        number = 0
        while self._file is None:
            self._path = self.folder / f"{stamp}-{os.getpid()}-{number}.jsonl"
            try:
                self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
            except FileExistsError:
                number += 1


def _dump(row: dict[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


try:
    import orjson
except ImportError:  # a plain install, where only simulated models run
    pass
else:

    def _dump(row: dict[str, Any]) -> bytes:
        return orjson.dumps(row, option=orjson.OPT_APPEND_NEWLINE)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """The whole lines of one ledger file; a torn last line is left out."""
    lines = []
    for text in path.read_bytes().split(b"\n")[:-1]:
        try:
            lines.append(json.loads(text))
        except ValueError:
            continue
    return lines


def _earlier(folder: Path) -> dict[str, Total]:
    spent: dict[str, Total] = {}
    for path in sorted(folder.glob("*.jsonl")) if folder.is_dir() else []:
        totals = _totals_path(path)
        if (kept := _read_totals(totals)) is not None:
            for role, total in kept.items():
                spent.setdefault(role, Total()).add(total)
            continue
        for line in read_lines(path):
            try:
                if line["cache"]:
                    continue
                usage = Usage(prompt_tokens=line["prompt_tokens"], completion_tokens=line["completion_tokens"])
                role, money = str(line["role"]), line["money"]
            except (KeyError, TypeError, ValueError):
                continue  # no line of ours: a damaged file must not stop the run
            spent.setdefault(role, Total()).count(usage, money)
    return spent


def _read_totals(path: Path) -> dict[str, Total] | None:
    """What a run left beside its lines; null where the lines themselves must be read (no file, or a damaged one)."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
        names = data["names"]
        return {role: Total(**dict(zip(names, kept, strict=True))) for role, kept in data["spent"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _totals_path(path: Path) -> Path:
    return path.with_suffix(".totals.json")


def _sum(totals: dict[str, Total]) -> Total:
    whole = Total()
    for total in totals.values():
        whole.add(total)
    return whole
