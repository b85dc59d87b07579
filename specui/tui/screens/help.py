"""The keys of a screen: what each does, its id for whoever wants another, and why some cannot be used now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.table import Table
from rich.text import Text
from textual.containers import VerticalScroll
from textual.keys import format_key
from textual.screen import ModalScreen
from textual.widgets import Footer, Static

from specui.tui.keymap import Command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from textual.app import ComposeResult
    from textual.binding import BindingType

    from specui.tui.screens.base import BaseScreen


@dataclass(frozen=True, slots=True)
class KeyHelp:
    """One line of the sheet."""

    key: str
    command: Command
    reason: str | None
    """Why it cannot be used now."""


def lines_of(screen: BaseScreen, own_keys: Mapping[str, str]) -> list[KeyHelp]:
    """The keys of a screen; `own_keys` are the user's, by id."""
    return [KeyHelp(_shown_key(c, own_keys.get(c.id)), c, reason) for c, reason in screen.commands()]


class Help(ModalScreen[None]):
    """A sheet of keys."""

    BINDINGS: ClassVar[list[BindingType]] = [("escape,question_mark,q", "dismiss", "back")]

    def __init__(self, lines: list[KeyHelp]) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """One line a key where the window is wide enough; what does not fit stays in its column."""
        sheet = Table.grid(padding=(0, 2, 0, 0), expand=True)
        sheet.add_column(justify="right", min_width=8, no_wrap=True)
        sheet.add_column(min_width=16, no_wrap=True)
        sheet.add_column(ratio=1)
        for line in self._lines:
            sheet.add_row(
                Text(line.key, "bold"), Text(line.command.description, "dim" if line.reason else ""), _told(line)
            )
        with VerticalScroll(classes="sheet"):
            yield Static(sheet)
            yield Static(
                "\nThe words at a line's end are the ids for [keys] in config.toml. The mouse works too: select text "
                "in the answer and copy it with ctrl+c. ctrl+p finds everything.",
                markup=False,
            )
        yield Footer()


def _told(line: KeyHelp) -> Text:
    told = Text(line.command.tooltip).append(f"  {line.command.id}", "dim")
    return told.append(f"\nnot now: {line.reason}", "dim") if line.reason else told


def _shown_key(command: Command, own: str | None) -> str:
    if own is not None:
        return " ".join(format_key(key) for key in own.split(","))
    return command.key_display or format_key(command.keys.split(",")[0])
