"""The panel of the machine beside the numbers: processor and memory of the engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain import live
from specui.domain.text import UNKNOWN, number
from specui.tui.pictures import plot
from specui.tui.pictures.plot import Buckets
from specui.tui.pictures.rows import Row, framed, joined
from specui.tui.pictures.throughput import window_s

if TYPE_CHECKING:
    from specui.domain.run import Run
    from specui.domain.units import Bytes, Seconds

JOIN_S: Seconds = 2.5
"""Samples come once a second."""

LABEL = "cores "


def chart_width(width: int) -> int:
    """Cells for the line itself in a panel of so many."""
    return max(1, width - 4 - len(LABEL))


def fitting_buckets(buckets: Buckets | None, run: Run, width: int) -> Buckets:
    """What gathers the engine's cores for a panel of that width: the same as before on the same scale."""
    span_s = window_s(run) / (2 * chart_width(width))
    return buckets if buckets is not None and buckets.span_s == span_s else Buckets(live.cpu_points, span_s)


def machine(run: Run, buckets: Buckets, width: int, height: int) -> list[Row]:
    """The panel in `width` × `height` cells; `buckets` must be those of its width."""
    sample = run.host_samples[-1][1] if len(run.host_samples) else None
    cores = sample.engine_cpu if sample else None
    value: Row = (("memory", number(cores, 2)), ("dim", " cores"))
    parts: list[Row] = [
        (("dim", "memory "), ("text", gibibytes(sample.rss_bytes if sample else None))),
        (("dim", "free "), ("text", gibibytes(sample.available_bytes if sample else None))),
        (("dim", "machine "), ("text", number(sample.cpu if sample else None)), ("dim", _of_cores(run))),
    ]
    body = [joined(parts, width - 4)]
    room = height - 2 - len(body)
    if room >= 1:
        body = [*_chart(run, buckets, chart_width(width), room), *body]
    return framed("Engine on the CPU", value, body, width, height)


def gibibytes(count: Bytes | None) -> str:
    """An amount of memory with its unit."""
    if count is None:
        return UNKNOWN
    return f"{count / 2**30:.1f} GiB" if count >= 2**30 else f"{count / 2**20:.0f} MiB"


def _of_cores(run: Run) -> str:
    cpus = run.host.get("cpus")
    return f"/{cpus} cores" if isinstance(cpus, int) else " cores"


def _chart(run: Run, buckets: Buckets, width: int, height: int) -> list[Row]:
    last_cell = plot.bucket_of(run.t, buckets.span_s) // 2
    columns = buckets.columns(run, 2 * (last_cell - width + 1), 2 * width)
    top = max(1.0, plot.nice_top(plot.highest(columns)))
    lines = plot.drawn(columns, width, height, top, JOIN_S)
    labels = [f"{top:g}", *[""] * (len(lines) - 1)]
    return [
        (("dim", f"{label:>{len(LABEL) - 1}}"), ("frame", "│"), ("memory", line))
        for label, line in zip(labels, lines, strict=True)
    ]
