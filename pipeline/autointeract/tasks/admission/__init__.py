"""Admission: a candidate becomes a task only by running. Everything is executed through `services.execution` alone."""

from autointeract.tasks.admission.admit import admit
from autointeract.tasks.admission.found import Admitted, Unknown

__all__ = ["Admitted", "Unknown", "admit"]
