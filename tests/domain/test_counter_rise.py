"""What an engine's counters rose by over one request."""

from __future__ import annotations

import pytest

from specui.domain.request import CounterRise, counter_rise
from specui.domain.request_facts import CountersRead


def read(
    drafts: int | None,
    drafted: int | None,
    accepted: int | None,
    per_position: tuple[int, ...] | None,
    decodes: int | None,
) -> CountersRead:
    """One reading."""
    return CountersRead(1, None, drafts, drafted, accepted, per_position, decodes)


def test_a_rise_is_taken_field_by_field() -> None:
    """What both readings tell is subtracted; what either lacks is unknown."""
    before, after = read(10, 30, 20, (9, 6, 5), None), read(14, 42, 29, (13, 9, 7), 50)

    assert CounterRise(4, 12, 9, (4, 3, 2), None) == counter_rise(before, after)


@pytest.mark.parametrize(("accepted", "expected"), [(0, (3, 2)), (None, None), (4, None)])
def test_positions_begin_at_zero_where_nothing_was_accepted(
    accepted: int | None, expected: tuple[int, ...] | None
) -> None:
    """The first speculative request makes the positions appear."""
    rise = counter_rise(read(None, 0, accepted, None, 1), read(3, 6, 5, (3, 2), 9))

    assert expected == rise.per_position


@pytest.mark.parametrize(
    "after", [read(9, 42, 29, (13, 9), 50), read(14, 42, 29, (13, 5), 50), read(14, 42, 29, (13, 9), 1)]
)
def test_a_count_that_fell_makes_all_unknown(after: CountersRead) -> None:
    """A server that was restarted in between has counted something else."""
    assert CounterRise() == counter_rise(read(10, 30, 20, (9, 6), 30), after)


def test_a_longer_row_counts_from_zero_and_a_shorter_one_is_unknown() -> None:
    """A row of positions grows with the longest draft, and never shrinks."""
    assert (1, 2) == counter_rise(read(1, 1, 1, (1,), 1), read(4, 6, 4, (2, 2), 9)).per_position
    assert counter_rise(read(1, 2, 2, (1, 1), 1), read(2, 3, 3, (2,), 2)).per_position is None


def test_a_first_reading_tells_no_rise() -> None:
    """Without one before, nothing is known."""
    assert CounterRise() == counter_rise(None, read(1, 1, 1, (1,), 1))
