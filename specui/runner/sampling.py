"""Readings of the machine and of the engine, once a second for as long as an engine lives."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from specui.domain.events import Fact, HostSampled, ServerExited, ServerReady, ServerStarting
from specui.domain.units import Seconds
from specui.engines.base import Emit
from specui.probes.process import EngineUsage

if TYPE_CHECKING:
    from specui.probes.process import Usage

PERIOD_S: Seconds = 1.0

log = logging.getLogger(__name__)


class Reader(Protocol):
    """Reads one engine."""

    def read(self, moment: Seconds) -> Usage:
        """Its usage since the moment of the reading before. Takes under a millisecond and raises nothing."""
        ...


ReaderFor = Callable[[int, Seconds | None], Reader]
"""A reader of a process: its number, and when it started in seconds since boot."""


@dataclass(slots=True)
class Sampling:
    """Learns from the facts that pass through `emit` which engine lives, and samples that one.

    It is sampled when it starts, when it has loaded, and every second: the first reading costs the most and none
    of these two disturbs a request, and a short case has its memory all the same.
    """

    record: Emit
    now: Callable[[], Seconds]
    reader_for: ReaderFor = EngineUsage
    sleep: Callable[[Seconds], Awaitable[None]] = asyncio.sleep
    _case: int | None = None
    _reader: Reader | None = None
    _sampled_at: Seconds = 0.0
    _lives: asyncio.Event = field(default_factory=asyncio.Event)

    def emit(self, fact: Fact) -> Seconds:
        """Pass a fact on to the journal; gives the moment it is stamped with.

        Raises JournalError where it cannot be written.
        """
        moment = self.record(fact)
        match fact:
            case ServerStarting() if fact.pid > 0:
                self._case, self._reader = fact.case, self.reader_for(fact.pid, fact.started_at)
                self._lives.set()
                self._sample()
            case ServerReady() if fact.case == self._case:
                self._sample()
            case ServerExited() if fact.case == self._case:
                self._forget()
        return moment

    async def carry_on(self) -> None:
        """Sample until cancelled. Raises JournalError where a sample cannot be written."""
        while True:
            await self._lives.wait()
            await self.sleep(PERIOD_S)
            if self.now() - self._sampled_at >= PERIOD_S / 2:
                self._sample()

    def _sample(self) -> None:
        if self._reader is None:
            return
        self._sampled_at = self.now()
        try:
            usage = self._reader.read(self._sampled_at)
        except Exception:  # a fault of ours costs the samples of an engine, with its trace in the log, not its case
            log.exception("case %s is sampled no more", self._case)
            self._forget()
            return
        self.record(HostSampled(usage.cpu, usage.rss_bytes, usage.available_bytes, self._case, usage.engine_cpu))

    def _forget(self) -> None:
        self._case, self._reader = None, None
        self._lives.clear()
