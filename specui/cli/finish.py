"""Follows a run to its end and says what came of it."""

from __future__ import annotations

import asyncio
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from specui.cli.follow import follow
from specui.cli.output import note, say
from specui.cli.sessions import session_of
from specui.domain.errors import JournalError, SpecuiError, UsageError
from specui.domain.text import one_line
from specui.journal import session
from specui.reports.markdown import markdown
from specui.reports.table import report

if TYPE_CHECKING:
    from specui.domain.run import Run
    from specui.journal.folder import RunFolder

_LOGGED = re.compile(r"^[\d-]+ [\d:,]+ [A-Z]+ [\w.]+ ")
"""When, how grave and where: the beginning of a line of the log."""


def ended(folder: RunFolder, output: str | None, as_json: bool, *, was_watched: bool = False) -> int:
    """Follow, then print the table and, last, the path of the session; gives the exit code.

    What was watched on the screens is not told again.
    """
    try:
        followed = asyncio.run(follow(folder, tells=not was_watched))
    except OSError as error:
        raise JournalError(f"the journal {folder.journal} cannot be read any more: {error.strerror}") from error
    if followed.run.progress == "running" and not followed.interrupted:
        note(f"specui: the run broke off: {_last_words(folder)}; `specui export {folder.id}` saves what is there")
    path, problem = _saved(folder, output)
    document = report([followed.run])
    if as_json:
        saved = None if path is None else str(path)
        say(json.dumps({"id": folder.id, "session": saved, "outcome": followed.run.progress, "report": document}))
    else:
        say(markdown(document) + "\n")
        if path is not None:
            say(str(path))
    if problem is not None:
        raise SpecuiError(str(problem)) from problem
    if followed.interrupted or followed.run.progress == "stopped":
        return 130
    return 0 if _went_well(followed.run) else 1


def _saved(folder: RunFolder, output: str | None) -> tuple[Path | None, UsageError | None]:
    """Where the session lies, if anywhere, and why not where it was wanted: that costs neither table nor journal."""
    path = folder.session if output is None else Path(output).expanduser().absolute()
    try:
        if output is not None or not path.is_file():
            session.save(session_of(folder), path)
    except UsageError as error:
        return (folder.session if folder.session.is_file() else None), error
    return path, None


def _last_words(folder: RunFolder) -> str:
    """The end of the runner's own log."""
    try:
        lines = folder.log.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        lines = []
    if not lines and _is_full(folder):
        return f"the disk of {folder.path} is full: make room, then run again"
    if not lines:
        return f"its runner ended without a word, as one does that is killed; {folder.log} is empty"
    return one_line(_LOGGED.sub("", lines[-1]), 400)


def _is_full(folder: RunFolder) -> bool:
    """Whether not even a page more fits on the disk of a run."""
    try:
        left = os.statvfs(folder.path)
    except OSError:
        return False
    return left.f_bavail * left.f_frsize < 8192 or (left.f_files > 0 and left.f_favail == 0)


def _went_well(run: Run) -> bool:
    return run.progress == "finished" and all(c.progress in ("finished", "skipped") for c in run.cases)
