"""A run read back for looking at: a slice at a time, so that its first picture does not wait for its last line."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

from specui.domain.codec import decode
from specui.domain.errors import UnreadableFile
from specui.journal.lines import LineReader
from specui.journal.recording import Recording

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator
    from pathlib import Path

    from specui.domain.events import Event
    from specui.domain.units import Record, Seconds

SLICE_BYTES = 1 << 15
"""About 80 lines of an ordinary journal, which take a few milliseconds."""

SLICE_EVENTS = 400
"""Events of a session, which are decoded already, take as long."""

_LAST_BYTES = 1 << 16


class Replay:
    """A saved run, a journal (`.jsonl`) or else a session; `recording` holds what has been read of it so far.

    It is a source, too: everything it gives has gone into `recording` before.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lines = LineReader()
        self.recording = Recording()
        self.header: Record | None = None
        """Of the journal or session, once it was read."""
        self.is_whole = False
        """Whether everything has been read."""
        self.end_s: Seconds | None = None
        """The moment of the last event, known before everything has been read; None until then."""

    @property
    def damaged(self) -> int:
        """Lines passed over because they could not be read."""
        return self._lines.damaged

    async def batches(self) -> AsyncIterator[list[Event]]:
        """Every event, a slice at a time, between which the loop runs; to be called once.

        Raises UnreadableFile where the file cannot be read or is no session.
        """
        is_journal = self._path.suffix == ".jsonl"
        if is_journal:
            self.end_s = last_moment(self._path)
        for events in self._journal_slices() if is_journal else await self._session_slices():
            self.recording.extend(events)
            yield events
            await asyncio.sleep(0)
        self.is_whole = True
        self.end_s = self.recording.end_s

    def _journal_slices(self) -> Iterator[list[Event]]:
        try:
            with self._path.open("rb", buffering=0) as file:
                while piece := file.read(SLICE_BYTES):
                    events = self._lines.feed(piece)
                    self.header = self._lines.header
                    yield events
        except OSError as error:
            raise UnreadableFile(f"{self._path} cannot be read: {error.strerror}") from error

    async def _session_slices(self) -> Iterator[list[Event]]:
        from specui.journal import session  # TOML costs start-up time that the replay of a journal does not need

        saved = await asyncio.to_thread(session.load, self._path)
        self.header = saved.header
        self.end_s = max((event.t for event in saved.events), default=None)
        return (list(saved.events[n : n + SLICE_EVENTS]) for n in range(0, len(saved.events), SLICE_EVENTS))


def last_moment(journal: Path) -> Seconds | None:
    """The time of a journal's end, told by its last lines alone.

    None where no line is whole. Raises UnreadableFile where the file cannot be read.
    """
    try:
        with journal.open("rb", buffering=0) as file:
            size, wanted = os.fstat(file.fileno()).st_size, _LAST_BYTES
            while True:
                file.seek(max(0, size - wanted))
                lines = file.read(wanted).split(b"\n")
                times = [event.t for event in map(decode, lines[:-1]) if event]
                if times or wanted >= size:
                    return max(times, default=None)
                wanted *= 16
    except OSError as error:
        raise UnreadableFile(f"{journal} cannot be read: {error.strerror}") from error
