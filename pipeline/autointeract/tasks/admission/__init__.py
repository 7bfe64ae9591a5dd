"""Admission: a candidate becomes a task only by running. Everything is executed through `services.execution` alone."""

from autointeract.tasks.admission.admit import Admitted, Unknown, admit

__all__ = ["Admitted", "Unknown", "admit"]
