"""The command line: one command a stage, each importing its stage when it runs.

`main` is the console script. It needs the `pipeline` extra, and says so where that is missing; a trainer's process that
only imports `autointeract.training` or `autointeract.execution` never comes here.
"""

import sys


def main() -> None:
    """Runs the command line and exits with its code (see `autointeract.errors`)."""
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
