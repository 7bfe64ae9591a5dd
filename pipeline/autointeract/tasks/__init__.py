"""Source datasets to verified tasks: a task enters a workspace only if its gold solution scores 1.0 and its empty or
buggy state does not.

    readers/      one a dataset shape: rows -> `Candidate` or `Refusal`; nothing is executed here
    decompose/    a statement -> facts, interface contract, public cases (text and syntax trees only)
    admission/    a candidate -> a `SourceTask` row, by running gold, empty and constant answers in the sandbox
    maker/        bugs made in any Python package with a pytest suite -> instances in the SWE-smith shape
    stage.py      `run(settings, workspace, services)`: the stage `tasks` (build and verify)
    commands.py   what `autointeract tasks build|verify|stats|make-swe` call
"""
