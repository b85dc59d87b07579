"""The throughput panel: speed over the last minute, the baseline's speed across it, and what came of it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from specui.domain import live
from specui.domain.metrics import speedup
from specui.domain.text import UNKNOWN, milliseconds, number, times
from specui.tui.pictures import plot
from specui.tui.pictures.plot import Buckets
from specui.tui.pictures.rows import BLANK, Row, cut, framed, joined

if TYPE_CHECKING:
    from specui.domain.run import Run
    from specui.domain.units import Seconds, TokensPerSecond

WINDOWS_S: tuple[Seconds, ...] = (15.0, 30.0, 60.0)
"""How far back a chart reaches: the shortest that holds the whole run so far, at most a minute."""
JOIN_S: Seconds = 1.5
"""Readings of one answer farther apart than this have a gap between them."""

LABEL_CELLS = 6


def chart_width(width: int) -> int:
    """Cells for the line itself in a panel of so many."""
    return max(1, width - 4 - LABEL_CELLS)


def window_s(run: Run) -> Seconds:
    """How far back the charts of a run reach at this moment of it."""
    return next((window for window in WINDOWS_S if run.t < window), WINDOWS_S[-1])


def fitting_buckets(buckets: Buckets | None, run: Run, width: int) -> Buckets:
    """What gathers the speeds for a panel of that width: the same as before on the same scale."""
    span_s = window_s(run) / (2 * chart_width(width))
    return buckets if buckets is not None and buckets.span_s == span_s else Buckets(live.speed_points, span_s)


def throughput(run: Run, buckets: Buckets, width: int, height: int) -> list[Row]:
    """The panel in `width` × `height` cells; `buckets` must be those of its width."""
    state = live.current_case(run)
    mean = live.figures(run, state.number).speed if state else None
    now = live.gauge(live.current_request(run))
    base = live.baseline_of(run, state.number) if state else None
    base_speed = live.figures(run, base.number).speed if base else None
    if now is not None:
        value: Row = (("speed", number(now.speed)), ("dim", " tok/s"))
    else:
        value = (("dim", "mean "), ("speed", number(mean)), ("dim", " tok/s"))
    footer = joined(_results(run, mean, base_speed, is_running=now is not None), width - 4, "   ")
    room = height - 3
    body = _chart(run, buckets, chart_width(width), room - 1, base_speed) if room >= 3 else []
    return framed("Throughput", value, [*body, *[BLANK] * (room - len(body)), footer], width, height)


def _results(run: Run, mean: TokensPerSecond | None, base: TokensPerSecond | None, *, is_running: bool) -> list[Row]:
    """The headline first: what speculation brings, then the mean, prompt speed and waiting time."""
    state, request = live.current_case(run), live.current_request(run)
    parts: list[Row] = []
    gain = speedup(mean, base)
    if gain is not None:
        # Other prompts may have gone into the baseline's mean than this case has answered yet.
        is_whole = state is not None and state.progress == "finished"
        parts.append((("good" if gain >= 1 else "bad", times(gain)), ("dim", " none" if is_whole else " none so far")))
    elif state is not None and state.case.speculation.method == "none":
        parts.append((("baseline", "baseline"),))
    else:
        parts.append((("dim", f"{UNKNOWN} × none"),))
    if is_running:
        parts.append((("dim", "mean "), ("text", number(mean))))
    prompt = live.prompt_speed(run, state.number) if state else None
    parts.append((("dim", "last prompt "), ("text", number(prompt, 0)), ("dim", " tok/s")))
    parts.append((("dim", "TTFT "), ("text", milliseconds(request.ttft_ms if request else None))))
    return parts


def _chart(run: Run, buckets: Buckets, width: int, height: int, base: TokensPerSecond | None) -> list[Row]:
    """The line with its axes: `height` rows and one for the time axis."""
    last_cell = plot.bucket_of(run.t, buckets.span_s) // 2
    columns = buckets.columns(run, 2 * (last_cell - width + 1), 2 * width)
    top = plot.nice_top(max(plot.highest(columns), base or 0.0))
    lines = plot.drawn(columns, width, height, top, JOIN_S)
    base_row = None if base is None else height - 1 - min(height - 1, int(min(1.0, base / top) * height))
    rows: list[Row] = []
    for y, line in enumerate(lines):
        label = _label(top, y, height)
        drawn = _crossed(line, base or 0.0) if y == base_row else (("speed", line.rstrip()),)
        rows.append((("dim", f"{label:>{LABEL_CELLS - 1}}"), ("frame", "┤" if label else "│"), *drawn))
    rows.append(_time_axis(width, window_s(run), has_points=any(columns)))
    return rows


def _label(top: float, y: int, height: int) -> str:
    """What stands left of a row: the top of the scale, and its half where that is a row's edge."""
    if y == 0:
        return f"{top:g}"
    return f"{top / 2:g}" if height >= 5 and height % 2 == 1 and y == height // 2 else ""


def _time_axis(width: int, window: Seconds, *, has_points: bool) -> Row:
    words = f" {window:g} s" if has_points else " no readings"
    line = "─" * max(0, width - len(words))
    return cut((("dim", f"{'0':>{LABEL_CELLS - 1}}"), ("frame", "└" + line), ("dim", words)), width + LABEL_CELLS)


def _crossed(line: str, base: TokensPerSecond) -> Row:
    """The line with the baseline dashed through its blanks, and its name at the end that has room for it."""
    name = f"╌╌ none {number(base)} "
    if len(line) >= 2 * len(name):
        if not line[-len(name) - 2 :].strip():
            return (*_dashed(line[: -len(name) - 2]), ("baseline", f" {name[3:]}╌╌╌"))
        if not line[: len(name)].strip():
            return (("baseline", name), *_dashed(line[len(name) :]))
    return _dashed(line)


def _dashed(line: str) -> Row:
    """Dashes in every gap of three cells or more: in smaller ones they would be noise."""
    pieces = re.split(r"( {3,})", line)
    return tuple(
        ("baseline", "╌" * len(piece)) if index % 2 else ("speed", piece) for index, piece in enumerate(pieces) if piece
    )
