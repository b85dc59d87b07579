"""A complete answer as Markdown, laid out once."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Label, Markdown

from specui.domain.text import one_line, visible

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType


class Formatted(ModalScreen[None]):
    """The model's Markdown. Its links lead nowhere: what a model writes starts nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,v,q", "dismiss", "back")]

    def __init__(self, text: str, prompt: str) -> None:
        super().__init__()
        self._text = text
        self._prompt = prompt

    def compose(self) -> ComposeResult:
        """The question above the answer."""
        with VerticalScroll(classes="sheet"):
            yield Label(one_line(self._prompt), markup=False, classes="asked")
            yield Markdown(visible(self._text), open_links=False)
        yield Footer()
