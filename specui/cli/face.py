"""Opens the screens: checks the terminal, hands over what they may start, and leaves the terminal as it was."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from typing import TYPE_CHECKING

from specui.cli.output import note, say
from specui.cli.places import places, themes_folder
from specui.cli.theme import ensure_theme
from specui.domain.errors import SpecuiError, UsageError

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from specui.cli.places import Places
    from specui.journal.folder import RunFolder
    from specui.journal.wishes import What
    from specui.tui.app import SpecuiApp
    from specui.tui.services import Opened, Services

HEADLESS = "`specui run` and `specui demo --headless` measure without one, `specui report last` shows the table"
POOR_TERMINALS = frozenset({"linux", "vt100", "vt220"})
"""They have no braille."""

NICENESS = 5
"""The screens give way to the engine that they watch."""


def add_screen_options(parser: argparse.ArgumentParser) -> None:
    """How the screens are drawn."""
    screens = parser.add_argument_group("screens")
    screens.add_argument("--refresh", metavar="HZ", help="looks a second (4; 2 where the engine computes on this CPU)")
    screens.add_argument("--slow", action="store_true", help="one look a second, no moving charts: for a slow line")
    screens.add_argument("--no-mouse", action="store_true", help="leave the mouse to the terminal")
    screens.add_argument("--ascii", action="store_true", help="charts and frames in ASCII (as on a Linux console)")
    screens.add_argument("--theme", metavar="NAME", help="dark, light, ansi, or one of your own")


def has_terminal() -> bool:
    """Whether screens can be drawn here."""
    return sys.stdin.isatty() and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


def ensure_terminal() -> None:
    """Raises UsageError where no screens can be drawn."""
    if os.environ.get("TERM") == "dumb":
        raise UsageError(f"TERM is `dumb`, which can show no screens: {HEADLESS}")
    if not has_terminal():
        raise UsageError(f"the screens need a terminal on standard input and standard error: {HEADLESS}")


def show(opened: Opened | None, options: argparse.Namespace) -> SpecuiApp:
    """Run the screens until somebody leaves them; gives the app as it was left.

    Raises UsageError without a terminal or such a theme, SpecuiError where the screens broke or were ended by a signal.
    """
    ensure_terminal()
    ensure_theme(options.theme)
    where = places()
    os.environ.setdefault("TEXTUAL_ANIMATIONS", "none")
    os.environ.setdefault("TEXTUAL_FPS", "15")
    gc.disable()  # what is loaded now stays: looking through it again and again is a tenth of a start
    services = _services(where, options)
    from specui.tui.app import ENDING, SpecuiApp  # textual: after its settings, and only where screens are drawn

    app = SpecuiApp(services, opened)
    gc.freeze()
    gc.enable()
    os.nice(NICENESS)
    log = where.runs.parent / "screens.log"
    with _own_terminal(log), _held_back(ENDING):
        app.run(mouse=not options.no_mouse)
    if app.failure is not None:
        raise app.failure
    if app.return_code:
        words = f"ended by {app.ended_by}" if app.ended_by else f"the screens broke; what happened stands in {log}"
        raise SpecuiError(words)
    return app


def watched_to_the_end(folder: RunFolder, options: argparse.Namespace, output: str | None, *, as_json: bool) -> int:
    """The screens on a run that was just started; then its table, unless it was left to go on."""
    from specui.tui.services import Opened

    try:
        app = show(Opened(folder.journal, folder, is_living=True), options)
    except SpecuiError:
        note(f"the run {folder.id} goes on: `specui watch {folder.id}` shows it")
        raise
    if told_after(app, folder):
        say(folder.id)
        return 0
    from specui.cli.finish import ended

    return ended(folder, output=output, as_json=as_json, was_watched=True)


def default_options() -> argparse.Namespace:
    """The options of the screens where nobody gave any."""
    import argparse

    parser = argparse.ArgumentParser()
    add_screen_options(parser)
    return parser.parse_args([])


def _services(where: Places, options: argparse.Namespace) -> Services:
    from specui.cli.starting import Starter
    from specui.tui.services import Services

    theme, keys = options.theme, {}
    if where.config.exists():
        from specui.cli.config import read_config  # most people have none, and checking costs start-up time

        config = read_config(where.config)
        theme, keys = theme or config.theme, config.keys
    return Services(
        runs=where.runs,
        wish=_wish,
        start_demo=Starter().start_demo,
        refresh_hz=1.0 if options.slow else refresh_hz(options.refresh),
        moves_charts=not options.slow,
        draws_ascii=options.ascii or os.environ.get("TERM") in POOR_TERMINALS,
        theme=theme,
        theme_folders=(themes_folder(), where.config.parent / "themes"),
        keys=keys,
    )


def refresh_hz(text: str | None) -> float | None:
    """Looks a second, as an option says. Raises UsageError where it is no such number."""
    if text is None:
        return None
    try:
        hz = float(text)
    except ValueError:
        hz = 0.0
    if not 0.1 <= hz <= 10:
        raise UsageError(f"--refresh is {text!r}: give looks a second, 0.1 … 10")
    return hz


def _wish(folder: RunFolder, what: What, label: str) -> None:
    from specui.cli.wish import leave_in

    leave_in(folder, what, label)


@contextlib.contextmanager
def _own_terminal(log: Path) -> Iterator[None]:
    """The terminal for the screens alone: what anything else writes to descriptor 2 goes to a log.

    C libraries write there as they like, and it would land amid the picture. UTF-8 whatever the locale says.
    Standard output may be a file, but its terminal is the one that is asked for its size.
    """
    terminal = os.dup(2)
    before, original, sized = sys.stderr, sys.__stderr__, sys.__stdout__
    screens = os.fdopen(terminal, "w", encoding="utf-8", errors="replace", closefd=False)
    try:
        log.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        sink = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    except OSError:
        sink = os.open(os.devnull, os.O_WRONLY | os.O_CLOEXEC)
    sys.stderr.flush()
    os.dup2(sink, 2)
    os.close(sink)
    sys.__stderr__ = screens  # type: ignore[misc]  # where Textual writes
    sys.__stdout__ = screens  # type: ignore[misc]  # whose size shutil.get_terminal_size gives
    try:
        yield
    finally:
        sys.__stderr__, sys.__stdout__ = original, sized  # type: ignore[misc]  # as above
        with contextlib.suppress(OSError, ValueError):
            sys.stderr.flush()
        os.dup2(terminal, 2)
        os.close(terminal)
        sys.stderr = before


@contextlib.contextmanager
def _held_back(signals: Iterable[signal.Signals]) -> Iterator[None]:
    """Signals wait until the screens can heed them: before that they would end us with the terminal half taken."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, signals)


def told_after(app: SpecuiApp, folder: RunFolder) -> bool:
    """Whether a run goes on without the screens; then it is said how to come back."""
    if not app.leaves_running:
        return False
    note(f"the run goes on: `specui watch {folder.id}` shows it, `specui stop {folder.id}` ends it")
    return True
