"""Where events come from, for anyone who folds them: a living run, a finished one, another machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from specui.domain.events import Event


class Source(Protocol):
    """Gives events in order, in batches as they come, and ends when no more can come."""

    def batches(self) -> AsyncIterator[list[Event]]:
        """The events, a list at a time; a list is empty where only time has passed."""
        ...
