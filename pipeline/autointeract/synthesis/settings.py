"""Settings of the stage `synthesize`; defaults from the AutoInteract paper unless marked ours."""

from typing import Annotated, Literal

from pydantic import Field

from autointeract.records import RUN_ONLY, SettingsModel
from autointeract.records.vocabulary import POLARITY, Domain, Scenario


class BandSettings(SettingsModel):
    """The difficulty band: hard for the model to be trained, solvable for a stronger one."""

    samples: int = Field(default=3, ge=1)
    """Responses of each solver (paper: 3)."""
    weak_max: float = Field(default=0.40, ge=0, le=1)
    """The weak solver's mean score may be at most this (paper: 0.40)."""
    strong_min: float = Field(default=0.70, ge=0, le=1)
    """The strong solver's mean score must be at least this (paper: 0.70)."""
    early_stop: bool = True
    """Stop sampling as soon as a rejection is certain (ours); accepted rows always hold all samples."""


class CheckSettings(SettingsModel):
    """What a conversation must satisfy before a solver is asked."""

    min_realism: float = Field(default=0.5, ge=0, le=1)
    """Least score of the realism judge (ours)."""
    min_coherence: float = Field(default=0.5, ge=0, le=1)
    """Least score of the coherence judge (ours)."""
    min_consistency: float = Field(default=0.5, ge=0, le=1)
    """Least score of the judge that compares the user with its profile (ours)."""
    leak_ngram: int = Field(default=8, ge=4)
    """A run of this many code tokens of the reference or of a hidden test in a user turn is a leak (ours)."""
    max_revealed_cases: int = Field(default=2, ge=0)
    """Failing cases that a user may quote in bug iteration (ours); never more than a fifth of the verifier."""


class AblationSettings(SettingsModel):
    """The paper's three ablations; all on is the method itself."""

    multi_turn: bool = True
    """False: everything runs, but each task becomes one user turn."""
    user_models: bool = True
    """False: the initial fixed behavior prompt and no profile."""
    executable_verification: bool = True
    """False: a judge compares answers with the reference instead of running the verifier."""


class SweSettings(SettingsModel):
    """How agents work in repositories (ours; mini-swe-agent's are of the same order)."""

    steps: int = Field(default=40, ge=1)
    """Model calls of one agent turn."""
    tokens: int = Field(default=60_000, ge=1)
    """Tokens an agent may write in one turn."""
    command_s: float = Field(default=60.0, gt=0)
    """Seconds a command may take."""
    output_chars: int = Field(default=10_000, ge=100)
    """Output of a command that the agent is shown; the middle of more is left out."""
    sessions: Annotated[int, RUN_ONLY] = Field(default=4, ge=1)
    """Containers open at once."""


class SynthesisSettings(SettingsModel):
    """What is synthesized, how it is judged, how long it is revised."""

    items: int | None = Field(default=None, ge=1)
    """Number of items (task x profile x scenario); null = `draws` a task."""
    draws: int = Field(default=1, ge=1)
    """Items a task, each with another profile and scenario until these are exhausted (ours)."""
    target: Annotated[int | None, RUN_ONLY] = Field(default=None, ge=1)
    """Stop when the plan's shortest prefix holds this many accepted; null = run the whole plan."""
    domains: tuple[Domain, ...] = ("algorithmic", "swe")
    """Domains of the tasks to use."""
    scenarios: tuple[Scenario, ...] = (
        "clarify_in_design", "change_in_design", "clarify_after_solution", "change_after_solution", "bug_iteration",
        "open",
    )  # fmt: skip
    """Scenarios to draw from; a task gets those that fit its domain."""
    pairing: Literal["population", "niches"] = "population"
    """Profiles are drawn by their weight in the population, or uniformly over niches (ours)."""
    rounds: int = Field(default=5, ge=0)
    """Revisions after the first round (paper: 5)."""
    fault_retries: int = Field(default=1, ge=0)
    """Repeats of a round that ended in a fault; they consume no revision (ours)."""
    outage_tries: Annotated[int, RUN_ONLY] = Field(default=20, ge=1)
    """Tries of a round that the infrastructure may fail, over all runs, before later runs leave it alone (ours)."""
    max_assistant_chars: int = Field(default=20_000, ge=100)
    """An assistant turn longer than this is a fault of the assistant (ours)."""
    max_user_turns: int = Field(default=6, ge=2)
    """Most user turns of an open conversation (ours)."""
    reactive_share: float = Field(default=0.3, ge=0, le=1)
    """Share of scripted conversations that get one turn in which the user just reacts (ours)."""
    null_share: float = Field(default=0.1, ge=0, le=1)
    """Share of items that also run the null arm: re-rolls without guidance on the same seeds (ours)."""
    full_share: float = Field(default=0.1, ge=0, le=1)
    """Share of items that get the full diagnosis, every check without early stop (ours)."""
    confirm_share: float = Field(default=0.1, ge=0, le=1)
    """Share of accepted conversations that get fresh confirmation samples of both solvers (ours)."""
    confirm: bool = False
    """Make confirmation a condition of acceptance (ours)."""
    band: BandSettings = BandSettings()
    """The difficulty band."""
    checks: CheckSettings = CheckSettings()
    """Thresholds of the checks."""
    swe: SweSettings = SweSettings()
    """Agents in repositories."""
    ablation: AblationSettings = AblationSettings()
    """The paper's ablations."""
    polarity: dict[str, int] = dict(POLARITY)
    """Polarity of each strategy, +1, 0 or -1 (FACA leaves the table open; ours)."""
