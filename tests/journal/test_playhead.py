"""A playhead stays within its recording, and stops at the end of it."""

from __future__ import annotations

from functools import reduce

from hypothesis import given
from hypothesis import strategies as st

from specui.journal.clock import ReplayClock
from specui.journal.playhead import SPEEDS, Playhead

END_S = 10.0

heads = st.builds(
    lambda t, speed, plays: Playhead(0.0, speed, plays, END_S).sought(t),
    st.floats(-5, 15),
    st.sampled_from(SPEEDS),
    st.booleans(),
)


def test_it_advances_at_its_speed() -> None:
    """Half a second of the viewer at speed 4 is two of the run."""
    assert Playhead(1.0, 4.0, True, END_S).advanced(0.5) == Playhead(3.0, 4.0, True, END_S)


def test_a_paused_one_stays() -> None:
    """Time passes for the viewer only."""
    paused = Playhead(1.0, 4.0, True, END_S).paused()

    assert paused.advanced(5.0) == Playhead(1.0, 4.0, False, END_S)


def test_it_stops_at_the_end() -> None:
    """However it gets there: played, sought, or because the end was nearer than thought."""
    playing = Playhead(9.0, 1.0, True, END_S)

    assert playing.advanced(2.0) == Playhead(END_S, 1.0, False, END_S)
    assert playing.sought(99.0) == Playhead(END_S, 1.0, False, END_S)
    assert playing.ending(8.0) == Playhead(8.0, 1.0, False, 8.0)


def test_resumed_at_the_end_it_starts_from_the_beginning() -> None:
    """The key that plays always plays; elsewhere it goes on from where it stood."""
    assert Playhead(END_S, 2.0, False, END_S).resumed() == Playhead(0.0, 2.0, True, END_S)
    assert Playhead(4.0, 2.0, False, END_S).resumed() == Playhead(4.0, 2.0, True, END_S)


def test_an_empty_recording_does_not_play() -> None:
    """There is nothing that could pass."""
    assert Playhead().resumed() == Playhead()


def test_a_recording_that_grows_plays_on() -> None:
    """A later end leaves the place and the playing alone."""
    assert Playhead(4.0, 1.0, True, END_S).ending(20.0) == Playhead(4.0, 1.0, True, 20.0)


def test_speeds_are_steps_with_a_first_and_a_last() -> None:
    """Faster and slower go through every speed and stay at the ends."""
    slowest = reduce(lambda head, _: head.slower(), SPEEDS, Playhead())
    climb = [slowest]
    for _ in SPEEDS:
        climb.append(climb[-1].faster())

    assert [*SPEEDS, SPEEDS[-1]] == [head.speed for head in climb]
    assert slowest == slowest.slower()


@given(heads, st.floats(0, 100), st.floats(-100, 100))
def test_it_never_leaves_its_recording(head: Playhead, dt_s: float, t: float) -> None:
    """Whatever is done, it lies within 0 … end, and only before the end it plays."""
    after = [head.advanced(dt_s), head.advanced(-dt_s), head.sought(t), head.ending(t), head.resumed(), head.paused()]

    assert all(0 <= h.position_s <= h.end_s for h in after)
    assert not any(h.playing and h.is_at_end for h in after)
    assert head.advanced(dt_s).position_s >= head.position_s


def test_the_clock_tells_what_passed_since_it_was_asked() -> None:
    """Never less than nothing."""
    clock = ReplayClock()

    assert 0 <= clock.elapsed_s() + clock.elapsed_s()
