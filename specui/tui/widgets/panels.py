"""The panels of the Live screen; each draws the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.reactive import reactive

from specui.domain import live
from specui.domain.run import Run
from specui.tui.pictures import machine, throughput
from specui.tui.pictures.acceptance import acceptance
from specui.tui.pictures.headline import question
from specui.tui.pictures.step_cost import step_cost
from specui.tui.widgets.picture import Picture

if TYPE_CHECKING:
    from collections.abc import Callable

    from specui.tui.pictures.plot import Buckets
    from specui.tui.pictures.rows import Row


class RunPicture(Picture):
    """A picture of a run."""

    run_state: reactive[Run] = reactive(Run, init=False, repaint=False)

    def watch_run_state(self) -> None:
        """Draw what is new."""
        self.redraw()


class LinePicture(RunPicture):
    """One or more rows that a function makes of the run and a width."""

    def __init__(self, rows: Callable[[Run, int], list[Row]], *, id: str) -> None:
        super().__init__(id=id)
        self._rows_of = rows

    def drawn(self, width: int, height: int) -> list[Row]:
        """What the function makes of it."""
        return self._rows_of(self.run_state, width)


class QuestionLine(RunPicture):
    """The header of the answer."""

    has_lens: reactive[bool] = reactive(True, init=False, repaint=False)

    def watch_has_lens(self) -> None:
        """The legend comes and goes with the lens."""
        self.redraw()

    def drawn(self, width: int, height: int) -> list[Row]:
        """One row."""
        return [question(live.current_request(self.run_state), width, has_lens=self.has_lens)]


class ThroughputPanel(RunPicture):
    """Speed over the last minute."""

    _buckets: Buckets | None = None

    def drawn(self, width: int, height: int) -> list[Row]:
        """The panel; what was gathered for this width is kept."""
        self._buckets = throughput.fitting_buckets(self._buckets, self.run_state, width)
        return throughput.throughput(self.run_state, self._buckets, width, height)


class AcceptancePanel(RunPicture):
    """Share kept at each position."""

    def drawn(self, width: int, height: int) -> list[Row]:
        """The panel."""
        return acceptance(self.run_state, width, height)


class StepCostPanel(RunPicture):
    """What a step costs."""

    def drawn(self, width: int, height: int) -> list[Row]:
        """The panel."""
        return step_cost(self.run_state, width, height)


class MachinePanel(RunPicture):
    """Processor and memory of the engine."""

    _buckets: Buckets | None = None

    def drawn(self, width: int, height: int) -> list[Row]:
        """The panel; what was gathered for this width is kept."""
        self._buckets = machine.fitting_buckets(self._buckets, self.run_state, width)
        return machine.machine(self.run_state, self._buckets, width, height)
