"""`specui watch`: the live screen on a run of this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.cli.face import add_screen_options, ensure_terminal, show, told_after
from specui.cli.places import places
from specui.domain.errors import UsageError
from specui.domain.text import one_line
from specui.journal import lock, store
from specui.tui.services import Opened

if TYPE_CHECKING:
    import argparse

    from specui.journal.folder import RunFolder


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `watch`."""
    parser.add_argument(
        "run", nargs="?", default=store.LAST, metavar="RUN", help="an id, a unique beginning of one, or last (default)"
    )
    add_screen_options(parser)


def run(options: argparse.Namespace) -> int:
    """Show it; leaving ends nothing."""
    ensure_terminal()
    _ensure_here(options.run)
    folder = watched(options.run)
    app = show(opened(folder), options)
    told_after(app, folder)
    return 0


def watched(word: str) -> RunFolder:
    """The run of a word; `last` is the newest that lives, else the newest. Raises UsageError."""
    runs = places().runs
    living = (f for f in store.folders(runs) if lock.is_held(f.journal)) if word == store.LAST else ()
    return next(iter(living), None) or store.find(runs, word)


def opened(folder: RunFolder) -> Opened:
    """A living run as it happens, an ended one at its end."""
    is_living = lock.is_held(folder.journal)
    return Opened(folder.journal, folder, is_living=is_living, at_end=not is_living)


def _ensure_here(word: str) -> None:
    if "@" in word or ":" in word or word.startswith("http"):
        raise UsageError(f"{one_line(word, 60)!r} is on another machine: watch it there, by `ssh -t HOST specui watch`")
