"""What the palette finds: what a key of the screen could do now, and every theme. None of Textual's own commands."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rich.markup import escape
from textual.app import SystemCommand

from specui.domain.text import one_line
from specui.tui.keymap import EVERYWHERE
from specui.tui.screens.base import BaseScreen

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from textual.screen import Screen

    from specui.tui.keymap import Command


def entries(
    screen: Screen[object], themes: Iterable[str], take_theme: Callable[[str], object]
) -> Iterator[SystemCommand]:
    """Each once; above a question there are only the themes."""
    if isinstance(screen, BaseScreen):
        for command, reason in screen.commands():
            if reason is None:
                owner = screen.app if command in EVERYWHERE else screen
                act = partial(screen.app.run_action, command.action, owner)
                yield SystemCommand(_title(command), command.tooltip, act)
    for name in themes:
        yield SystemCommand(
            f"Theme: {escape(one_line(name, 60))}", "These colours from now on", partial(take_theme, name)
        )


def _title(command: Command) -> str:
    """A line of its own: what is a number beside a key is said in words here."""
    words = command.description if command.description[0].isalpha() else command.tooltip
    return words[0].upper() + words[1:]
