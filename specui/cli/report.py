"""`specui report`: the table of one or more runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from specui.cli.output import note, say
from specui.cli.places import places
from specui.cli.sessions import find_session
from specui.reports.markdown import markdown
from specui.reports.table import report

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `report`."""
    parser.add_argument("runs", nargs="+", metavar="FILE.toml|RUN")
    parser.add_argument("--format", choices=("md", "json"), default="md")


def run(options: argparse.Namespace) -> int:
    """Print the report of all of them together."""
    sessions = {repr(s.header): s for s in (find_session(word, places()) for word in options.runs)}.values()
    for newer in (s for s in sessions if s.is_read_only):
        note(f"a session of format {newer.format} is newer than this version: what it does not know is left out")
    names = [str(s.header.get("id") or f"run {n}") for n, s in enumerate(sessions, 1)]
    document = report([s.run() for s in sessions], names)
    say(json.dumps(document) if options.format == "json" else markdown(document))
    return 0
