"""Where a screen gets its run from: the tail of a living journal, or a recording and a clock."""

from __future__ import annotations

import asyncio
import gc
from typing import TYPE_CHECKING, Protocol

from specui.domain.errors import UnreadableFile
from specui.domain.run import Run, fold
from specui.journal.clock import ReplayClock
from specui.journal.playhead import Playhead
from specui.journal.replay import Replay
from specui.journal.tail import Tail

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable
    from pathlib import Path

    from specui.domain.units import Record, Seconds
    from specui.journal.folder import RunFolder


FREEZE_SLICES = 20

BACK_S: Seconds = 1.0
"""While it plays, "previous" within so much of a start means the one before."""


class Feed(Protocol):
    """Gives the run as it is, again and again; its pace is the only clock of a screen."""

    @property
    def header(self) -> Record | None:
        """The journal's first line, once it was read."""
        ...

    def states(self) -> AsyncIterator[Run]:
        """The run at most once a period; ends where nothing more can come. Raises OSError or SpecuiError."""
        ...


class TailFeed:
    """A living run. `period_s` is how often it is looked at."""

    def __init__(self, folder: RunFolder, period_s: Seconds) -> None:
        self.folder = folder
        self.period_s = period_s
        self._tail = Tail(folder.journal, poll_s=period_s)

    @property
    def header(self) -> Record | None:
        """The journal's first line, once it was read."""
        return self._tail.header

    def keep_pace(self, period_s: Seconds) -> None:
        """Look more or less often from now on."""
        self.period_s = self._tail.poll_s = period_s

    async def states(self) -> AsyncIterator[Run]:
        """The run at every look, the same where nothing happened; what was missed is caught up with in slices."""
        loop = asyncio.get_running_loop()
        run, shown_at = Run(), -self.period_s
        async for batch in self._tail.batches():
            run = fold(batch, run)
            if not batch or loop.time() - shown_at >= self.period_s:
                shown_at = loop.time()
                yield run
            if batch:
                await asyncio.sleep(0)
        yield run


class ReplayFeed:
    """A saved run. It plays from the start, or stands at its end."""

    def __init__(self, path: Path, period_s: Seconds, *, speed: float = 1.0, at_end: bool = False) -> None:
        self.replay = Replay(path)
        self.period_s = period_s
        self.playhead = Playhead(0.0, speed, not at_end, 0.0)
        self._path = path
        self._stays_at_end = at_end
        self._changed = asyncio.Event()

    @property
    def header(self) -> Record | None:
        """The journal's or session's head, once it was read."""
        return self.replay.header

    def put(self, playhead: Playhead) -> None:
        """Go on from another place, at another speed, or stand still."""
        self._stays_at_end = False
        self.playhead = playhead
        self._changed.set()

    def jump(self, where: str) -> None:
        """To the next or previous request, marker or event; nowhere where there is none. Stands still on a step."""
        recording, head = self.replay.recording, self.playhead
        moments: dict[str, Callable[[Seconds], Seconds | None]] = {
            "next_request": recording.next_request,
            "previous_request": recording.previous_request,
            "next_marker": recording.next_marker,
            "previous_marker": recording.previous_marker,
            "next_event": recording.next_event,
            "previous_event": recording.previous_event,
        }
        here = head.position_s - (BACK_S if where in ("previous_request", "previous_marker") and head.playing else 0)
        moment = moments[where](here)
        if moment is not None:
            self.put((head.paused() if where.endswith("event") else head).sought(moment))

    async def states(self) -> AsyncIterator[Run]:
        """The run where the playhead stands; nothing while it stands still."""
        loop = asyncio.get_running_loop()
        shown_at = -self.period_s
        clock: ReplayClock | None = None
        slices = 0
        async for _ in self.replay.batches():
            clock = clock or ReplayClock()  # what was waited for before the first slice is no part of the run
            self.playhead = self._ending(self.replay.end_s)
            slices += 1
            if slices % FREEZE_SLICES == 0:
                gc.freeze()  # nothing of a recording is ever given back: looking through it halts the loop for 0.1 s
            if loop.time() - shown_at >= self.period_s:
                shown_at = loop.time()
                self._advance(clock)
                yield self._here()
        if self.replay.header is None and not len(self.replay.recording):
            raise UnreadableFile(f"{self._path} holds no line of a journal: there is nothing to show")
        clock = clock or ReplayClock()
        self.playhead = self._ending(self.replay.end_s)
        yield self._here()
        while True:
            self._changed.clear()
            try:
                async with asyncio.timeout(self.period_s if self.playhead.playing else None):
                    await self._changed.wait()
            except TimeoutError:
                pass
            self._advance(clock)
            yield self._here()

    def _ending(self, end_s: Seconds | None) -> Playhead:
        """The playhead with the end that is known by now, and still where it was meant to be."""
        head = self.playhead if end_s is None else self.playhead.ending(end_s)
        return head.sought(head.end_s) if self._stays_at_end else head

    def _advance(self, clock: ReplayClock) -> None:
        self.playhead = self.playhead.advanced(clock.elapsed_s())

    def _here(self) -> Run:
        return self.replay.recording.at(self.playhead.position_s)
