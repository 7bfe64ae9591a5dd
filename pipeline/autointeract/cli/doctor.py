"""`autointeract doctor`: what this machine can do, and what to do about what it cannot."""

import asyncio

from autointeract.config import Settings


def doctor_lines(settings: Settings) -> tuple[bool, list[str]]:
    """(whether a run can work, lines for a person): one line a sandbox backend and one a model role."""
    from autointeract.execution import doctor as sandboxes
    from autointeract.models import doctor as endpoints

    findings = [*sandboxes(settings.execution), *asyncio.run(endpoints(settings.models))]
    return all(finding.ok for finding in findings if finding.required), [finding.line() for finding in findings]
