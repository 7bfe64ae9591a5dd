"""Settings of `export` and `push`. No heavy import."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from autointeract.records import RUN_ONLY, SettingsModel

Format = Literal["rl", "verifiers", "messages", "atif"]
FORMATS: tuple[Format, ...] = ("rl", "verifiers", "messages", "atif")
ALIASES: dict[str, Format] = {
    "verl": "rl", "trl": "rl", "skyrl": "rl", "slime": "rl", "openrlhf": "rl", "datasets": "rl", "parquet": "rl",
    "prime-rl": "verifiers", "openai": "messages", "jsonl": "messages",
}  # fmt: skip
"""Names people look for; every trainer of the first line reads the same `rl` files."""


class ExportSettings(SettingsModel):
    """What is exported, and how it is split."""

    formats: list[str] = ["rl"]
    """Any of rl (verl, TRL, SkyRL, slime, OpenRLHF, datasets), verifiers (prime-rl), messages (OpenAI JSONL), atif
    (rollouts); or "all"."""
    folder: Annotated[str | None, RUN_ONLY] = None
    """Where to write; null = `export` in the workspace."""
    name: str = Field(default="autointeract", pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$")
    """Name of the dataset: prefix of `data_source`, title of the card."""
    val_share: float = Field(default=0.1, ge=0, lt=1)
    """Share of tasks in the validation split (all rows of a task are in one split)."""
    test_share: float = Field(default=0.1, ge=0, lt=1)
    """Share of tasks in the test split."""
    shuffle: bool = True
    """Seeded order within a split; false keeps the order of the workspace."""
    dedup: Literal["off", "exact", "normalized"] = "exact"
    """exact: one row a trajectory_id (same prompt, verifier and state); normalized: also one row a task and prompt
    text, letter case and white space aside."""
    max_rows_per_task: int | None = Field(default=None, ge=1)
    """Keep at most this many conversations of one task (the first in the seeded order)."""
    min_weak: float = Field(default=0.0, ge=0, le=1)
    """Leave out rows that the weak solver finds harder than this mean score."""
    max_weak: float = Field(default=1.0, ge=0, le=1)
    """Leave out rows that the weak solver finds easier than this mean score."""
    min_strong: float = Field(default=0.0, ge=0, le=1)
    """Leave out rows on which the strong solver scores less."""
    max_strong: float = Field(default=1.0, ge=0, le=1)
    """Leave out rows on which the strong solver scores more."""
    niches: list[str] = []
    """Only these niches; `*` stands for any level (`high/*/*/*/low`). Empty = all."""
    domains: list[Literal["algorithmic", "swe"]] = []
    """Only these domains. Empty = all."""
    sources: list[str] = []
    """Only tasks of these sources. Empty = all."""
    rows_per_shard: int = Field(default=5000, ge=1)
    """Rows of one file; also the most rows held in memory at once."""
    agent_name: str = "single_turn_agent"
    """verl: the agent loop of every row."""
    env_class: str = "autointeract"
    """SkyRL: the environment of every row."""

    @model_validator(mode="after")
    def _check(self) -> Self:
        if self.val_share + self.test_share >= 1:
            raise ValueError("val_share + test_share must leave something for training")
        if not self.formats:
            raise ValueError("formats names nothing to write")
        for name in self.formats:
            if name not in (*FORMATS, *ALIASES, "all"):
                raise ValueError(f"unknown format {name!r}; known: {', '.join((*FORMATS, *sorted(ALIASES)))}, all")
        return self

    def resolved_formats(self) -> tuple[Format, ...]:
        """The formats to write, aliases resolved, each once, in the order of `FORMATS`."""
        wanted = {ALIASES.get(name, name) for name in self.formats}
        return tuple(name for name in FORMATS if name in wanted or "all" in wanted)


class PushSettings(SettingsModel):
    """Where an export is pushed, and what may be pushed."""

    repo: str | None = Field(default=None, pattern=r"^[\w.-]+/[\w.-]+$")
    """Dataset repository on the Hub, `owner/name`."""
    format: Format = "rl"
    """Which format's folder is pushed; it becomes the root of the repository."""
    private: bool = True
    """Make a new repository private. An existing one is never made public or private by a push."""
    allow_simulated: bool = False
    """Push rows that were made with simulated models."""
    allow_license_conflicts: bool = False
    """Push although a source's licence is unknown or speaks against it; you have read them."""
    message: str = "Upload with autointeract"
    """Message of the commit."""
    endpoint: Annotated[str | None, RUN_ONLY] = None
    """Address of the Hub; null = the one of `huggingface_hub` (HF_ENDPOINT)."""
    tries: Annotated[int, RUN_ONLY] = Field(default=6, ge=1)
    """Tries of one request that the Hub refuses for the moment (429, 5xx, a dropped connection)."""
    wait_s: Annotated[float, RUN_ONLY] = Field(default=2.0, ge=0)
    """Seconds before the second try, doubled at each further one (at most a minute; Retry-After is honoured)."""
