"""Stage `report`: draws `<workspace>/reports/index.html` from the stages' reports and the datasets.

Works on any workspace, an empty one too: what is missing is said, with the stage to run. Reads datasets by column and
shows a bounded part of each, so that its size and time do not grow with the text of the rows.
"""

from typing import TYPE_CHECKING

from autointeract.errors import WorkspaceError
from autointeract.records import StageReport
from autointeract.report import page
from autointeract.report.acceptance import COLUMNS, measure
from autointeract.report.blocks import Section
from autointeract.report.reading import columns, reports
from autointeract.report.sections import behavior, overview, people, samples, work
from autointeract.report.settings import ReportSettings
from autointeract.workspace import Workspace
from autointeract.workspace.files import write_text

if TYPE_CHECKING:
    from autointeract.services import Services


async def run(settings: ReportSettings, workspace: Workspace, services: "Services") -> StageReport:
    """Writes the page.

    Raises:
        WorkspaceError: the workspace does not exist.
    """
    if not workspace.root.is_dir():
        raise WorkspaceError(f"no workspace at {workspace.root}: run `autointeract run` or name one with -w")
    sections = draw(settings, workspace, services.seed)
    path = workspace.folder("reports") / "index.html"
    write_text(path, page.render(settings.title, workspace.root.name, sections))
    notes = [f"report: {path}"]
    if workspace.attempts.exists():
        found = measure(columns(workspace.attempts, *COLUMNS), services.seed)
        notes.insert(0, work.arm_sentence(work.arms_of(found, reports(workspace))))
    if warning := overview.simulated_warning(workspace):
        notes.insert(0, warning)
    return StageReport(stage="report", counts={"sections": len(sections)}, notes=notes)


def draw(settings: ReportSettings, workspace: Workspace, seed: int) -> list[Section]:
    """The sections of the page, in reading order."""
    stages = reports(workspace)
    return [
        overview.section(workspace, stages, settings),
        people.section(workspace, stages, settings),
        behavior.section(workspace, stages, settings),
        work.tasks_section(workspace, stages, settings),
        work.synthesis_section(workspace, stages, settings, seed),
        samples.section(workspace, settings, seed),
        *(overview.stage_section(name, report, settings) for name, report in stages.items()),
    ]
