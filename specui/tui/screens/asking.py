"""Small questions in a window: one of several choices, or a line of text."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList
from textual.widgets.option_list import Option

if TYPE_CHECKING:
    from textual import events
    from textual.app import ComposeResult
    from textual.binding import BindingType


class Choice(ModalScreen[str | None]):
    """Asks for one of several choices; each has a key. None where the window was left."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "cancel")]

    def __init__(self, question: str, choices: list[tuple[str, str, str]]) -> None:
        super().__init__()
        self._question = question
        self._choices = choices
        """Key, id and words of each."""

    def compose(self) -> ComposeResult:
        """The question above its choices."""
        with Vertical(classes="window"):
            yield Label(self._question, markup=False)
            yield OptionList(
                *(Option(f" {key}   {words}", id=name) for key, name, words in self._choices), markup=False
            )

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Chosen by cursor or mouse."""
        self.dismiss(event.option.id)

    def on_key(self, event: events.Key) -> None:
        """Chosen by its key."""
        for key, name, _ in self._choices:
            if event.key == key:
                event.stop()
                self.dismiss(name)
                return


class Line(ModalScreen[str | None]):
    """Asks for a line of text; None where the window was left."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape", "dismiss(None)", "cancel")]

    def __init__(self, question: str, placeholder: str = "") -> None:
        super().__init__()
        self._question = question
        self._placeholder = placeholder

    def compose(self) -> ComposeResult:
        """The question above a field."""
        with Vertical(classes="window"):
            yield Label(self._question, markup=False)
            field = Input(placeholder=self._placeholder, max_length=200)
            field.cursor_blink = False
            yield field

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter gives the line; an empty one is none."""
        self.dismiss(event.value.strip() or None)
