"""Finding: one line of `doctor` - something this machine can or cannot do, and what to do about it."""

from autointeract.records.row import Record


class Finding(Record):
    """One check.

    Attributes:
        name: what was checked, e.g. "sandbox docker" or "model weak".
        ok: whether it works.
        required: whether a run fails without it.
        detail: what was found, and the remedy where it does not work.
    """

    name: str
    ok: bool
    required: bool
    detail: str

    def line(self) -> str:
        """The finding for a person."""
        mark = "ok  " if self.ok else ("FAIL" if self.required else "no  ")
        return f"{mark} {self.name:<22} {self.detail}"
