"""What a list of runs shows, told by the first and the last lines of a journal: nothing is folded."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specui.domain.codec import decode
from specui.domain.events import CaseStarted, Event, RunFinished, RunHeld, RunPaused, RunResumed
from specui.domain.units import Seconds
from specui.journal import lock
from specui.journal.folder import RunFolder
from specui.journal.lines import read_header
from specui.journal.store import RunState

if TYPE_CHECKING:
    from specui.domain.units import JsonValue

_LAST_BYTES = 1 << 13
_FIRST_BYTES = 1 << 14


@dataclass(frozen=True, slots=True)
class Glance:
    """A run as a list shows it."""

    folder: RunFolder
    title: str
    created: str
    """Wall clock, as the journal's first line has it; empty where it has none."""
    state: RunState
    length_s: Seconds | None
    """From the start to the last event that can be read."""

    @property
    def is_living(self) -> bool:
        """Whether its runner is at work."""
        return self.state in ("running", "held", "paused")


def glance(folder: RunFolder) -> Glance:
    """The run of a folder. What cannot be read is left open: a list must show the rest."""
    is_live = lock.is_held(folder.journal)
    try:
        with folder.journal.open("rb", buffering=0) as file:
            head = read_header(file.read(_FIRST_BYTES).split(b"\n", 1)[0]) or {}
            size = os.fstat(file.fileno()).st_size
            file.seek(max(0, size - _LAST_BYTES))
            events = [event for line in file.read().split(b"\n") if (event := decode(line)) is not None]
    except OSError:
        head, events = {}, []
    title = _text(head.get("title")) or folder.id
    length = max((event.t for event in events), default=None)
    return Glance(folder, title, _text(head.get("created")), _state(events, is_live=is_live), length)


def _state(events: list[Event], *, is_live: bool) -> RunState:
    for event in reversed(events):
        match event.fact:
            case RunFinished(outcome):
                return outcome
            case RunHeld():
                return "held" if is_live else "crashed"
            case RunPaused():
                return "paused" if is_live else "crashed"
            case RunResumed() | CaseStarted():
                return "running" if is_live else "crashed"
            case _:
                pass
    return "running" if is_live else "crashed"


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""
