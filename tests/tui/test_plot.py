"""Lines over time: their dots, their gaps, and that no way to a moment changes what is drawn there."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specui.domain import live
from specui.domain.events import CaseAdded, CaseStarted, Event, HostSampled, RunStarted
from specui.domain.request_facts import FirstToken, StepsDecoded
from specui.domain.run import Run, fold
from specui.journal.recording import Recording
from specui.tui.pictures import plot
from specui.tui.pictures.plot import Bucket, Buckets, Columns
from tests.domain.runs import PLAN, case, finished, sent
from tests.tui.pilots import JOURNALS, story_events

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from specui.domain.events import Fact
    from specui.domain.units import Seconds

STORIES = sorted(path.stem for path in JOURNALS.glob("*.jsonl"))
SPAN_S = 0.1
ODD = (math.nan, math.inf, -math.inf, 0.0, -1.0, 1e308, -1e308, 5e-324, 1e-310, 3.0)


def column(number: int, *values: float, line: int = 1) -> Bucket:
    """What was measured in one column, all in its middle."""
    t = (number + 0.5) * SPAN_S
    return Bucket(min(values), max(values), values[0], values[-1], t, t, line)


def columns(*values: float | None, line: int = 1) -> Columns:
    """One value a column, or none."""
    return [None if v is None else column(n, v, line=line) for n, v in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "size", "expected"),
    [
        ((0.0, 7.0), (1, 2), ["⢸", "⡸"]),
        ((0.0, 0.0), (1, 1), ["⣀"]),
        ((7.0, 7.0, 7.0, 7.0), (2, 1), ["⠉⠉"]),
        ((0.0, 1.0, 2.0, 3.0), (2, 1), ["⡠⠊"]),
        ((0.0, None, None, 0.0), (2, 1), ["⡀⢀"]),
        ((None, None, 7.0, None), (2, 1), [" ⠁"]),
        ((), (2, 2), ["  ", "  "]),
        ((9.0, -9.0), (1, 1), ["⢱"]),
    ],
    ids=["up", "at zero", "at the top", "slope", "gap", "one", "nothing", "beyond the edges"],
)
def test_dots_of_a_line(values: Sequence[float | None], size: tuple[int, int], expected: list[str]) -> None:
    """Two columns and four rows of dots in a cell, joined to the neighbour; blanks where nothing was measured."""
    top = 3.0 if values == (0.0, 1.0, 2.0, 3.0) else 7.0

    assert expected == plot.drawn(columns(*values), *size, top, 0.15)


def test_a_gap_within_the_join_is_bridged() -> None:
    """Straight, from the last point before it to the first behind it."""
    assert ["⡠⠊"] == plot.drawn(columns(0.0, None, None, 3.0), 2, 1, 3.0, 0.35)


def test_two_answers_are_not_joined() -> None:
    """However near to each other they are."""
    both = [column(0, 0.0, line=1), column(1, 3.0, line=2)]

    assert ["⡈"] == plot.drawn([*both], 1, 1, 3.0, 9.0)


values = st.floats(0, 100)
buckets = st.lists(st.none() | st.lists(values, min_size=1, max_size=4), max_size=24)


def dots_of(lines: list[str]) -> dict[int, set[int]]:
    """The dots of every column, counted from the bottom."""
    found: dict[int, set[int]] = {}
    for row, line in enumerate(reversed(lines)):
        for cell, sign in enumerate(line):
            bits = 0 if sign == " " else ord(sign) - 0x2800
            for side, order in enumerate(((6, 2, 1, 0), (7, 5, 4, 3))):
                found.setdefault(2 * cell + side, set()).update(
                    4 * row + up for up, bit in enumerate(order) if bits >> bit & 1
                )
    return found


@settings(max_examples=100, deadline=None)
@given(buckets, st.integers(1, 6), st.floats(0, 1))
def test_every_column_keeps_its_extremes(told: list[list[float] | None], height: int, join_s: Seconds) -> None:
    """Property 9: the lowest and the highest value of a column are among its dots, and all in between."""
    filled = [None if v is None else column(n, *v) for n, v in enumerate(told)]
    seen = dots_of(plot.drawn(filled, 12, height, 100.0, join_s))

    for number, bucket in enumerate(filled):
        if bucket is not None:
            low, high = (round(v / 100 * (4 * height - 1)) for v in (bucket.low, bucket.high))
            assert set(range(low, high + 1)) <= seen[number]


@settings(max_examples=100, deadline=None)
@given(st.lists(st.none() | st.tuples(values, st.integers(1, 2)), max_size=24), st.integers(1, 6), st.floats(0, 1))
def test_a_gap_stays_a_gap(told: list[tuple[float, int] | None], height: int, join_s: Seconds) -> None:
    """A column without a measurement has dots only between two points of one line that are near enough."""
    filled = [None if v is None else column(n, v[0], line=v[1]) for n, v in enumerate(told)]
    seen = dots_of(plot.drawn(filled, 12, height, 100.0, join_s))

    for number in range(24):
        if number < len(filled) and filled[number] is not None:
            continue
        before = next((b for b in reversed(filled[:number]) if b is not None), None)
        behind = next((b for b in filled[number:] if b is not None), None)
        is_bridged = (
            before is not None
            and behind is not None
            and before.line == behind.line
            and behind.first_t - before.last_t <= join_s
        )
        assert is_bridged is bool(seen[number])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.none() | st.lists(st.floats() | st.sampled_from(ODD), min_size=1, max_size=3), max_size=40),
    st.integers(0, 12),
    st.integers(0, 5),
)
def test_no_value_draws_outside(told: list[list[float] | None], width: int, height: int) -> None:
    """Property 9: whatever was measured, there are so many strings of so many cells."""
    run = Run(t=4.0)
    points = [(n * SPAN_S, v, 1) for n, told_here in enumerate(told) for v in told_here or ()]
    gathered = Buckets(lambda run, since, until: (p for p in points if since <= p[0] < until), SPAN_S)
    filled = gathered.columns(run, 0, 2 * width)

    lines = plot.drawn(filled, width, height, plot.nice_top(plot.highest(filled)), 1.0)

    assert [width] * height == [len(line) for line in lines]


@pytest.mark.parametrize("value", ODD)
def test_every_axis_has_a_top(value: float) -> None:
    """A finite one above zero that holds the value, wherever there can be one."""
    top = plot.nice_top(value)

    assert 0 < top < math.inf
    assert not 0 < value < 1e300 or top >= value * 0.9999


@pytest.mark.parametrize(
    ("value", "top"), [(0.7, 0.8), (1.0, 1.0), (11.0, 15.0), (24.2, 25.0), (81.0, 100.0), (599.0, 600.0)]
)
def test_an_axis_ends_at_a_round_number(value: float, top: float) -> None:
    """The next one of 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10 and their powers of ten."""
    assert pytest.approx(top) == plot.nice_top(value)


@pytest.mark.parametrize("t", [0.0, 1e9, 1e15, 1e300, 1.7e308])
def test_no_moment_is_too_late_to_be_drawn(t: Seconds) -> None:
    """A damaged time is drawn somewhere, and costs nothing."""
    run = fold([Event(1, t, HostSampled(1.0, None, None, 1, 2.0))])
    number = plot.bucket_of(run.t, 1e-3)

    assert 8 == len(Buckets(live.cpu_points, 1e-3).columns(run, number - 7, 8))


def test_a_column_holds_the_extremes_and_the_ends_of_its_points() -> None:
    """Of the line that came last, where two meet in one column."""
    points = [(0.01, 5.0, 1), (0.02, 9.0, 1), (0.03, 2.0, 1), (0.04, 4.0, 1), (0.15, 1.0, 1), (0.16, 7.0, 2)]
    gathered = Buckets(lambda run, since, until: points, SPAN_S).columns(Run(t=1.0), 0, 3)

    assert [Bucket(2.0, 9.0, 5.0, 4.0, 0.01, 0.04, 1), Bucket(7.0, 7.0, 7.0, 7.0, 0.16, 0.16, 2), None] == gathered


@settings(max_examples=100, deadline=None)
@given(st.lists(st.integers(1, 400), min_size=1, max_size=30), st.integers(1, 97), st.integers(0, 60))
def test_a_moment_on_an_edge_lies_in_one_bucket(moments: list[int], parts: int, first: int) -> None:
    """However its number is rounded, and wherever the columns begin."""
    span_s = 15 / (2 * parts)
    points = [(0.05 * n, float(n), 1) for n in sorted(set(moments))]

    def told(run: Run, since: Seconds, until: Seconds) -> Iterator[tuple[Seconds, float, int]]:
        return (p for p in points if since <= p[0] < until)

    whole = Buckets(told, span_s).columns(Run(t=21.0), 0, 300)
    here = Buckets(told, span_s).columns(Run(t=21.0), first, 40)

    assert whole[first : first + 40] == here


@cache
def happened(story: str) -> list[Event]:
    """A golden journal, or a longer run of short and long answers."""
    return _made_up() if story == "made up" else story_events(story)


@cache
def recording(story: str) -> Recording:
    """It as a recording."""
    return Recording(happened(story), checkpoint_events=20)


def _made_up() -> list[Event]:
    begun: list[Fact] = [RunStarted(PLAN, {}, {}), CaseAdded(1, case("none")), CaseAdded(2, case())]
    events = [Event(seq, 0.0, fact) for seq, fact in enumerate([*begun, CaseStarted(1, (), 1)], 1)]
    t = 0.0
    for request in range(1, 9):
        told: list[Fact] = [sent(request, 1 + request % 2), FirstToken(request)]
        told += [
            StepsDecoded(request, 1 + 3 * n, 37.0 * n * request, None, None) for n in range(1, 4 + 5 * (request % 3))
        ]
        for fact in [*told, finished(request, 99, 37.0 * 40 * request)]:
            t = round(t + 0.037 * request, 6)
            for here in (fact, HostSampled(1.0, None, None, 1, t % 3)):
                events.append(Event(len(events) + 1, t, here))
    return events


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([*STORIES, "made up"]),
    st.sampled_from(["speed", "cores"]),
    st.integers(1, 90),
    st.lists(st.floats(0, 1), min_size=1, max_size=6),
)
def test_columns_depend_on_the_moment_alone(story: str, which: str, cells: int, places: list[float]) -> None:
    """Property 7 of pictures: live, watched or sought to, forth and back, the same columns as drawn afresh."""
    points = live.speed_points if which == "speed" else live.cpu_points
    span_s = 15 / (2 * cells)
    kept = Buckets(points, span_s)
    for place in places:
        run = recording(story).at(place * recording(story).end_s)
        first = plot.bucket_of(run.t, span_s) - 2 * cells
        assert Buckets(points, span_s).columns(run, first, 2 * cells) == kept.columns(run, first, 2 * cells)


@pytest.mark.parametrize("story", [*STORIES, "made up"])
def test_columns_of_a_run_that_grows_are_those_of_the_whole(story: str) -> None:
    """Event by event, as a living run comes, and at once."""
    told, span_s = recording(story), 0.3
    kept, run = Buckets(live.speed_points, span_s), Run()
    for event in happened(story):
        run = fold([event], run)
        first = plot.bucket_of(run.t, span_s) - 40
        here = kept.columns(run, first, 41)

    assert Buckets(live.speed_points, span_s).columns(told.whole, first, 41) == here
