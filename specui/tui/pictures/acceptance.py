"""The panel that tells how well the drafter guesses: share kept at each position, tokens a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain import live
from specui.domain.text import number, percent
from specui.tui.pictures.rows import Row, cut, filled, framed, joined, outside

if TYPE_CHECKING:
    from specui.domain.live import Figures
    from specui.domain.run import CaseState, Run
    from specui.domain.units import Ratio

GAP = 2
SHORT = 8
"""In a panel so low the screen has no room for that of the step cost, so κ stands here."""
LEAST_CELLS = 22
"""Cells that one position needs: its name, a bar and the share."""


def acceptance(run: Run, width: int, height: int) -> list[Row]:
    """The panel in `width` × `height` cells: the case so far, and below it the last two seconds."""
    state = live.current_case(run)
    so_far = live.figures(run, state.number) if state else live.Figures()
    inner, room = width - 4, height - 2
    body = _body(state, so_far, inner, max(1, room))
    now = live.gauge(live.current_request(run))
    if room > len(body) and now is not None and now.acceptance is not None:
        last: Row = joined(
            [
                (("dim", "now "), ("acceptance", percent(now.acceptance))),
                (("text", number(now.tokens_per_step)), ("dim", " tok/step")),
            ],
            inner,
        )
        body = [*body, *[()] * (room - 1 - len(body)), last]
    value = _value(state, so_far)
    if value and height <= SHORT:
        value = (*value, ("dim", " · κ "), ("text", number(live.kappa(run, state.number) if state else None, 2)))
    return framed("Acceptance", value, body, width, height)


def _value(state: CaseState | None, so_far: Figures) -> Row:
    if state is None or state.case.speculation.method == "none":
        return ()
    return (
        ("acceptance", percent(so_far.acceptance)),
        ("dim", " · "),
        ("text", number(so_far.tokens_per_step)),
        ("dim", " tok/step"),
    )


def _body(state: CaseState | None, so_far: Figures, width: int, room: int) -> list[Row]:
    if state is None:
        return []
    if state.case.speculation.method == "none":
        words = "no speculation: the others are compared with this" if width >= 50 else "no speculation here"
        return [(("dim", outside(words, width)),)]
    if not so_far.acceptance_at:
        words = "nothing drafted yet" if so_far.acceptance is None else "by position: known after an answer"
        return [(("dim", outside(words, width)),)]
    return _bars(so_far.acceptance_at, width, room)


def _bars(shares: tuple[Ratio, ...], width: int, room: int) -> list[Row]:
    """One bar a position, in as many columns as it takes; what does not fit is said."""
    columns = min(max(1, (width + GAP) // (LEAST_CELLS + GAP)), -(-len(shares) // room))
    cells = (width - GAP * (columns - 1)) // columns
    shown = shares if len(shares) <= room * columns else shares[: room * columns - 1]
    bars = [_bar(position, share, cells) for position, share in enumerate(shown, 1)]
    if len(shown) < len(shares):
        rest = f"… to pos {len(shares)}: {percent(shares[-1])}"
        bars.append(filled((("dim", rest),), cells))
    rows: list[Row] = []
    lines = min(room, -(-len(bars) // columns))
    for line in range(lines):
        row: Row = ()
        for bar in bars[line::lines]:
            row = (*row, ("text", " " * GAP), *bar) if row else bar
        rows.append(row)
    return rows


def _bar(position: int, share: Ratio, width: int) -> Row:
    name, value = f"pos {position:<2} ", f"{percent(share):>5} "
    room = max(0, width - len(name) - len(value))
    full = min(room, max(0, round(share * room)))
    return cut((("dim", name), ("text", value), ("acceptance", "█" * full), ("frame", "░" * (room - full))), width)
