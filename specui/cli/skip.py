"""`specui skip`: leave the current case of a run; the next one begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.cli.wish import leave

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """The run, or the newest one."""
    parser.add_argument("run", nargs="?", default="last", metavar="RUN", help="an id, a beginning of one, or last")


def run(options: argparse.Namespace) -> int:
    """Leave the wish."""
    return leave("skip", options.run)
