"""The base of every panel: rows of styled text, of which only those that changed are drawn again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from specui.tui.pictures.rows import Row, differing, filled, merged

if TYPE_CHECKING:
    from rich.style import Style


class RowStyles:
    """The rich styles behind the names that rows use, as the stylesheet gives them to the screen.

    The screen has them for all: Textual computes every component class of every widget when it is mounted, which
    for a dozen panels is most of a start.
    """

    def __init__(self, widget: Widget) -> None:
        self._widget = widget
        self._known: dict[str, Style] = {}

    def __call__(self, name: str) -> Style:
        """The style of that name."""
        style = self._known.get(name)
        if style is None:
            style = self._known[name] = self._widget.screen.get_component_rich_style(f"row--{name}")
        return style

    def forget(self) -> None:
        """Ask the stylesheet again: the theme has changed."""
        self._known.clear()

    def strip(self, row: Row, width: int) -> Strip:
        """A row as Textual draws it, exactly `width` cells wide."""
        spans = merged(filled(row, width))
        if getattr(self._widget.app, "draws_ascii", False):
            from specui.tui.pictures.ascii import plain  # few terminals need it

            spans = tuple((name, plain(text)) for name, text in spans)
        return Strip([Segment(text, self(name)) for name, text in spans]).adjust_cell_length(width)


class Picture(Widget):
    """Rows that a subclass draws out of what it holds; a row that stays the same is not sent again."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._rows: list[Row] = []
        self._styles = RowStyles(self)

    def drawn(self, width: int, height: int) -> list[Row]:
        """The rows of this moment."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw again and send what differs."""
        width, height = self.size
        if not width or not height:
            return
        rows, before = self.drawn(width, height), self._rows
        self._rows = rows
        changed = [y for y in range(height) if _at(rows, y) != _at(before, y)]
        if changed:
            self.refresh(*(Region(0, y, differing(_at(rows, y), _at(before, y), width), 1) for y in changed))

    def on_resize(self) -> None:
        """Draw for the new size."""
        self._rows = []
        self.redraw()
        self.refresh()

    def notify_style_update(self) -> None:
        """The theme changed: colours are asked for again."""
        super().notify_style_update()
        self._styles.forget()

    def render_line(self, y: int) -> Strip:
        """One row."""
        return self._styles.strip(_at(self._rows, y), self.size.width)


def _at(rows: list[Row], y: int) -> Row:
    return rows[y] if y < len(rows) else ()
