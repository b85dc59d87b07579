"""`specui mark`: put a marker into a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from specui.cli.wish import leave

if TYPE_CHECKING:
    import argparse


def configure(parser: argparse.ArgumentParser) -> None:
    """The run and the marker's words."""
    parser.add_argument("run", metavar="RUN", help="an id, a beginning of one, or last")
    parser.add_argument("label", metavar="LABEL")


def run(options: argparse.Namespace) -> int:
    """Leave the wish."""
    return leave("mark", options.run, options.label)
