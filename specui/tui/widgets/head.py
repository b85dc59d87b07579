"""The two lines at the top: what runs and how far it is, and what the engine really did."""

from __future__ import annotations

from textual.reactive import reactive

from specui.tui.pictures.headline import after_load, doing, headline
from specui.tui.pictures.rows import Row, row_width, spread
from specui.tui.widgets.panels import RunPicture


class Head(RunPicture):
    """Says of the run what no panel says."""

    word: reactive[str] = reactive("", init=False, repaint=False)

    def watch_word(self) -> None:
        """Draw what is new."""
        self.redraw()

    def drawn(self, width: int, height: int) -> list[Row]:
        """Two rows."""
        if not self.word:
            return [(("title", "specui"), ("dim", "  no run is open: choose one in Sessions (4)"))]
        now = doing(self.run_state) if "broke off" not in self.word else ()
        room = width - row_width(now) - 2 if now else width
        return [headline(self.run_state, self.word, width), spread(after_load(self.run_state, room), now, width)]
