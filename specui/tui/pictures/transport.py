"""The line of a replay: whether it plays, how fast, where it stands, and where requests and markers lie."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.tui.pictures.headline import clock
from specui.tui.pictures.rows import Row, filled, outside, row_width, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from specui.domain.units import Seconds
    from specui.journal.playhead import Playhead


def transport(
    head: Playhead,
    markers: Sequence[tuple[Seconds, str]],
    requests: Sequence[Seconds],
    width: int,
    *,
    is_whole: bool = True,
) -> Row:
    """One row: `⏵ ×4  ━━━┿━━●────▲───  03:12 / 07:44`, and the last marker's label where there is room."""
    sign = "▶" if head.playing else "‖"
    word = "plays" if head.playing else "at the end" if head.is_at_end else "paused"
    if not is_whole:
        sign, word = "◇", "being read"
    before: Row = (("accent", f"{sign} "), ("text", f"×{head.speed:g} "), ("dim", f"{word}  "))
    times: Row = (("text", f"  {clock(head.position_s)}"), ("dim", f" / {clock(head.end_s)}"))
    passed = [label for t, label in markers if t <= head.position_s]
    label = f"  ▲ {outside(passed[-1], 24)}" if passed and width >= 90 else ""
    room = width - row_width((*before, *times)) - width_of(label)
    if room < 8:
        return filled((*before, *times), width)
    return filled((*before, *_bar(head, markers, requests, room), *times, ("warning", label)), width)


def _bar(head: Playhead, markers: Sequence[tuple[Seconds, str]], requests: Sequence[Seconds], width: int) -> Row:
    """The time from 0 to the end in `width` cells."""

    def cell(t: Seconds) -> int:
        return min(width - 1, int(min(1.0, t / head.end_s) * width)) if head.end_s > 0 else 0

    here = cell(head.position_s)
    signs = ["━" if n < here else "─" for n in range(width)]
    styles = ["accent" if n < here else "frame" for n in range(width)]
    for t in requests:
        signs[cell(t)] = "┿" if cell(t) < here else "┼"
    for t, _ in markers:
        signs[cell(t)], styles[cell(t)] = "▲", "warning"
    signs[here], styles[here] = "●", "accent"
    row: list[tuple[str, str]] = []
    for sign, style in zip(signs, styles, strict=True):
        if row and row[-1][0] == style:
            row[-1] = (style, row[-1][1] + sign)
        else:
            row.append((style, sign))
    return tuple(row)
