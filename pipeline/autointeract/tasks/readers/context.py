"""ReadContext: where a row stands and under which settings it is read, with the small checks every reader shares."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from autointeract.errors import InputError
from autointeract.records import clean_text
from autointeract.tasks.candidate import Candidate, Reason, Refusal
from autointeract.tasks.settings import SourceSettings, TasksSettings


class RowError(Exception):
    """A row cannot be used; carries the reason. Raised by readers' helpers, caught by `ReadContext.guarded`."""

    def __init__(self, reason: Reason, detail: str):
        super().__init__(detail)
        self.reason: Reason = reason


@dataclass(frozen=True)
class ReadContext:
    """Where a row stands.

    Attributes:
        where: file and line, for messages.
        label: name of the source when the row names none.
    """

    where: str
    source: SourceSettings
    label: str
    settings: TasksSettings

    def guarded(
        self, read: Callable[[dict[str, Any], "ReadContext"], Candidate | Refusal], row: dict[str, Any]
    ) -> Candidate | Refusal:
        """What `read` says about `row`, or the refusal for what it tripped over."""
        name = row_name(row) or self.where
        try:
            found = read(row, self)
        except RowError as error:
            return self.refuse(name, error.reason, str(error))
        except InputError as error:
            return self.refuse(name, "bad_ground_truth", str(error))
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join(str(part) for part in first["loc"])
            return self.refuse(name, "bad_row", f"{path}: {first['msg']}")
        if isinstance(found, Candidate) and len(found.statement) > self.settings.max_statement_chars:
            size, most = len(found.statement), self.settings.max_statement_chars
            return found.refuse("too_large", f"statement of {size} characters, at most {most} (max_statement_chars)")
        return found

    def refuse(self, name: str, reason: Reason, detail: str) -> Refusal:
        """A refusal that says where the row stands."""
        place = "" if name == self.where else f" [{self.where}]"
        return Refusal(name=name, source=self.label, reason=reason, detail=f"{one_line(detail)}{place}")


def row_name(row: dict[str, Any]) -> str | None:
    """The id a row gives itself, under any of the usual column names."""
    for column in ("task_id", "id", "instance_id", "problem_id", "custom_id", "key"):
        value = row.get(column)
        if isinstance(value, str | int) and str(value).strip():
            return one_line(clean_text(str(value)), 200)
    return None


def one_line(text: str, most: int = 300) -> str:
    """`text` on one line, cut to `most` characters."""
    line = " ".join(text.split())
    return line if len(line) <= most else line[: most - 3] + "..."


def need_text(row: dict[str, Any], *columns: str) -> str:
    """The first of `columns` that holds text, cleaned.

    Raises:
        RowError: none does.
    """
    for column in columns:
        value = row.get(column)
        if isinstance(value, str) and value.strip():
            return clean_text(value)
    raise RowError("missing_column", f"needs text in {' or '.join(columns)}")


def optional_text(row: dict[str, Any], *columns: str) -> str | None:
    """As `need_text`; null where none holds text."""
    try:
        return need_text(row, *columns)
    except RowError:
        return None
