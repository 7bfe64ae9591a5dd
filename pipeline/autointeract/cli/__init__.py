"""The command line: one command a stage, each importing its stage when it runs.

`main` is the console script. It needs the `pipeline` extra, and says so where that is missing; a trainer's process that
only imports `autointeract.training` or `autointeract.execution` never comes here.
"""

import os
import sys


def main() -> None:
    """Runs the command line and exits with its code (see `autointeract.errors`)."""
    _open_standard_streams()
    try:
        from autointeract.cli import verbs
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("autointeract"):
            raise
        print(
            f"autointeract: {error.name} is not installed; the commands need the extra 'pipeline': "
            "pip install 'autointeract[pipeline]'",
            file=sys.stderr,
        )
        sys.exit(2)
    verbs.app()


def _open_standard_streams() -> None:
    """Gives a process that was started with closed streams (`>&-`) the null device, or the next files it opens would
    be taken for them, and messages written into a database.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number, which is this one
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
