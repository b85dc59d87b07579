"""The only caller of the journal's writer, and the only clock of a run.

Steps are gathered to at most ten lines a second; every other fact is written at once, after the steps
that came before it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from specui.domain.errors import JournalError
from specui.domain.events import CaseFinished, CaseStarted, Event, Fact, RunFinished, StepsDecoded
from specui.domain.units import Seconds

if TYPE_CHECKING:
    from specui.domain.request_facts import TextSpan
    from specui.journal.writer import JournalWriter

BATCH_S: Seconds = 0.1
SILENCE_S: Seconds = 0.3
"""Steps that came too soon after others wait for the next ones, or so long: a timer of their own would wake us."""

SYNC_S: Seconds = 5.0

Clock = Callable[[], Seconds]


class Recorder:
    """Numbers and stamps facts and hands them to the writer.

    `written` is called with every event after it is safe in the kernel.
    """

    def __init__(
        self,
        writer: JournalWriter,
        seq: int = 0,
        offset: Seconds = 0.0,
        clock: Clock = time.monotonic,
        written: Callable[[Event], None] | None = None,
    ) -> None:
        self._writer = writer
        self._seq = seq
        self._clock = clock
        self._start = clock() - offset
        self._written = written
        self._waiting: list[StepsDecoded] = []
        self._steps_at: Seconds = -BATCH_S
        self._synced_at: Seconds = 0.0
        self._timer: asyncio.Handle | None = None
        self._is_due = False
        self._failure: JournalError | None = None

    def now(self) -> Seconds:
        """Seconds since the start of the run, to a microsecond."""
        return round(self._clock() - self._start, 6)

    def emit(self, fact: Fact) -> Seconds:
        """Take a fact into the journal; gives the moment it is stamped with.

        Raises JournalError where it cannot be written.
        """
        if self._failure is not None:
            raise self._failure
        now = self.now()
        if isinstance(fact, StepsDecoded):
            self._gather(fact, now)
            return now
        self.flush()
        self._write(fact, now)
        if isinstance(fact, CaseStarted | CaseFinished | RunFinished) or now - self._synced_at >= SYNC_S:
            self._writer.sync()
            self._synced_at = now
        return now

    def flush(self) -> None:
        """Write the steps that wait for company."""
        self._drop_timer()
        waiting, self._waiting = self._waiting, []
        if waiting:
            now = self.now()
            self._steps_at = now
            self._write(joined(waiting), now)

    def _gather(self, fact: StepsDecoded, now: Seconds) -> None:
        if self._waiting and self._waiting[0].request != fact.request:
            self.flush()
        self._waiting.append(fact)
        loop = asyncio.get_running_loop()
        if now - self._steps_at >= BATCH_S and not self._is_due:
            self._drop_timer()
            self._is_due, self._timer = True, loop.call_soon(self._flush_later)
        elif self._timer is None:
            self._timer = loop.call_later(SILENCE_S, self._flush_later)

    def _drop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._is_due, self._timer = False, None

    def _flush_later(self) -> None:
        """What came in one go is written in one line. Nobody can catch an error here: the next fact raises it."""
        try:
            self.flush()
        except JournalError as error:
            self._failure = error

    def _write(self, fact: Fact, now: Seconds) -> None:
        self._seq += 1
        event = Event(self._seq, now, fact)
        self._writer.append(event)
        if self._written is not None:
            self._written(event)


def joined(batches: list[StepsDecoded]) -> StepsDecoded:
    """Batches of one request as one: the columns in order, the latest totals that are known."""
    if len(batches) == 1:
        return batches[0]
    latest = next((b for b in reversed(batches) if b.predicted_n is not None), batches[-1])
    return replace(
        latest,
        ms=tuple(v for b in batches for v in b.ms),
        tokens=tuple(v for b in batches for v in b.tokens),
        drafted=tuple(v for b in batches for v in b.drafted),
        accepted=tuple(v for b in batches for v in b.accepted),
        text=_joined_text(batches),
    )


def wall_clock() -> str:
    """The time of day as `2026-12-01T09:58:12+00:00`."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def folder_stamp() -> str:
    """The local time of day as a run's folder begins: `2026-12-01T09-58-12`."""
    return datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")


def _joined_text(batches: list[StepsDecoded]) -> tuple[TextSpan, ...]:
    """The spans of all batches, neighbours of one step, origin and channel as one."""
    text: list[TextSpan] = []
    for span in (s for b in batches for s in b.text):
        if text and text[-1][:3] == span[:3]:
            text[-1] = (*span[:3], text[-1][3] + span[3])
        else:
            text.append(span)
    return tuple(text)
