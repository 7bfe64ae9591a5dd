"""Says which sandboxes can work on this machine, and what to do where none does."""

import shutil

from autointeract.errors import SandboxUnavailableError
from autointeract.execution import bubblewrap, containers
from autointeract.execution.settings import ExecutionSettings
from autointeract.records.finding import Finding


def doctor(settings: ExecutionSettings | None = None) -> list[Finding]:
    """One finding a backend, and what each cannot do; never raises."""
    settings = settings or ExecutionSettings()
    docker, bwrap = _docker(settings), _bubblewrap()
    wanted = {"docker": [docker], "bubblewrap": [bwrap], "auto": [docker, bwrap]}.get(settings.backend, [])
    works = any(finding.ok for finding in wanted) or bool(settings.remote_urls)
    findings = [_required(one, works, wanted) for one in (docker, bwrap)]
    if bwrap.ok:
        found = shutil.which("g++", path="/usr/local/bin:/usr/bin:/bin")
        detail = f"C++ is compiled with {found}" if found else "no g++: C++ can only be judged in Docker"
        findings.append(Finding(name="sandbox bubblewrap c++", ok=bool(found), required=False, detail=detail))
    if settings.backend == "remote" or settings.remote_urls:
        findings.append(_remote(settings))
    return findings


def _required(finding: Finding, works: bool, wanted: list[Finding]) -> Finding:
    return finding.model_copy(update={"required": not works and finding in wanted})


def _docker(settings: ExecutionSettings) -> Finding:
    name = "sandbox docker"
    try:
        containers.ready(settings)
    except SandboxUnavailableError as error:
        return Finding(name=name, ok=False, required=False, detail=str(error))
    runtime = settings.runtime or "the default runtime"
    return Finding(name=name, ok=True, required=False, detail=f"an engine answers and has the images; {runtime}")


def _bubblewrap() -> Finding:
    reason = bubblewrap.works()
    detail = reason or f"{bubblewrap.binary()}; memory and processes are held by rlimits only"
    return Finding(name="sandbox bubblewrap", ok=reason is None, required=False, detail=detail)


def _remote(settings: ExecutionSettings) -> Finding:
    from autointeract.execution import remote

    states = {url: remote.health(url) for url in settings.remote_urls}
    bad = [f"{url}: {state}" for url, state in states.items() if state != "ok"]
    detail = "; ".join(bad) or f"{len(states)} host(s) answer"
    if not states:
        detail = "set execution.remote_urls to hosts that run `autointeract verify serve`"
    return Finding(name="sandbox remote", ok=bool(states) and not bad, required=not states, detail=detail)
