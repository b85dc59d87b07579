"""The keys of a screen: what each does, and why some cannot be used now."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

if TYPE_CHECKING:
    from textual.app import ComposeResult
    from textual.binding import BindingType

Key = tuple[str, str, str, str | None]
"""The key, its name, what it does, and why it cannot be used now."""


class Help(ModalScreen[None]):
    """A sheet of keys."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,q", "dismiss", "back")]

    def __init__(self, keys: list[Key]) -> None:
        super().__init__()
        self._keys = keys

    def compose(self) -> ComposeResult:
        """One line a key."""
        sheet = Text()
        for key, name, does, reason in self._keys:
            sheet.append(f"{key:>10}  ", "bold")
            sheet.append(f"{name:<18}", "dim" if reason else "")
            sheet.append(f"{does}\n")
            if reason:
                sheet.append(f"{'':>30}not now: {reason}\n", "dim")
        sheet.append(
            "\nThe mouse works too: select text in the answer and copy it with ctrl+c. ctrl+p finds everything."
        )
        with VerticalScroll(classes="sheet"):
            yield Static(sheet)
        yield Footer()
