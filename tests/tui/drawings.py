"""Every picture of the golden journals as text: `python -m tests.tui.drawings` writes them; look at each difference."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain import live
from specui.domain.run import Run, fold
from specui.journal.playhead import Playhead
from specui.tui.pictures import machine, throughput
from specui.tui.pictures.acceptance import acceptance
from specui.tui.pictures.headline import after_load, doing, headline, question, so_far
from specui.tui.pictures.step_cost import step_cost
from specui.tui.pictures.transport import transport
from tests.tui.pilots import story_events

if TYPE_CHECKING:
    from collections.abc import Callable

    from specui.tui.pictures.rows import Row

DRAWN = Path(__file__).parent / "drawn"

MOMENTS = {
    "normal": (3, 16, 45, 100, 115),
    "server-fails": (5, 9),
    "request-breaks": (24, 37),
    "stopped": (81,),
    "two-devices": (40,),
    "clock-gap": (27, 72),
}
"""Numbers of events after which each story is drawn."""


def speed_panel(run: Run, width: int, height: int) -> list[Row]:
    """Throughput, gathered afresh."""
    return throughput.throughput(run, throughput.fitting_buckets(None, run, width), width, height)


def machine_panel(run: Run, width: int, height: int) -> list[Row]:
    """Processor and memory, gathered afresh."""
    return machine.machine(run, machine.fitting_buckets(None, run, width), width, height)


def transport_line(run: Run, width: int, height: int) -> list[Row]:
    """A replay that stands at the moment of the run, of one twice as long."""
    starts = [request.sent_at for request in run.requests]
    return [transport(Playhead(run.t, 4.0, True, 2 * run.t), list(run.marks), starts, width)][:height]


PANELS: dict[str, Callable[[Run, int, int], list[Row]]] = {
    "throughput": speed_panel,
    "acceptance": acceptance,
    "step-cost": step_cost,
    "machine": machine_panel,
}
LINES: dict[str, Callable[[Run, int], Row]] = {
    "headline": lambda run, width: headline(run, "● running", width),
    "after-load": after_load,
    "doing": lambda run, width: doing(run),
    "question": lambda run, width: question(live.current_request(run), width),
    "so-far": so_far,
    "transport": lambda run, width: transport_line(run, width, 1)[0],
}
SIZES = {"throughput": ((58, 10), (38, 6)), "acceptance": ((58, 7), (28, 5)), "step-cost": ((58, 4), (34, 4)),
         "machine": ((58, 5), (38, 3))}  # fmt: skip
WIDTHS = (118, 60)


def at(story: str, seq: int) -> Run:
    """The run after the event of that number."""
    return fold(event for event in story_events(story) if event.seq <= seq)


def text_of(row: Row) -> str:
    """What a row shows, without blanks at its end."""
    return "".join(text for _, text in row).rstrip()


def drawing(story: str, seq: int) -> str:
    """Every picture of one moment in two sizes."""
    run, parts = at(story, seq), []
    for name, line in LINES.items():
        parts += [f"# {name}", *(text_of(line(run, width)) for width in WIDTHS)]
    for name, panel in PANELS.items():
        for width, height in SIZES[name]:
            parts += [f"# {name} {width}×{height}", *(text_of(row) for row in panel(run, width, height))]
    return "\n".join(parts) + "\n"


def main() -> None:
    """Write all of them."""
    DRAWN.mkdir(exist_ok=True)
    for story, numbers in MOMENTS.items():
        for seq in numbers:
            (DRAWN / f"{story}-{seq}.txt").write_text(drawing(story, seq), encoding="utf-8")


if __name__ == "__main__":
    main()
