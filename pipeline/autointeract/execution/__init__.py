"""Where untrusted code runs: sandboxes that hold, and verifiers that cannot be fooled.

`await verify(spec, submission, state=None) -> Verdict` is all that the rest of the house and a trainer need. The score
is never decided by anything that the judged code prints, exits with or can overwrite; a fault of the machinery gives
an unknown score, never a 0. Imports neither a model nor a data library.
"""

from autointeract.execution.default import verify, verify_sync
from autointeract.execution.doctor import doctor
from autointeract.execution.extract import extract_code, extract_cpp
from autointeract.execution.service import Execution
from autointeract.execution.settings import ExecutionSettings, Limits

__all__ = [
    "Execution", "ExecutionSettings", "Limits", "doctor", "extract_code", "extract_cpp", "verify",
    "verify_sync",
]  # fmt: skip
