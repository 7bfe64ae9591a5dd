"""How untrusted code is run, and how long and large it may get."""

import os
from typing import Annotated, Literal

from pydantic import Field, SecretStr

from autointeract.records import RUN_ONLY, SettingsModel

Backend = Literal["auto", "docker", "bubblewrap", "remote"]


class Limits(SettingsModel):
    """Bounds of one run. A time limit and the memory of a candidate come from the verifier spec."""

    load_limit_s: float = Field(default=5.0, gt=0)
    """Wall seconds that loading a submission (its top level) may take."""
    disk_mb: int = Field(default=64, ge=1)
    """Size of the writable folder, and of one file."""
    files: int = Field(default=4096, ge=16)
    """Files and folders in it."""
    processes: int = Field(default=64, ge=2)
    """Processes and threads of one run."""
    output_kb: int = Field(default=1024, ge=1)
    """Output kept of a program; one that writes more is stopped (LiveCodeBench-Pro: 128 MB, see `cpp_output_kb`)."""
    cpp_output_kb: int = Field(default=131072, ge=1)
    """The same for programs judged from test archives."""
    give_up_after: int = Field(default=3, ge=0)
    """Time-outs in a row after which the remaining assertions count as time-outs; 0 runs them all."""
    wall_factor: float = Field(default=2.0, ge=1)
    """Wall time of a compiled program over its CPU time limit (LiveCodeBench-Pro)."""
    compile_limit_s: float = Field(default=10.0, gt=0)
    """CPU seconds of a compilation (LiveCodeBench-Pro)."""
    compile_memory_mb: int = Field(default=512, ge=64)
    """Memory of a compilation (LiveCodeBench-Pro)."""


class ExecutionSettings(SettingsModel):
    """Where code runs. Only `limits` and `ban_words` change verdicts; everything else may change on resume."""

    backend: Annotated[Backend, RUN_ONLY] = "auto"
    """auto takes remote if `remote_urls` is set, else Docker if an engine answers, else bubblewrap."""
    lanes: Annotated[int, RUN_ONLY] = Field(default_factory=lambda: os.cpu_count() or 1, ge=1, validate_default=True)
    """Submissions judged at once on this machine; one lane keeps about one core busy."""
    retries: Annotated[int, RUN_ONLY] = Field(default=2, ge=0)
    """How often a judgement is repeated in a new lane when its lane broke."""
    limits: Limits = Field(default_factory=Limits)
    """Bounds of one run."""
    ban_words: bool = False
    """Give 0 to code with a word on open-instruct's list (`import os`, `threading`, ...). Not needed to hold."""
    python_image: Annotated[str, RUN_ONLY] = "autointeract-python:latest"
    """Docker image of the function judge; `autointeract sandbox build` makes it."""
    cpp_image: Annotated[str, RUN_ONLY] = "autointeract-cpp:latest"
    """Docker image with g++."""
    docker_host: Annotated[str | None, RUN_ONLY] = None
    """Address of the engine; null = DOCKER_HOST, else the default socket."""
    lane_memory_mb: Annotated[int, RUN_ONLY] = Field(default=2048, ge=256)
    """Memory of one lane's container: candidate, examiner and writable folder together."""
    lane_cpus: Annotated[float, RUN_ONLY] = Field(default=2.0, gt=0)
    """CPU quota of one lane's container; examiner and candidate take turns."""
    runtime: Annotated[str | None, RUN_ONLY] = None
    """Docker runtime, for example `runsc` (gVisor); null = the engine's default."""
    swe_images: Annotated[str | None, RUN_ONLY] = None
    """Folder of unpacked task images for bubblewrap, one folder an image; null = SWE tasks need Docker."""
    swe_disk_mb: Annotated[int, RUN_ONLY] = Field(default=1024, ge=16)
    """Room for a repository and what its tests write; part of the container's memory."""
    swe_files: Annotated[int, RUN_ONLY] = Field(default=200_000, ge=1000)
    """Files and folders in it."""
    pull: Annotated[bool, RUN_ONLY] = True
    """Whether a task image that the engine does not have is pulled."""
    swe_lanes: Annotated[int, RUN_ONLY] = Field(default=2, ge=1)
    """Repository test runs at once."""
    testlib: Annotated[str | None, RUN_ONLY] = None
    """Path of testlib.h, for checkers and interactors whose archive does not bring it."""
    remote_urls: Annotated[list[str], RUN_ONLY] = []
    """Hosts that run `autointeract verify serve`."""
    remote_token: Annotated[SecretStr | None, RUN_ONLY] = None
    """Their token; null = AUTOINTERACT_VERIFY_TOKEN."""
    remote_timeout_s: Annotated[float, RUN_ONLY] = Field(default=600.0, gt=0)
    """How long one remote judgement may take, queueing included, before another host is tried."""
    cache: Annotated[bool, RUN_ONLY] = True
    """Remember deterministic verdicts."""
