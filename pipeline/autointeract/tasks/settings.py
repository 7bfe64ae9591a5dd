"""Settings of the stage `tasks`. Light: imported by the configuration at every start."""

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from autointeract.records import RUN_ONLY, SettingsModel
from autointeract.tasks.maker.settings import MakerSettings

Format = Literal["auto", "own", "dolci", "swe_smith", "swe_bench", "r2e_gym", "lcb_pro"]


class SourceSettings(SettingsModel):
    """One source of tasks. A plain string in its place is taken as `path`."""

    path: str
    """A file (.jsonl, .json, .parquet, each also .gz or .zst where text), a folder, a glob, or `hf://OWNER/NAME`
    (`hf://OWNER/NAME@REVISION`)."""
    format: Format = "auto"
    """The row shape; `auto` decides by the columns of each row."""
    name: str | None = None
    """Name of the source in rows and reports; null = what the row says, else the file's name."""
    license: str | None = None
    """Licence of the tasks, where the rows do not carry one."""
    split: str = "train"
    """Split of an `hf://` dataset."""
    limit: int | None = Field(default=None, ge=1)
    """Read at most so many rows."""
    archives: str | None = None
    """Folder with one `<problem_id>.zip` of tests a problem (LiveCodeBench-Pro)."""
    references: str | None = None
    """Folder with one `<problem_id>.cpp` (or .py) of gold code a problem, where the rows carry none."""
    patch_kind: Literal["auto", "bug_patch", "fix_patch"] = "auto"
    """What the column `patch` does; `auto` = as the shape defines it (SWE-smith: bug, SWE-bench family: fix)."""

    @model_validator(mode="before")
    @classmethod
    def _from_text(cls, value: Any) -> Any:
        return {"path": value} if isinstance(value, str) else value


class PoolSettings(SettingsModel):
    """Which candidates are worth verifying. They choose input and never change what a task's row holds."""

    limit: int | None = Field(default=None, ge=1)
    """Keep so many admitted tasks: the shortest prefix of the seeded order that holds them. null = all."""
    strategies: list[str] = ["func_*", "lm_*", "func_basic", "func_fun"]
    """Bug strategies of SWE-smith ids to take, as globs. The default is the function level (SWE-smith's ids; class and
    combined bugs and mirrored pull requests are left out)."""
    exclude_strategies: list[str] = ["*_class_*", "class_*"]
    """Strategies to leave out even when taken above."""
    max_patch_lines: int = Field(default=60, ge=1)
    """Changed lines of a gold patch at most (compact fixes)."""
    max_patch_files: int = Field(default=1, ge=1)
    """Files a gold patch may change."""
    max_tests: int = Field(default=2000, ge=1)
    """Listed tests of a SWE task at most (bounded suites)."""
    per_repo: int | None = Field(default=None, ge=1)
    """Candidates a repository at most, in the seeded order; null = no cap."""


class TasksSettings(SettingsModel):
    """How tasks are read, verified and chosen."""

    sources: Annotated[list[SourceSettings], RUN_ONLY] = []
    """Where tasks come from. Input, not settings: what a row holds is part of its own digest."""
    pool: Annotated[PoolSettings, RUN_ONLY] = PoolSettings()
    """Filters, caps and the number of tasks wanted. Changing them re-uses everything verified so far."""
    make: Annotated[MakerSettings, RUN_ONLY] = MakerSettings()
    """How `tasks make-swe` makes tasks of packages; no part of reading and verifying."""
    facts: Literal["auto", "model", "rules"] = "auto"
    """How a statement without facts is decomposed: by the `writer` model (checked to cover the statement, rules where
    it does not), or by sentence and example alone. `auto` = by the model where the role `writer` has one."""
    min_coverage: float = Field(default=0.9, ge=0, le=1)
    """Share of the statement's requirement words that a model's decomposition must quote."""
    runs: int = Field(default=2, ge=1, le=10)
    """Times gold and empty state are each run; any disagreement makes a task flaky. Twice: methods, section E."""
    max_baseline: float = Field(default=0.40, ge=0, le=1)
    """A task is guessable when a constant answer reaches this score. The weak solver's ceiling (AutoInteract)."""
    constants: int = Field(default=3, ge=1, le=20)
    """Constant answers that are really run, most promising first."""
    allow_untrusted: list[str] = []
    """Task ids (globs) admitted although some assertion can only be judged inside the candidate's process."""
    time_limit_s: float = Field(default=1.0, gt=0)
    """Seconds an assertion may take where the source does not say (open-instruct's default)."""
    case_time_limit_s: float = Field(default=2.0, gt=0)
    """Seconds a program may take a case where the source does not say."""
    memory_mb: int = Field(default=512, ge=32)
    """Memory of one run where the source does not say."""
    suite_time_limit_s: float = Field(default=120.0, gt=0)
    """Seconds a SWE task's listed tests may take (SWE-smith's TIMEOUT)."""
    max_suite_s: float = Field(default=60.0, gt=0)
    """A SWE task whose listed tests take longer while it is admitted is slow (bounded suites); half the limit of
    scoring, so that a busy machine does not fail good answers."""
    max_statement_chars: int = Field(default=60_000, ge=1)
    """Longer statements are refused: they fit no conversation."""
    max_row_mb: int = Field(default=64, ge=1)
    """Longer rows, and larger unpacked test data, are refused unread."""
