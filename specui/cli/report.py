"""`specui report`: the table of one or more runs."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from specui.cli.output import say
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
    document = report([find_session(word, places()).run() for word in options.runs])
    say(json.dumps(document) if options.format == "json" else markdown(document))
    return 0
