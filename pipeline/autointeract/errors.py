"""One small hierarchy of errors, named by the boundary that was crossed.

A message always names what is wrong, where, and what to do. `AutoInteractError.exit_code` is what the command line
returns. Code inside a room raises these; anything else that reaches the command line is a bug and exits with 1.

Exit codes: 0 done, 1 anything else, 2 bad usage, configuration or input, or a stage that ended without a result, 3
stopped early and resumable, 4 workspace locked.
"""


class AutoInteractError(Exception):
    """Base of every error that AutoInteract raises on purpose."""

    exit_code = 1


class ConfigError(AutoInteractError):
    """Settings, arguments or a prompt file are wrong; nothing was started."""

    exit_code = 2


class InputError(AutoInteractError):
    """Input data (a log, a task file, a dataset) cannot be used; the message names the file and the record."""

    exit_code = 2


class WorkspaceError(AutoInteractError):
    """A workspace does not hold what a stage needs, or holds something damaged."""

    exit_code = 2


class ResumeError(WorkspaceError):
    """What is in the workspace was made with other settings, or there is nothing to resume."""


class LockedError(WorkspaceError):
    """Another process is writing to this workspace."""

    exit_code = 4


class StoppedError(AutoInteractError):
    """A run ended early but cleanly (budget, deadline, signal); running it again goes on from here."""

    exit_code = 3


class BudgetError(StoppedError):
    """The money or token budget is spent."""


class HaltedError(BudgetError):
    """The run was told to stop (signal, deadline): no further call is let out. Stages end as on a spent budget."""


class ProviderError(AutoInteractError):
    """A model endpoint failed in a way that retries did not cure. It never counts as a model's answer."""


class SandboxError(AutoInteractError):
    """A sandbox could not be had or died. It never counts as a wrong answer."""


class SandboxUnavailableError(SandboxError):
    """No sandbox backend can work on this machine; the message says how to get one."""

    exit_code = 2
