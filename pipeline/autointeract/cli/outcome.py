"""What a finished stage must have left: one that ends with an empty result says so and ends with exit code 2."""

from autointeract.records import StageReport
from autointeract.workspace import Workspace

_RESULT = {
    "label": ("labels", "no turn was labelled: no session holds a turn that a person typed"),
    "profile": ("profiles", "no profile was made: no user has enough sessions, or the logs name no user"),
    "tasks": ("tasks", "no task was admitted; the report above gives the reasons"),
    "synthesize": ("trajectories", "no conversation was accepted; see how the items ended, above and in the report"),
}
"""Stage -> (the dataset that it is run for, what to say when that holds no row)."""
NEEDED = frozenset({"tasks"})
"""Stages without whose result `run` does not go on."""


_INPUTS = {
    "label": ("sessions",), "profile": ("sessions", "labels"), "learn-prompt": ("sessions", "labels", "profiles"),
    "realism": ("sessions", "labels", "profiles", "prompts"), "synthesize": ("tasks", "profiles", "prompts"),
    "export": ("trajectories",),
}  # fmt: skip


def unfinished_inputs(stage: str, workspace: Workspace) -> str | None:
    """A line where a stage is about to work on what another left when it stopped early."""
    found = [
        f"{name} ({manifest.stage})"
        for name in _INPUTS.get(stage, ())
        if (dataset := getattr(workspace, name)).exists() and not (manifest := dataset.manifest()).complete
    ]
    if not found:
        return None
    return f"{stage} works on what there is: {', '.join(found)} stopped early and can be gone on with"


def empty_result(report: StageReport, workspace: Workspace) -> str | None:
    """The line for a complete stage whose result holds nothing; null where it holds something."""
    if report.stage == "export":
        return "export: the files hold no row" if not report.counts.get("rows out") else None
    name, text = _RESULT.get(report.stage, ("", ""))
    if not name:
        return None
    dataset = getattr(workspace, name)
    if dataset.exists() and dataset.manifest().rows:
        return None
    return f"{report.stage}: {text}"
