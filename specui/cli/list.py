"""`specui list`: saved and living runs, newest first."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from specui.cli.output import note, say
from specui.cli.places import places
from specui.domain.errors import UsageError
from specui.domain.text import one_line
from specui.journal import store

if TYPE_CHECKING:
    import argparse

    from specui.domain.units import Record
    from specui.journal.folder import RunFolder


def configure(parser: argparse.ArgumentParser) -> None:
    """The options of `list`."""
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(options: argparse.Namespace) -> int:
    """Print the runs."""
    rows = []
    for folder in store.folders(places().runs):
        try:
            rows.append(_row(folder))
        except UsageError as error:
            note(f"specui: {error}")
    if options.json:
        say(json.dumps(rows))
    elif not rows:
        note("no run yet: start one with `specui demo`")
    else:
        for row in rows:
            counts = f"{row['cases']} cases  {row['requests']} requests"
            say(f"{row['id']}  {row['state']:8}  {counts}  {one_line(str(row['title']), 60)}")
    return 0


def _row(folder: RunFolder) -> Record:
    read = store.read(folder)
    run = store.run_of(read)
    return {
        "id": folder.id,
        "title": read.header.get("title") or (run.plan.title if run.plan else folder.id),
        "state": store.state_of(run, read.is_live),
        "created": read.header.get("created"),
        "path": str(folder.path),
        "cases": len(run.cases),
        "requests": sum(1 for r in run.requests if r.is_result),
    }
