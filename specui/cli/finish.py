"""Follows a run to its end and says what came of it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import TYPE_CHECKING

from specui.cli.follow import follow
from specui.cli.output import note, say
from specui.cli.sessions import session_of
from specui.domain.text import one_line
from specui.journal import session
from specui.reports.markdown import markdown
from specui.reports.table import report

if TYPE_CHECKING:
    from specui.domain.run import Run
    from specui.journal.folder import RunFolder


def ended(folder: RunFolder, output: str | None, as_json: bool) -> int:
    """Follow, then print the table and, last, the path of the session; gives the exit code."""
    followed = asyncio.run(follow(folder))
    if followed.run.progress == "running" and not followed.interrupted:
        note(f"specui: the run broke off: {_last_words(folder)}; `specui export {folder.id}` saves what is there")
    path = _saved(folder, output)
    document = report([followed.run])
    if as_json:
        say(json.dumps({"id": folder.id, "session": str(path), "outcome": followed.run.progress, "report": document}))
    else:
        say(markdown(document) + "\n")
        say(str(path))
    if followed.interrupted or followed.run.progress == "stopped":
        return 130
    return 0 if _went_well(followed.run) else 1


def _saved(folder: RunFolder, output: str | None) -> Path:
    """Where the session lies: beside the journal, and where it was wanted."""
    if output is not None:
        path = Path(output).expanduser().absolute()
        session.save(session_of(folder), path)
        return path
    if not folder.session.is_file():
        session.save(session_of(folder), folder.session)
    return folder.session


def _last_words(folder: RunFolder) -> str:
    """The end of the runner's own log."""
    try:
        lines = folder.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    return one_line(lines[-1], 300) if lines else f"its runner is gone; {folder.log} is empty"


def _went_well(run: Run) -> bool:
    return run.progress == "finished" and all(c.progress in ("finished", "skipped") for c in run.cases)
