"""The library of runs: one folder a run, its journal the master of all else in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from specui.domain.errors import UsageError
from specui.domain.events import Event
from specui.domain.run import Run, fold
from specui.domain.text import one_line, slug
from specui.domain.units import Record
from specui.journal import lock
from specui.journal.folder import RunFolder
from specui.journal.lines import LineReader

if TYPE_CHECKING:
    from pathlib import Path

RunState: TypeAlias = Literal["running", "held", "paused", "finished", "failed", "stopped", "crashed"]

LAST = "last"
"""The word for the newest run."""


@dataclass(frozen=True, slots=True)
class ReadJournal:
    """A whole journal, read."""

    header: Record
    events: tuple[Event, ...]
    damaged: int
    is_live: bool


def create(runs: Path, title: str, stamp: str) -> RunFolder:
    """A new run's folder, named by `stamp` (`2026-12-01T09-58-12`) and the title; only its owner can read it.

    Raises UsageError where no folder can be made.
    """
    name = f"{stamp}-{slug(title)}"
    for attempt in range(1, 100):
        path = runs / (name if attempt == 1 else f"{name}-{attempt}")
        try:
            runs.mkdir(parents=True, exist_ok=True, mode=0o700)
            path.mkdir(mode=0o700)
            (path / "inbox").mkdir(mode=0o700)
        except FileExistsError:
            continue
        except OSError as error:
            raise UsageError(
                f"no run can be kept in {runs}: {error.strerror}; set SPECUI_HOME to another folder"
            ) from error
        return RunFolder(path)
    raise UsageError(f"no run can be kept in {runs}: a hundred runs named {name} exist")


def folders(runs: Path) -> list[RunFolder]:
    """Every run below `runs`, newest first; links that lead out of it are left aside."""
    try:
        paths = sorted(runs.iterdir(), reverse=True)
    except OSError:
        return []
    return [RunFolder(p) for p in paths if not p.is_symlink() and (p / "journal.jsonl").is_file()]


def find(runs: Path, word: str) -> RunFolder:
    """The run that `word` names: an id, a unique beginning of one, or `last`.

    Raises UsageError where none or several answer to it.
    """
    known = folders(runs)
    if not known:
        raise UsageError(f"there is no run in {runs} yet: start one with `specui demo`")
    if word == LAST:
        return known[0]
    exact = [f for f in known if f.id == word]
    begun = exact or [f for f in known if word and f.id.startswith(word)]
    if len(begun) == 1:
        return begun[0]
    shown = one_line(word, 80)
    if not begun:
        raise UsageError(f"no run is called {shown!r}: `specui list` shows their ids")
    raise UsageError(f"{len(begun)} runs begin with {shown!r}: name one of {', '.join(f.id for f in begun[:5])}")


def read(folder: RunFolder) -> ReadJournal:
    """The whole journal of a run. Raises UsageError where it cannot be read."""
    is_live = lock.is_held(folder.journal)
    lines = LineReader()
    try:
        events = tuple(lines.feed(folder.journal.read_bytes()))
    except OSError as error:
        raise UsageError(f"the journal {folder.journal} cannot be read: {error.strerror}") from error
    return ReadJournal(lines.header or {}, events, lines.damaged, is_live)


def state_of(run: Run, is_live: bool) -> RunState:
    """What a run is doing; one whose writer is gone without a last word has crashed."""
    if run.progress in ("finished", "failed", "stopped"):
        return run.progress
    return run.progress if is_live else "crashed"


def run_of(journal: ReadJournal) -> Run:
    """The journal folded."""
    return fold(journal.events)
