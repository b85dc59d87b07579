"""The panel that tells what a step costs, and how much of it went into drafting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.domain import live
from specui.domain.text import UNKNOWN, milliseconds, number, percent
from specui.tui.pictures.rows import Row, cut, framed, joined, outside

if TYPE_CHECKING:
    from specui.domain.live import Figures
    from specui.domain.run import Run
    from specui.domain.units import Milliseconds


def step_cost(run: Run, width: int, height: int) -> list[Row]:
    """The panel in `width` × `height` cells; the split is known after an answer, where the engine's log tells."""
    state = live.current_case(run)
    so_far = live.figures(run, state.number) if state else live.Figures()
    is_plain = state is not None and state.case.speculation.method == "none"
    value: Row = (("text", _fine(so_far.step_ms)), ("dim", "/step"))
    if not is_plain:
        value += (("dim", " · κ "), ("text", number(live.kappa(run, state.number) if state else None, 2)))
    body = [] if is_plain or state is None else _split(so_far, width - 4, height - 2)
    if is_plain:
        body = [(("dim", outside("one token a step: a plain pass of the target", width - 4)),)]
    return framed("Step cost", value, body, width, height)


def _split(so_far: Figures, width: int, room: int) -> list[Row]:
    share = so_far.draft_share
    wide: Row = (("dim", "width "), ("text", number(so_far.width)))
    if share is None:
        words = "draft and verify: told by the engine's log after an answer"
        return [joined([wide, (("dim", words),)], width), (("dim", _loss(so_far)),)][:room]
    names = joined(
        [
            (("draft", "▇ "), ("text", f"draft {percent(share)}")),
            (("verify", "▆ "), ("text", f"verify {percent(1 - share)}")),
            wide,
        ],
        width,
        "  ",
    )
    full = round(share * width)
    return [cut((("draft", "▇" * full), ("verify", "▆" * (width - full))), width), names][:room]


def _loss(so_far: Figures) -> str:
    """When speculation pays, in one sentence of numbers."""
    tokens = so_far.tokens_per_step
    return "" if tokens is None else f"pays while κ stays below {number(tokens)} tok/step"


def _fine(ms: Milliseconds | None) -> str:
    """A short time with enough digits to compare: `1.84 ms`, `173 ms`."""
    if ms is None:
        return UNKNOWN
    return f"{ms:.2f} ms" if ms < 10 else f"{ms:.1f} ms" if ms < 100 else milliseconds(ms)
