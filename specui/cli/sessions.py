"""Runs by name or by file, as sessions."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from specui.domain.codec import FORMAT
from specui.journal import session, store

if TYPE_CHECKING:
    from specui.cli.places import Places
    from specui.journal.folder import RunFolder
    from specui.journal.session import Session


def session_of(folder: RunFolder) -> Session:
    """The journal of a run as a session, as far as it goes by now. Raises UsageError where it cannot be read."""
    read = store.read(folder)
    header = read.header or {"format": FORMAT, "id": folder.id}
    number = header.get("format")
    return session.Session(header, read.events, number if isinstance(number, int) else FORMAT)


def find_session(word: str, where: Places) -> Session:
    """A session file by its path, else a run by its id, its beginning, or `last`.

    Raises UnreadableFile or UsageError.
    """
    path = Path(word).expanduser()
    if path.suffix == ".toml" or path.is_file():
        return session.load(path)
    return session_of(store.find(where.runs, word))
