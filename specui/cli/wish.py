"""Wishes to a living run, as the verbs `stop`, `skip` and `mark` leave them."""

from __future__ import annotations

import getpass
import os
from typing import TYPE_CHECKING

from specui.cli.output import note
from specui.cli.places import places
from specui.domain.errors import UsageError
from specui.journal import lock, store, wishes
from specui.runner.recorder import folder_stamp

if TYPE_CHECKING:
    from specui.journal.folder import RunFolder
    from specui.journal.wishes import What


def leave(what: What, word: str, label: str = "") -> int:
    """Put a wish into a run's inbox; `last` is the newest that lives. Raises UsageError where the run is not living."""
    folder = _living() if word == store.LAST else None
    folder = folder or store.find(places().runs, word)
    leave_in(folder, what, label)
    note(f"{what}: left for {folder.id}")
    return 0


def leave_in(folder: RunFolder, what: What, label: str = "") -> None:
    """Put a wish into the inbox of a run. Raises UsageError where it is not living."""
    if not lock.is_held(folder.journal):
        raise UsageError(f"the run {folder.id} has ended: there is nothing to {what}")
    wishes.put(folder.inbox, wishes.Wish(what, _who(), label), folder_stamp())


def _living() -> RunFolder | None:
    """The newest run that lives."""
    return next((f for f in store.folders(places().runs) if lock.is_held(f.journal)), None)


def _who() -> str:
    try:
        return f"{getpass.getuser()} (process {os.getppid()})"
    except (KeyError, OSError):
        return f"process {os.getppid()}"
