"""`specui export`: a run as one TOML file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from specui.cli.output import say
from specui.cli.places import places
from specui.cli.sessions import session_of
from specui.journal import session, store

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `export`."""
    parser.add_argument("run", metavar="RUN", help="an id, a unique beginning of one, or last")
    parser.add_argument("--output", metavar="FILE.toml", help="where to save it; else beside the journal")


def run(options: argparse.Namespace) -> int:
    """Lay the journal out again and print the file's path."""
    folder = store.find(places().runs, options.run)
    path = Path(options.output).expanduser().absolute() if options.output else folder.session
    session.save(session_of(folder), path)
    say(str(path))
    return 0
