"""Lines over time in braille: absolute time buckets, the extremes of each kept, a gap where nothing was measured."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from specui.domain.units import Seconds

if TYPE_CHECKING:
    from specui.domain.run import Run

Points = Callable[["Run", float, float], Iterable[tuple[float, float, int]]]
"""From a run, points (moment, value, which line it belongs to) from one moment to before another, in order."""

_DOTS = ((0x40, 0x04, 0x02, 0x01), (0x80, 0x20, 0x10, 0x08))
"""Bits of a braille cell, left and right column, from the bottom up."""

LATEST_S: Seconds = 1e12
"""Later moments (30 000 years) are damage, and are drawn as this one."""

_STEPS = (1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)


@dataclass(frozen=True, slots=True)
class Bucket:
    """What was measured in one dot column."""

    low: float
    high: float
    first: float
    last: float
    first_t: Seconds
    last_t: Seconds
    line: int


Columns: TypeAlias = list["Bucket | None"]


@dataclass(slots=True)
class Buckets:
    """Points gathered by absolute time, `span_s` a bucket; what lies before the run's own moment is gathered once.

    A run's facts come in the order of their moments, so a bucket that has passed never changes: the same for a live
    run, and for a replayed one wherever it was sought to.
    """

    points: Points
    span_s: Seconds
    _passed: dict[int, Bucket | None] = field(default_factory=dict)
    _growing: int = 0
    """The bucket that was not over when it was gathered last."""

    def columns(self, run: Run, first: int, count: int) -> Columns:
        """`count` buckets from number `first` on."""
        current = bucket_of(run.t, self.span_s)
        growing = min(current, self._growing)
        for number in [n for n in self._passed if n >= growing or n < first]:
            del self._passed[number]
        self._growing = current
        missing = [n for n in range(first, first + count) if n not in self._passed]
        if missing:
            self._gather(run, missing[0], missing[-1], current)
        return [self._passed.get(n) for n in range(first, first + count)]

    def _gather(self, run: Run, first: int, last: int, current: int) -> None:
        gathered: dict[int, Bucket | None] = dict.fromkeys(range(first, min(last, current) + 1))
        # One more on either side: a moment on an edge may be rounded to the bucket beside it.
        for t, value, line in self.points(run, (first - 1) * self.span_s, (last + 2) * self.span_s):
            number = bucket_of(t, self.span_s)
            if number in gathered and math.isfinite(value):
                gathered[number] = _added(gathered[number], t, value, line)
        self._passed.update(gathered)


def bucket_of(t: Seconds, span_s: Seconds) -> int:
    """The number of the bucket that a moment lies in."""
    return math.floor(min(t, LATEST_S) / span_s)


def _added(bucket: Bucket | None, t: Seconds, value: float, line: int) -> Bucket:
    if bucket is None or bucket.line != line:
        return Bucket(value, value, value, value, t, t, line)
    return Bucket(min(bucket.low, value), max(bucket.high, value), bucket.first, value, bucket.first_t, t, line)


def nice_top(value: float) -> float:
    """The round number that an axis for values up to `value` ends at."""
    if not 1e-300 < value < 1e300:
        return 1.0
    scale = 10.0 ** math.floor(math.log10(value))
    return next((step * scale for step in _STEPS if step * scale >= value * 0.9999), 10 * scale)


def highest(columns: Columns) -> float:
    """The highest value of all buckets; 0 where there is none."""
    return max((b.high for b in columns if b is not None), default=0.0)


def drawn(columns: Columns, width: int, height: int, top: float, join_s: Seconds) -> list[str]:
    """The buckets (two a cell) as `height` strings of `width` braille cells or spaces, from the top down.

    Values from 0 to `top`; those beyond lie on the edge. Neighbours of one line are joined where no more than
    `join_s` lies between their points.
    """
    cells = [[0] * width for _ in range(height)]
    most = 4 * height - 1
    before: tuple[int, Bucket] | None = None
    for x, bucket in enumerate(columns[: 2 * width] if height > 0 else ()):
        if bucket is None:
            continue
        low, high = _dot(bucket.low, top, most), _dot(bucket.high, top, most)
        if before is not None and bucket.line == before[1].line and bucket.first_t - before[1].last_t <= join_s:
            start, end = _dot(before[1].last, top, most), _dot(bucket.first, top, most)
            near = start
            for between in range(before[0] + 1, x):
                near = round(start + (end - start) * (between - before[0]) / (x - before[0]))
                _mark(cells, between, near, near)
            low, high = min(low, near + 1), max(high, near - 1)
        _mark(cells, x, low, high)
        before = (x, bucket)
    return ["".join(chr(0x2800 + bits) if bits else " " for bits in row) for row in reversed(cells)]


def _dot(value: float, top: float, most: int) -> int:
    return round(min(1.0, max(0.0, value / top)) * most)


def _mark(cells: list[list[int]], x: int, low: int, high: int) -> None:
    """Set the dots of one column from `low` to `high`, counted from the bottom."""
    cell, dots = x // 2, _DOTS[x % 2]
    for y in range(low, high + 1):
        cells[y // 4][cell] |= dots[y % 4]
