"""A sheet with everything that a reader of a run's numbers should know, in full."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from specui.domain.text import visible

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

    from specui.tui.pictures.notes import Note


class Noted(ModalScreen[None]):
    """One paragraph a note."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,w,q", "dismiss", "back")]

    def __init__(self, notes: list[Note]) -> None:
        super().__init__()
        self._notes = notes

    def compose(self) -> ComposeResult:
        """Newest last."""
        sheet = Text()
        for _, text in self._notes:
            sheet.append(f"! {visible(text)}\n\n")
        with VerticalScroll(classes="sheet"):
            yield Static(sheet)
        yield Footer()
