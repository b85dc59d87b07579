"""A gauge looks back by the engine's own clock; points over time stay as they were; and which case it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain import live
from specui.domain.events import CaseFailed, CaseFinished, CaseStarted, Event, HostSampled
from specui.domain.live import Gauge
from specui.domain.request_facts import (
    PromptProgressed,
    StepsDecoded,
)
from specui.domain.run import Run, fold
from specui.domain.series import Series
from specui.domain.steps import Totals
from tests.domain.runs import answered, case, finished, run_of, sent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specui.domain.events import Fact
    from specui.domain.units import Seconds


def readings(*rows: tuple[float, int, int, int]) -> Series[tuple[Seconds, Totals]]:
    """Readings a second apart: milliseconds, tokens, drafted, kept."""
    return Series(
        [(float(t), Totals(tokens, ms, drafted, kept)) for t, (ms, tokens, drafted, kept) in enumerate(rows)], len(rows)
    )


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([(1000.0, 21, 30, 10)], Gauge(20.0, 10 / 30, 2.0)),
        ([(1000.0, 21, 30, 10), (3000.0, 61, 60, 30)], Gauge(20.0, 20 / 30, 2.0)),
        ([(1000.0, 21, 0, 0), (2500.0, 36, 0, 0), (3100.0, 63, 0, 0)], Gauge(20.0, None, 1.0)),
        ([(9000.0, 91, 0, 0)], Gauge(10.0, None, 1.0)),
        ([(100.0, 11, 4, 4), (100.0, 11, 4, 4)], Gauge(100.0, 1.0, 10 / 6)),
        ([(0.0, 5, 0, 0)], None),
        ([(500.0, 9, 0, 0), (2600.0, 4, 0, 0)], None),
        ([(500.0, 1, 4, 0)], Gauge(0.0, 0.0, None)),
        ([(500.0, 9, 4, 6)], Gauge(16.0, None, None)),
        ([(500.0, 9, 8, 2), (2600.0, 51, 4, 1)], Gauge(20.0, None, None)),
    ],
    ids=[
        "from the start", "exactly 2 s", "the last reading at least 2 s ago", "one long step", "twice the same",
        "no time", "fewer tokens than before", "no token", "more kept than drafted", "counts that fell",
    ],
)  # fmt: skip
def test_a_gauge_worked_by_hand(rows: list[tuple[float, int, int, int]], expected: Gauge | None) -> None:
    """The last two seconds of decoding, from the reading that lies just outside; the first token took no time."""
    assert expected == live.gauge_at(readings(*rows), len(rows) - 1)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.floats(1, 400), st.integers(1, 5)), min_size=1, max_size=30),
    st.lists(st.integers(0, 30), max_size=6),
)
def test_a_gauge_does_not_look_at_how_steps_came_in_chunks(steps: list[tuple[float, int]], more: list[int]) -> None:
    """It is made of the engine's totals: neither moments nor double readings change it."""
    rows, ms, tokens = [], 0.0, 1
    for took, emitted in steps:
        ms, tokens = ms + took, tokens + emitted
        rows.append((ms, tokens, 0, 0))
    fast, last = readings(*rows), len(rows) - 1
    late = Series([(t * 7 + 1, totals) for t, totals in fast], len(fast))
    doubled = sorted([*range(last + 1), *(m for m in more if m <= last)])

    assert live.gauge_at(fast, last) == live.gauge_at(late, last)
    assert live.gauge_at(fast, last) == live.gauge_at(readings(*(rows[i] for i in doubled)), len(doubled) - 1)


def test_only_an_answer_that_is_being_generated_has_a_gauge() -> None:
    """None before the first 0.3 s of decoding, and none once it has ended."""
    begun: list[Fact] = [sent(1), StepsDecoded(1, 5, 299.0, 0, 0)]
    going: list[Fact] = [*begun, StepsDecoded(1, 31, 300.0, 0, 0)]

    def now(*facts: Fact) -> Gauge | None:
        return live.gauge(live.current_request(run_of([case()], *facts)))

    assert [None, None, Gauge(100.0, None, 1.0), None] == [
        now(sent(1)), now(*begun), now(*going), now(*going, finished(1, 31, 300.0)),
    ]  # fmt: skip
    assert live.gauge(None) is None


# Points over time


def at(*moments: tuple[Seconds, Fact]) -> Run:
    """A run of two cases after facts, each at its moment; the first of them at 1 s."""
    begun = run_of([case(), case("none")])
    return fold((Event(begun.seq + n, t, fact) for n, (t, fact) in enumerate(moments, 1)), begun)


def steps(request: int, n: int, ms: float) -> StepsDecoded:
    """Totals without drafts."""
    return StepsDecoded(request, n, ms, None, None)


TWO_ANSWERS: Sequence[tuple[Seconds, Fact]] = [
    (1.0, sent(1, purpose="probe")), (1.5, steps(1, 51, 500.0)), (1.6, finished(1, 51, 500.0)),
    (2.0, sent(2)), (2.2, steps(2, 21, 200.0)), (3.0, steps(2, 101, 1000.0)), (3.1, steps(2, 111, 1100.0)),
    (3.2, finished(2, 111, 1100.0)),
    (5.0, sent(3)), (6.0, steps(3, 41, 800.0)), (6.5, steps(3, 61, 1200.0)),
]  # fmt: skip


def test_points_of_speed_are_gauges_at_their_moments() -> None:
    """Oldest first; no probe, nothing below 0.3 s of decoding, nothing before `since` or from `until` on."""
    run = at(*TWO_ANSWERS)
    every = [(3.0, 100.0, 2), (3.1, 100.0, 2), (6.0, 50.0, 3), (6.5, 50.0, 3)]

    assert every == list(live.speed_points(run, 0.0, 99.0))
    assert every[1:3] == list(live.speed_points(run, 3.1, 6.5))
    assert [] == list(live.speed_points(run, 3.3, 6.0))
    assert [] == list(live.speed_points(Run(), 0.0, 99.0))


def test_a_short_answer_has_one_point_at_its_end() -> None:
    """Before that nobody knew that there would be no more of it."""
    going: list[tuple[Seconds, Fact]] = [(1.0, sent(1)), (1.2, steps(1, 21, 200.0))]

    assert [] == list(live.speed_points(at(*going), 0.0, 9.0))
    assert [(1.9, 100.0, 1)] == list(live.speed_points(at(*going, (1.9, finished(1, 21, 200.0))), 0.0, 9.0))
    assert [] == list(live.speed_points(at(*going, (1.9, finished(1, 21, 200.0))), 0.0, 1.9))


@settings(max_examples=60, deadline=None)
@given(st.integers(0, len(TWO_ANSWERS)), st.floats(0, 8), st.floats(0, 8))
def test_points_of_the_past_stay_as_they_are(length: int, since: Seconds, until: Seconds) -> None:
    """What a run tells of the time before its own moment, it tells ever after."""
    early, late = at(*TWO_ANSWERS[:length]), at(*TWO_ANSWERS)
    end = min(until, early.t)

    assert list(live.speed_points(early, since, end)) == list(live.speed_points(late, since, end))


def test_points_of_busy_cores_are_samples_that_know_them() -> None:
    """With the case that the engine serves; 0 where a sample does not say."""
    samples = [HostSampled(2.0, None, None, 1, 1.5), HostSampled(None, None, None, 1, None)]
    more = [HostSampled(2.0, None, None, 2, 0.0), HostSampled(2.0, None, None, None, 1.0)]
    run = at(*((float(t), sample) for t, sample in enumerate([*samples, *more], 1)))

    assert [(1.0, 1.5, 1), (3.0, 0.0, 2), (4.0, 1.0, 0)] == list(live.cpu_points(run, 0.0, 9.0))
    assert [(3.0, 0.0, 2)] == list(live.cpu_points(run, 1.1, 4.0))


# The prompt, the baseline, and which case it is about


def test_the_speed_of_a_prompt_is_that_of_the_one_being_read() -> None:
    """New tokens alone; below 32 of them, and where nothing is told, that of the prompt before."""
    last = finished(1, prompt=(50, 100.0, 0))
    read = answered(1, end=last)

    def speed(*facts: Fact) -> float | None:
        return live.prompt_speed(run_of([case(), case("none")], *facts), 1)

    assert speed() is None
    assert speed(sent(1)) is None
    assert 500.0 == speed(*read)
    assert 250.0 == speed(*read, sent(2), PromptProgressed(2, 300, 100, 200, 400.0))
    assert 500.0 == speed(*read, sent(2), PromptProgressed(2, 300, 100, 131, 400.0))
    assert 500.0 == speed(*read, *answered(2, end=finished(2, prompt=(1, 9.0, 50))))
    assert 500.0 == speed(*read, *answered(2, end=finished(2, prompt=(None, None, None))))
    assert speed(*read, sent(2, number=2)) is None


def test_a_case_is_compared_with_the_one_without_speculation() -> None:
    """Not with itself, and with none where there is none."""
    run = run_of([case("none"), case()])
    base = live.baseline_of(run, 2)

    assert base is run.cases[0]
    assert [None, None] == [live.baseline_of(run, 1), live.baseline_of(run_of([case()]), 1)]


def test_the_current_case_is_the_one_at_work() -> None:
    """Else the last one that was at work, with requests or without: a case that failed to load says so."""

    def current(*moments: tuple[Seconds, Fact]) -> int | None:
        state = live.current_case(at(*moments))
        return state.number if state else None

    first: list[tuple[Seconds, Fact]] = [(1.0, CaseFinished(2)), (2.0, sent(1)), (3.0, CaseFinished(1))]
    second: list[tuple[Seconds, Fact]] = [*first, (4.0, CaseStarted(2, (), 1))]
    failed: list[tuple[Seconds, Fact]] = [*second, (5.0, CaseFailed(2, "it does not load"))]

    assert [2, 1, 1, 2, 2] == [current(), current(*first[:1]), current(*first), current(*second), current(*failed)]
    assert 1 == current(*failed, (6.0, CaseStarted(1, (), 2)))
    assert live.current_case(Run()) is None


def test_the_current_request_is_the_latest_of_the_current_case() -> None:
    """None before the first of a case, and none of another case."""
    moments: list[tuple[Seconds, Fact]] = [(1.0, CaseFinished(2)), (2.0, sent(1)), (3.0, sent(2))]
    request = live.current_request(at(*moments))

    assert request is not None
    assert 2 == request.number
    assert live.current_request(at(*moments, (4.0, CaseFinished(1)), (5.0, CaseStarted(2, (), 1)))) is None
    assert live.current_request(Run()) is None
