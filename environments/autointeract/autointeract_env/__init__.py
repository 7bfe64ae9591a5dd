"""Taskset and harness for verifiers v1; found by `vf-eval autointeract-env` and prime-rl through `__all__`."""

from autointeract_env.harness import AutoInteractHarness
from autointeract_env.taskset import AutoInteractTaskset

__all__ = ["AutoInteractHarness", "AutoInteractTaskset"]
