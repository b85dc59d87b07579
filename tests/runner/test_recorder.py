"""The one clock and the one numbering of a run."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from specui.domain.errors import JournalError
from specui.domain.events import Event, Fact, FirstToken, Marked
from specui.domain.request_facts import StepsDecoded
from specui.journal.lines import LineReader
from specui.journal.writer import JournalWriter
from specui.runner.recorder import SILENCE_S, Recorder, joined

if TYPE_CHECKING:
    from pathlib import Path


def step(n: int, request: int = 1) -> StepsDecoded:
    """The n-th token of a request, 10 ms after the one before."""
    span = (n, "target", "answer", str(n))
    return StepsDecoded(request, n + 1, 10.0 * n, 0, 0, (10.0,), (1,), (0,), (0,), (span,))  # type: ignore[arg-type]  # mypy widens the span's words to str


def recorded(path: Path, *facts: Fact, tick_s: float) -> list[Event]:
    """What the journal holds after some facts, one every `tick_s`."""

    async def record() -> None:
        looks = iter(range(10**6))
        with JournalWriter(path, {"format": 1}) as writer:
            recorder = Recorder(writer, clock=lambda: next(looks) * tick_s)
            for fact in facts:
                recorder.emit(fact)
                await asyncio.sleep(0)
            recorder.flush()

    asyncio.run(record())
    return LineReader().feed(path.read_bytes())


def test_events_are_numbered_and_stamped(tmp_path: Path) -> None:
    """1, 2, 3 … and seconds since the start."""
    events = recorded(tmp_path / "j", Marked("a"), Marked("b"), Marked("c"), tick_s=0.5)

    assert [1, 2, 3] == [e.seq for e in events]
    assert [0.5, 1.0, 1.5] == [e.t for e in events]


def test_steps_are_gathered_to_ten_a_second(tmp_path: Path) -> None:
    """A hundred steps within half a second make a few lines, and lose nothing."""
    events = recorded(tmp_path / "j", *(step(n) for n in range(1, 101)), tick_s=0.005)

    facts = [e.fact for e in events if isinstance(e.fact, StepsDecoded)]
    assert len(facts) <= 7
    assert 100 == sum(len(f.ms) for f in facts)
    assert [(101, 1000.0)] == [(f.predicted_n, f.predicted_ms) for f in facts[-1:]]
    assert "".join(map(str, range(1, 101))) == "".join(words for f in facts for *_, words in f.text)


def test_a_fact_comes_after_the_steps_before_it(tmp_path: Path) -> None:
    """What waits for company is written first."""
    events = recorded(tmp_path / "j", step(1), step(2), step(3), Marked("m"), step(4), tick_s=0.001)

    assert ["StepsDecoded", "StepsDecoded", "Marked", "StepsDecoded"] == [type(e.fact).__name__ for e in events]


def test_steps_of_two_requests_are_never_mixed(tmp_path: Path) -> None:
    """Each line belongs to one request."""
    events = recorded(tmp_path / "j", step(1), step(2), step(1, 2), FirstToken(2), tick_s=0.001)

    assert [1, 1, 2] == [e.fact.request for e in events if isinstance(e.fact, StepsDecoded)]


def test_waiting_steps_are_written_when_nothing_follows(tmp_path: Path) -> None:
    """An engine that stalls does not hide its last steps."""

    async def record() -> int:
        with JournalWriter(tmp_path / "j", {"format": 1}) as writer:
            recorder = Recorder(writer)
            recorder.emit(step(1))
            await asyncio.sleep(0)
            recorder.emit(step(2))
            await asyncio.sleep(SILENCE_S + 0.1)
            return len(LineReader().feed((tmp_path / "j").read_bytes()))

    assert 2 == asyncio.run(record())


def test_joining_keeps_the_later_totals() -> None:
    """Columns in order, spans of one step together."""
    both = joined([step(1), step(2)])

    assert (3, 20.0, (10.0, 10.0)) == (both.predicted_n, both.predicted_ms, both.ms)


def test_a_failure_on_the_timer_is_raised_at_the_next_fact(tmp_path: Path) -> None:
    """Nobody catches what a timer raises, so it waits for somebody who does."""

    async def record() -> None:
        writer = JournalWriter(tmp_path / "j", {"format": 1})
        recorder = Recorder(writer)
        recorder.emit(step(1))
        recorder.emit(step(2))
        writer.close()
        await asyncio.sleep(SILENCE_S + 0.1)
        recorder.emit(Marked("x"))

    with pytest.raises(JournalError, match="cannot be written"):
        asyncio.run(record())
