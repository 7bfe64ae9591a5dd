"""Services: the small frozen bundle a stage is handed, and nothing more. Built once by the command line."""

from dataclasses import dataclass
from typing import Literal

from autointeract.engine import Engine
from autointeract.execution import Execution
from autointeract.models import Models


@dataclass(frozen=True)
class Services:
    """What a stage may use.

    Attributes:
        models: the one door to language models.
        engine: runs items.
        execution: judges untrusted code.
        seed: of the whole run; stages derive theirs from it.
        resume: what to do with earlier work (`StageRun.open`).
        config_sha: digest of all settings that decide results, for provenance columns.
    """

    models: Models
    engine: Engine
    execution: Execution
    seed: int = 0
    resume: Literal["never", "auto", "require"] = "auto"
    config_sha: str = ""
