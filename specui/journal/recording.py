"""All events of a run in memory, and the run as it was at any moment of them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from specui.domain.events import RESULT_PURPOSES, Event, Marked, RequestSent
from specui.domain.run import Run, apply, fold

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from specui.domain.units import Seconds

CHECKPOINT_EVENTS = 500
"""After so many events each a state is kept; the kept ones share their storage."""


class Recording:
    """Grows by events in order and tells the run at any moment so far.

    An event counts from the moment the run's time has reached it: one that is stamped before its forerunner (a
    clock that was set back) happens together with it. Moments are those of `Run.t`.
    """

    def __init__(self, events: Iterable[Event] = (), checkpoint_events: int = CHECKPOINT_EVENTS) -> None:
        self._checkpoint_events = checkpoint_events
        self._events: list[Event] = []
        self._times: list[Seconds] = []
        self._checkpoints: list[Run] = [Run()]
        self._whole = Run()
        self._asked = (0, Run())
        self._markers: list[tuple[Seconds, str]] = []
        self._request_starts: list[Seconds] = []
        self.extend(events)

    def extend(self, events: Iterable[Event]) -> None:
        """Take in the events that follow; one that came before is passed over."""
        for event in events:
            if event.seq <= self._whole.seq:
                continue
            self._whole = apply(self._whole, event)
            self._events.append(event)
            self._times.append(self._whole.t)
            if len(self._events) % self._checkpoint_events == 0:
                self._checkpoints.append(self._whole)
            match event.fact:
                case Marked():
                    self._markers.append((self._whole.t, event.fact.label))
                case RequestSent() if event.fact.purpose in RESULT_PURPOSES:
                    self._request_starts.append(self._whole.t)

    def __len__(self) -> int:
        """Events taken in so far."""
        return len(self._events)

    @property
    def end_s(self) -> Seconds:
        """The moment of the latest event so far; 0 where there is none."""
        return self._whole.t

    @property
    def whole(self) -> Run:
        """The run after every event so far."""
        return self._whole

    @property
    def markers(self) -> Sequence[tuple[Seconds, str]]:
        """When markers were put, and their labels."""
        return tuple(self._markers)

    @property
    def request_starts(self) -> Sequence[Seconds]:
        """When measured and asked requests went out."""
        return tuple(self._request_starts)

    def at(self, t: Seconds) -> Run:
        """The run after every event up to `t`, that moment included; cheap a little after the `t` asked for last."""
        count = bisect_right(self._times, t)
        if count == len(self._events):
            return self._whole
        begun, run = self._asked
        if not begun <= count < begun + self._checkpoint_events:
            nearest = count // self._checkpoint_events
            begun, run = nearest * self._checkpoint_events, self._checkpoints[nearest]
        run = fold(self._events[begun:count], run)
        self._asked = (count, run)
        return run

    def next_event(self, t: Seconds) -> Seconds | None:
        """The first moment after `t` at which something happens; None where nothing does any more."""
        return _after(self._times, t)

    def previous_event(self, t: Seconds) -> Seconds | None:
        """The moment one step back: at it, the last thing that has happened by `t` has not yet. None at the first."""
        count = bisect_right(self._times, t)
        return _before(self._times, self._times[count - 1]) if count else None

    def next_request(self, t: Seconds) -> Seconds | None:
        """When the first measured or asked request after `t` goes out; None where there is none."""
        return _after(self._request_starts, t)

    def previous_request(self, t: Seconds) -> Seconds | None:
        """When the last measured or asked request before `t` went out; None where there is none."""
        return _before(self._request_starts, t)

    def next_marker(self, t: Seconds) -> Seconds | None:
        """When the first marker after `t` was put; None where there is none."""
        return _after([when for when, _ in self._markers], t)

    def previous_marker(self, t: Seconds) -> Seconds | None:
        """When the last marker before `t` was put; None where there is none."""
        return _before([when for when, _ in self._markers], t)


def _after(moments: Sequence[Seconds], t: Seconds) -> Seconds | None:
    index = bisect_right(moments, t)
    return moments[index] if index < len(moments) else None


def _before(moments: Sequence[Seconds], t: Seconds) -> Seconds | None:
    index = bisect_left(moments, t)
    return moments[index - 1] if index else None
