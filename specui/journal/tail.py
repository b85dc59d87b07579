"""The journal of a run as it grows."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from specui.journal import lock
from specui.journal.lines import LineReader

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

    from specui.domain.events import Event
    from specui.domain.units import Record, Seconds

_PIECE_BYTES = 1 << 16


class Tail:
    """Follows a journal until its writer is gone and every line is out.

    The lock is read before the bytes, so a writer that ends in between loses nothing.
    """

    def __init__(self, path: Path, after: int = 0, poll_s: Seconds = 0.1) -> None:
        self._path = path
        self._after = after
        self.poll_s = poll_s
        self._lines = LineReader()

    @property
    def header(self) -> Record | None:
        """The journal's first line, once it was read."""
        return self._lines.header

    @property
    def damaged(self) -> int:
        """Lines passed over because they could not be read."""
        return self._lines.damaged

    async def batches(self) -> AsyncIterator[list[Event]]:
        """Events after `after`, and an empty list at every poll that brings none.

        Raises OSError where the file cannot be read.
        """
        with self._path.open("rb", buffering=0) as file:
            while True:
                is_live = lock.is_held(self._path)
                while piece := file.read(_PIECE_BYTES):
                    events = [e for e in self._lines.feed(piece) if e.seq > self._after]
                    if events:
                        yield events
                if not is_live:
                    return
                yield []
                await asyncio.sleep(self.poll_s)
