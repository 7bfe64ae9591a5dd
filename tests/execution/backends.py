"""Which sandbox backends can be tested on this machine."""

import os
import warnings

import pytest

from autointeract.execution import bubblewrap


def bubblewrap_or_skip() -> None:
    """Skips loudly where no bubblewrap sandbox can be had (fails with AUTOINTERACT_REQUIRE_BUBBLEWRAP=1)."""
    if reason := bubblewrap.works():
        if os.environ.get("AUTOINTERACT_REQUIRE_BUBBLEWRAP") == "1":
            pytest.fail(reason)
        warnings.warn(f"NO BUBBLEWRAP: {reason}", stacklevel=1)
        pytest.skip(reason)
