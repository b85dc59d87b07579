"""How often a screen looks at its run: often enough to see it, seldom enough not to disturb what is measured."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from specui.domain import live

if TYPE_CHECKING:
    from textual.app import App

    from specui.domain.run import Run
    from specui.domain.units import Seconds

USUAL_HZ = 4.0
QUIET_HZ = 2.0
"""Where an engine computes on the processor that would have to draw."""
UNSEEN_HZ = 1.0
"""Where the terminal says that nobody looks."""

FULL_QUEUE = 2
"""Writes that may wait for the terminal before a picture is left out."""


def pace_s(run: Run, wanted_hz: float | None, *, is_living: bool, is_focused: bool) -> Seconds:
    """Seconds between two looks."""
    if wanted_hz is not None:
        return 1 / wanted_hz
    if not is_focused:
        return 1 / UNSEEN_HZ
    return 1 / (QUIET_HZ if is_living and computes_here(run) else USUAL_HZ)


def computes_here(run: Run) -> bool:
    """Whether the engine of the current case computes on the processor."""
    state = live.current_case(run)
    ready = state.ready if state else None
    return ready is not None and (ready.layers_on_gpu == 0 or (ready.device or "").upper().startswith("CPU"))


def is_terminal_behind(app: App[Any]) -> bool:  # Any: whatever the app returns
    """Whether writes already wait for the terminal: a picture more would only be late, and block the loop.

    Textual's writer has a queue of 30, and putting into a full one stops everything. It is not public: where it
    cannot be found nothing is held back.
    """
    queue = getattr(getattr(getattr(app, "_driver", None), "_writer_thread", None), "_queue", None)
    return queue is not None and queue.qsize() > FULL_QUEUE
