"""The application: modes, themes, keys that work everywhere, and a way out that loses nothing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import App

from specui.domain.errors import UsageError
from specui.domain.text import one_line
from specui.tui.keymap import EVERYWHERE, bindings
from specui.tui.screens.base import BaseScreen
from specui.tui.screens.live import LiveScreen
from specui.tui.themes import CHART_DEFAULTS, find_themes, fitting_theme, problem_with

if TYPE_CHECKING:
    from collections.abc import Iterable

    from textual.app import SystemCommand
    from textual.binding import BindingType
    from textual.screen import Screen

    from specui.domain.errors import SpecuiError
    from specui.tui.screens.sessions import SessionsScreen
    from specui.tui.services import Opened, Services

LIVE_MODE, SESSIONS_MODE = "live", "sessions"
ENDING = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
"""What leaves the screens from outside; no key sends one, for Ctrl+C is a key like any other."""
LAST_WORDS_S = 3
"""How long the terminal may take to be restored when a signal ends us."""


class SpecuiApp(App[None]):
    """Everything a person sees. `opened` is the run to begin with; without one it begins with the list."""

    CSS_PATH = "specui.tcss"
    TITLE = "specui"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(EVERYWHERE)]
    ENABLE_COMMAND_PALETTE = True

    def __init__(self, services: Services, opened: Opened | None = None) -> None:
        # A mode of our own from the start, else Textual first makes an empty screen.
        self.DEFAULT_MODE = LIVE_MODE if opened else SESSIONS_MODE  # type: ignore[misc]  # one per instance here
        super().__init__()
        self._services = services
        self._opened = opened
        self.draws_ascii = services.draws_ascii
        self.failure: SpecuiError | None = None
        """Why the run that was named could not be shown."""
        self.ended_by: str | None = None
        """The signal that ended the screens."""
        self.leaves_running = False
        """Whether somebody left and let the run go on."""
        self._live = LiveScreen(services, opened)
        self._themes = find_themes(services.theme_folders)
        for theme in self._themes.themes:
            self.register_theme(theme)
        self._late_theme: str | None = None
        if self._themes.themes:
            self._begin_with(fitting_theme(services.theme, self._themes.themes, os.environ))

    def _begin_with(self, name: str) -> None:
        """Take a theme before the first style is read, for a change of theme reads them all again.

        One of the terminal's own colours also changes how colours are sent; that way leads through a change.
        """
        theme = self.available_themes[name]
        if theme.ansi:
            self._late_theme = name
            return
        self.set_reactive(App.theme, name)
        self.stylesheet.set_variables(self.get_css_variables())
        self.update_classes({"-dark-mode": theme.dark, "-light-mode": not theme.dark}, update=False)

    def get_default_screen(self) -> Screen[None]:
        """The first screen. A mode that is made later reads every style once more."""
        return self._live if self._opened else self._new_sessions()

    def _new_sessions(self) -> SessionsScreen:
        from specui.tui.screens.sessions import SessionsScreen  # its table costs time that a watched run need not wait

        return SessionsScreen(self._services)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Chart colours for themes that have none."""
        return {f"chart-{key.replace('_', '-')}": color for key, color in CHART_DEFAULTS.items()}

    async def on_mount(self) -> None:
        """Theme and keys as the user set them, then the first screen."""
        for number in ENDING:
            asyncio.get_running_loop().add_signal_handler(number, self._end_by, number)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)
        self.app_resume_signal.subscribe(self, lambda _: self.refresh(layout=True))  # Textual itself draws nothing then
        self.add_mode(LIVE_MODE, lambda: self._live)
        self.add_mode(SESSIONS_MODE, self._new_sessions)
        if self._late_theme is not None:
            self.theme = self._late_theme
        problems = [*self._themes.problems, *problem_with(self._services.theme, self._themes.themes)]
        if self._services.keys:
            from specui.tui.own_keys import checked_keys  # most people have none

            keys, unusable = checked_keys(self._services.keys)
            self.set_keymap(keys)
            problems += unusable
        for problem in problems:
            self.notify(problem, severity="warning", markup=False, timeout=15)

    def _end_by(self, number: signal.Signals) -> None:
        """Leave the terminal as it was and end; where the terminal takes nothing any more, end all the same."""
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LAST_WORDS_S)
        self.ended_by = number.name
        self.leaves_running = self._live.living is not None
        self.exit(return_code=128 + number)

    def on_live_screen_failed(self, message: LiveScreen.Failed) -> None:
        """A run that cannot be read: said where it was asked for."""
        if self._opened is not None and message.opened is self._opened:
            self.failure = message.error
            self.exit(return_code=1)
        else:
            self.notify(one_line(str(message.error)), severity="error", markup=False, timeout=20)

    async def on_sessions_screen_run_chosen(self, message: SessionsScreen.RunChosen) -> None:
        """Look at it."""
        await self.switch_mode(LIVE_MODE)
        self._live.open(message.opened)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """Ours alone: Textual's Quit would leave a living run unasked."""
        from specui.tui.palette import entries

        return entries(screen, (theme.name for theme in self._themes.themes), partial(setattr, self, "theme"))

    async def action_show_mode(self, mode: str) -> None:
        """Another mode."""
        await self.switch_mode(mode)

    def action_next_theme(self) -> None:
        """The next of our themes."""
        names = [theme.name for theme in self._themes.themes] or [self.theme]
        at = names.index(self.theme) if self.theme in names else -1
        self.theme = names[(at + 1) % len(names)]
        self.notify(one_line(self.theme), title="theme", markup=False, timeout=2)

    def action_help(self) -> None:
        """The keys of this screen."""
        from specui.tui.screens.help import Help, lines_of

        if isinstance(self.screen, BaseScreen):
            self.push_screen(Help(lines_of(self.screen, self._keymap)))

    def action_interrupt(self) -> None:
        """Copy what is selected; else leave."""
        selected = self.screen.get_selected_text()
        if selected:
            self.copy_to_clipboard(selected)
            self.notify("copied, where the terminal allows it", markup=False, timeout=3)
        else:
            self.action_leave()

    @work(exclusive=True, group="leave")
    async def action_leave(self) -> None:
        """Out; where a run is watched that goes on, one question before."""
        from specui.tui.screens.asking import Choice

        living = self._live.living
        if living is not None and living.folder is not None:
            choices = [
                ("k", "keep", "keep it running; `specui watch` shows it again"),
                ("s", "stop", "stop it; what is measured stays"),
                ("escape", "", "stay here"),
            ]
            answer = await self.push_screen_wait(Choice("The run goes on without this window. What about it?", choices))
            if not answer:
                return
            if answer == "stop":
                with contextlib.suppress(UsageError):  # it ended while the question stood: that is what was wanted
                    self._services.wish(living.folder, "stop", "")
            else:
                self.leaves_running = self._live.living is not None
        self.exit()
