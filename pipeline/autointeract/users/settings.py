"""Settings of the four stages of this room: `label`, `profile`, `learn_prompt`, `realism`. No heavy import."""

from typing import Annotated, Literal

from pydantic import Field, model_validator

from autointeract.records import RUN_ONLY, SettingsModel


class LabelSettings(SettingsModel):
    """How human turns are labelled."""

    labellers: list[Literal["rules", "model"]] = ["rules"]
    """Who labels: "rules" works without any model; "model" asks the judge role. With both, their agreement is
    reported.
    """
    context_chars: int = Field(default=1500, ge=100)
    """How much of the assistant's last text a model labeller is shown."""

    @model_validator(mode="after")
    def _rules_first(self) -> "LabelSettings":
        if not self.labellers or len(set(self.labellers)) != len(self.labellers):
            raise ValueError('labellers must name "rules", "model" or both, each once')
        return self


class ArchiveSettings(SettingsModel):
    """Diversification (MAP-Elites): how many profiles, and when a proposal is kept."""

    population: int = Field(default=0, ge=0)
    """Profiles wanted in all, the real users' own included; 0 = one profile a user and no variation."""
    elites: int = Field(default=24, ge=1)
    """Most elites kept in one niche (grows with the niche's real share when the population asks for more)."""
    batch: int = Field(default=32, ge=1)
    """Proposals asked before any is told. Part of the result, unlike concurrency (contracts.md)."""
    max_proposals_factor: float = Field(default=4.0, ge=1)
    """Give up after this many proposals for each profile wanted."""
    near_duplicate: float = Field(default=0.7, gt=0, le=1)
    """TF-IDF (words 1-2) cosine at or above which a proposal is a near-duplicate; calibrated in
    benchmarks/users_neardup.py.
    """
    far_percentile: float = Field(default=5.0, ge=0, le=50)
    """A proposal is too far when its best cosine to a real profile lies under this percentile of real profiles' own
    best cosines to each other."""
    min_fidelity: float = Field(default=0.8, ge=0, le=1)
    """Least agreement of a blind re-reading with the inherited levels."""
    recheck: int = Field(default=30, ge=0)
    """Kept variations that are read blind once more, because a noisy judge makes lucky elites."""


class ProfileSettings(SettingsModel):
    """How users are measured and described."""

    min_sessions: int = Field(default=3, ge=1)
    """Sessions before an axis of a user can count as known (realism study: about six sessions of five turns reach
    reliability 0.8; one session of any length caps it at 0.52)."""
    min_turns: int = Field(default=1, ge=1)
    """Typed turns before a user is measured at all."""
    min_reliability: float = Field(default=0.5, ge=0, lt=1)
    """Share of an estimate's variance that must be real difference between users for the axis to be known."""
    interval: float = Field(default=0.9, gt=0, lt=1)
    """Coverage of the intervals."""
    resamples: int = Field(default=400, ge=50)
    """Resamples of a user's sessions behind each interval."""
    bins: Literal["auto", "quantile", "fixed"] = "auto"
    """Levels by terciles of the known users, or by the cut points in profiles/axes.toml; auto = quantile from
    `quantile_users` known users on."""
    quantile_users: int = Field(default=30, ge=3)
    """Fewest known users for quantile bins under `auto`."""
    train: float = Field(default=0.6, gt=0, lt=1)
    """Share of users for training."""
    val: float = Field(default=0.2, gt=0, lt=1)
    """Share for validation; the rest is test, never used for profiles, niches or the prompt's choice."""
    excerpts: int = Field(default=6, ge=0)
    """Redacted turns the writer is shown beside the numbers; 0 = numbers alone."""
    excerpt_words: int = Field(default=40, ge=5)
    """Longest excerpt, in words."""
    audit: bool = True
    """Blind re-reading of every profile text."""
    revisions: int = Field(default=2, ge=0)
    """Rewrites a profile gets when the audit or the privacy check objects (the paper gives none; ours)."""
    privacy_run: int = Field(default=8, ge=3)
    """Words in a row that a profile may never share with its user's logs."""
    k_anonymity: int = Field(default=3, ge=1)
    """A kind of request is named in a profile only when at least this many users make it; rarer ones become "other"."""
    splits: int = Field(default=100, ge=10)
    """Random halves of the real users behind each real-versus-real floor of the population report."""
    permutations: int = Field(default=200, ge=20)
    """Permutations behind each of its p values."""
    archive: ArchiveSettings = ArchiveSettings()
    """Diversification."""

    @model_validator(mode="after")
    def _leaves_test(self) -> "ProfileSettings":
        if self.train + self.val >= 1:
            raise ValueError("train + val must leave a share for test (be below 1)")
        return self


class LearnPromptSettings(SettingsModel):
    """How the behavior prompt is scored and optimised."""

    optimizer: Literal["none", "gepa", "dspy.GEPA", "dspy.MIPROv2"] = "none"
    """"none" scores the seed prompt only; the others need budget."""
    max_instances: int = Field(default=60, ge=1)
    """Most next-turn instances in all, spread over train, val and test, and evenly over users."""
    max_per_session: int = Field(default=3, ge=1)
    """Most instances of one session."""
    prefix_words: int = Field(default=700, ge=50)
    """Longest conversation prefix; longer ones are compacted (middle elided, tool output named by its shape)."""
    message_words: int = Field(default=160, ge=20)
    """Longest single message in a prefix."""
    metric_calls: int = Field(default=600, ge=1)
    """Optimiser budget: rollouts (one simulated turn and its judgement)."""
    minibatch: int = Field(default=8, ge=1)
    """Instances a proposal is first tried on."""
    accept_margin: float = Field(default=0.01, ge=0)
    """Mean gain on the minibatch that counts as an improvement (a noisy judge passes half of all null changes at 0)."""
    finalists: int = Field(default=3, ge=1)
    """Best candidates scored again with fresh samples before one is chosen (winner's curse)."""
    finalist_samples: int = Field(default=1, ge=1)
    """Fresh samples of each instance in that second scoring."""
    max_prompt_words: int = Field(default=900, ge=100)
    """A candidate longer than this is refused."""
    patience: int = Field(default=20, ge=1)
    """Stop after this many iterations without a better candidate."""
    judge_repeats: int = Field(default=2, ge=1)
    """Repeat judgements of one pair, to measure the judge's own noise."""
    judge_checks: int = Field(default=12, ge=0)
    """Instances on which the judge itself is checked (the real turn must score high, another user's turn low)."""
    weights: dict[str, float] = {
        "intent": 1.0, "reaction": 1.0, "length": 1.0, "specificity": 1.0, "persona": 1.0, "realism": 1.0,
    }  # fmt: skip
    """Weights of the six aspects in the overall score (the paper names the aspects and gives no weights; equal is
    ours).
    """


class RealismSettings(SettingsModel):
    """How simulated users are compared with real ones."""

    instances: int = Field(default=80, ge=4)
    """Held-out next-turn instances that each simulator answers."""
    arms: list[str] = ["seed", "selected", "no_profile"]
    """Simulators compared: "seed" prompt, "selected" (learned) prompt, "no_profile" (selected prompt, no profile)."""
    sessions: int = Field(default=20, ge=0)
    """Whole sessions simulated per arm (each as many user turns as the real one it mirrors allows); 0 = next turns
    only.
    """
    max_turns: int = Field(default=8, ge=1)
    """Longest simulated session, in user turns."""
    floor_splits: int = Field(default=60, ge=10)
    """Real-versus-real split halves behind each floor."""
    permutations: int = Field(default=99, ge=19)
    """Permutations behind each p value."""
    resamples: int = Field(default=60, ge=20)
    """Bootstrap resamples (by user) behind each interval."""
    clusters: int = Field(default=12, ge=2)
    """Clusters of turn representations."""
    compare: Annotated[list[str], RUN_ONLY] = []
    """JSONL files of dialogues of other simulators to measure beside ours."""
