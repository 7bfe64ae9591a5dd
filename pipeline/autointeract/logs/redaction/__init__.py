"""Removes what is private from text before anything is written: secrets, addresses, names, places on a disk.

One door: `Redactor.texts`. Equal tokens of one user become equal placeholders, so that a conversation stays
readable ("<EMAIL_1f3a9c> did not answer, so I wrote to <EMAIL_1f3a9c> again").
"""

from autointeract.logs.redaction.gate import suspects
from autointeract.logs.redaction.redactor import Level, Redactor

__all__ = ["Level", "Redactor", "suspects"]
