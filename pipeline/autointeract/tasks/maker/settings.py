"""Settings of the SWE task maker. Light: imported by the configuration at every start."""

from pydantic import Field

from autointeract.records import SettingsModel


class MakerSettings(SettingsModel):
    """How instances are made."""

    count: int = Field(default=20, ge=1)
    """Instances wanted of each package."""
    tries: int = Field(default=5, ge=1)
    """Candidate bugs tried at most, as a multiple of `count`."""
    per_function: int = Field(default=2, ge=1)
    """Candidate bugs tried in one function at most."""
    strategies: list[str] | None = None
    """Kinds of bug (maker/modifiers.py); null = all."""
    paths: list[str] = []
    """Test files or folders of the suite; empty = what pytest finds."""
    pytest_args: list[str] = []
    """Options of pytest that the suite needs (`-p NAME` of a plugin); they become part of the test command."""
    requires: list[str] = []
    """Requirements of the suite beyond the package's own."""
    python: str = "3.11"
    """Python version of the base image, for which wheels are chosen."""
    base: str = "autointeract-swe:latest"
    """Base image; `autointeract sandbox build` makes it."""
    max_flipped_share: float = Field(default=0.5, gt=0, le=1)
    """A bug that fails more of the suite than this breaks the package, not a function."""
    min_tests: int = Field(default=5, ge=1)
    """Tests that must pass twice on the clean tree."""
    time_limit_s: float = Field(default=60.0, gt=0)
    """Seconds a run of the whole suite may take (bounded suites)."""
    memory_mb: int = Field(default=1024, ge=64)
    """Memory of one run."""
    jobs: int = Field(default=2, ge=1)
    """Runs at once; does not change what comes out."""
