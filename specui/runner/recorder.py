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
        self._waiting: StepsDecoded | None = None
        self._steps_at: Seconds = -BATCH_S
        self._synced_at: Seconds = 0.0
        self._timer: asyncio.TimerHandle | None = None
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
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            now = self.now()
            self._steps_at = now
            self._write(waiting, now)

    def _gather(self, fact: StepsDecoded, now: Seconds) -> None:
        if self._waiting is not None and self._waiting.request != fact.request:
            self.flush()
        self._waiting = fact if self._waiting is None else joined(self._waiting, fact)
        due = self._steps_at + BATCH_S - now
        if due <= 0:
            self.flush()
        elif self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(due, self._flush_later)

    def _flush_later(self) -> None:
        """On the timer nobody can catch an error: the next fact raises it."""
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


def joined(first: StepsDecoded, second: StepsDecoded) -> StepsDecoded:
    """Two batches of one request as one: the columns in order, the later totals where they are known."""
    later = second if second.predicted_n is not None else first
    return replace(
        later,
        ms=first.ms + second.ms,
        tokens=first.tokens + second.tokens,
        drafted=first.drafted + second.drafted,
        accepted=first.accepted + second.accepted,
        text=_joined_text(first, second),
    )


def wall_clock() -> str:
    """The time of day as `2026-12-01T09:58:12+00:00`."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def folder_stamp() -> str:
    """The local time of day as a run's folder begins: `2026-12-01T09-58-12`."""
    return datetime.now().astimezone().strftime("%Y-%m-%dT%H-%M-%S")


def _joined_text(first: StepsDecoded, second: StepsDecoded) -> tuple[TextSpan, ...]:
    text = list(first.text)
    for span in second.text:
        if text and text[-1][:3] == span[:3]:
            text[-1] = (*span[:3], text[-1][3] + span[3])
        else:
            text.append(span)
    return tuple(text)
