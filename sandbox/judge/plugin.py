"""A pytest plugin that reports outcomes on a descriptor of ours as JSON lines. Any Python 3, pytest 5 or later."""

import json
import os

_FD = int(os.environ.pop("AUTOINTERACT_REPORT_FD", "-1"))
_prefix = ""


def _tell(**what):
    data = (json.dumps(what) + "\n").encode()
    while _FD >= 0 and data:
        data = data[os.write(_FD, data) :]


def pytest_configure(config):
    """Node ids are relative to pytest's root; ours to the folder that it was started in."""
    global _FD, _prefix
    if hasattr(config, "workerinput"):
        _FD = -1  # a worker of xdist: its controller reports
        return
    root = str(getattr(config, "rootpath", None) or config.rootdir)
    below = os.path.relpath(root, os.getcwd())
    _prefix = "" if below == "." else below.replace(os.sep, "/") + "/"


def pytest_runtest_logreport(report):
    """One line a phase of a test."""
    _tell(id=_prefix + report.nodeid, when=report.when, outcome=report.outcome, xfail=hasattr(report, "wasxfail"))


def pytest_collectreport(report):
    """One line a file that cannot be collected."""
    if report.failed:
        why = str(report.longrepr)[-500:]
        _tell(id=_prefix + report.nodeid, when="collect", outcome="failed", xfail=False, why=why)


def pytest_sessionfinish(session, exitstatus):
    """The last line."""
    _tell(finished=int(exitstatus))
