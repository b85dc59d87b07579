"""The clock of a replay: how much time has passed for whoever watches."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specui.domain.units import Seconds


class ReplayClock:
    """Tells the seconds since it was last asked; a machine that slept in between does not count."""

    def __init__(self) -> None:
        self._asked_at = time.monotonic()

    def elapsed_s(self) -> Seconds:
        """Seconds since the last call, or since the clock was made."""
        before, self._asked_at = self._asked_at, time.monotonic()
        return self._asked_at - before
